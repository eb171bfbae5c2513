"""The endpoint that a body belongs to, for sources that do not contain the URL: detected from the members of the body.

A path without a host does not identify the provider, so no provider's deviations are assumed.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from conformance.model import sse
from conformance.model.exchange import UNKNOWN_MODEL, Body, Headers

CHAT = "/v1/chat/completions"
RESPONSES = "/v1/responses"
COMPLETIONS = "/v1/completions"
MESSAGES = "/v1/messages"
_CHAT_OBJECTS = ("chat.completion", "chat.completion.chunk")
_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "document"})
"""Types of content blocks that only Anthropic messages have."""
_MESSAGE_EVENTS = ("message_start", "content_block_start", "content_block_delta", "message_delta")


def generate(model: Any, *, stream: bool = False) -> str:
    """The path of Google's generateContent for a model."""
    name = quote(str(model).rpartition("/")[2], safe=".-_") if isinstance(model, str) and model else UNKNOWN_MODEL
    return f"/v1beta/models/{name}:{'streamGenerateContent' if stream else 'generateContent'}"


def headers_of(path: str) -> Headers:
    """What a request without a body needs in addition to its path, so that its dialect is found. It is never judged."""
    return Headers([("anthropic-version", "unknown")]) if path == MESSAGES else Headers()


def of_request(body: Any) -> str | None:
    """The path for a request's body; None if it belongs to no known endpoint."""
    if not isinstance(body, dict):
        return None
    if isinstance(body.get("contents"), (list, str)) and "messages" not in body:
        return generate(body.get("model"))
    if isinstance(body.get("messages"), list):
        return MESSAGES if _is_messages(body) else CHAT
    if "prompt" in body and "model" in body:
        return COMPLETIONS
    if "model" in body and ("input" in body or "previous_response_id" in body):
        return RESPONSES
    return None


def _is_messages(body: dict[str, Any]) -> bool:
    if "system" in body or "anthropic_version" in body:
        return True
    tools = body.get("tools")
    if any(isinstance(tool, dict) and "function" not in tool and "input_schema" in tool for tool in tools or ()):
        return True
    for message in body["messages"]:
        content = message.get("content") if isinstance(message, dict) else None
        blocks = content if isinstance(content, list) else ()
        if any(isinstance(block, dict) and block.get("type") in _BLOCKS for block in blocks):
            return True
    return not tools and str(body.get("model", "")).startswith("claude") and "max_tokens" in body


def of_exchange(asked: Any, reply: Body | None) -> str | None:
    """The path for a request's body and its reply, either of which may be None; None if neither shows the endpoint.

    The reply's form decides between endpoints whose shortest requests are alike, and whether Google's streams.
    """
    path = of_request(asked)
    answered = None if reply is None or path in (RESPONSES, COMPLETIONS) else of_response(reply)
    return answered or path


def of_response(body: Body) -> str | None:
    """The path for a response's body, a stream of events included; None if it belongs to no known endpoint."""
    text = body.text
    if text is not None and sse.looks_like_events(text):
        found = (_of_value(event.json) for event in sse.events(text[: 1 << 16]))
        path = next((each for each in found if each is not None), None)
        return path.replace(":generateContent", ":streamGenerateContent") if path else None
    value = body.json
    if isinstance(value, list):  # Google's stream without server-sent events
        path = _of_value(value[0]) if value else None
        return path.replace(":generateContent", ":streamGenerateContent") if path else None
    return _of_value(value)


def _of_value(value: Any) -> str | None:
    """The path for a reply, or for one event of a stream."""
    if not isinstance(value, dict):
        return None
    kind, what = value.get("type"), value.get("object")
    if "deleted" in value:
        return None  # the reply of an endpoint beside the main one
    if what in _CHAT_OBJECTS:
        return CHAT
    if what == "text_completion":
        return COMPLETIONS
    if what == "response" or (isinstance(kind, str) and kind.startswith("response.")):
        return RESPONSES
    if kind in _MESSAGE_EVENTS or (
        {"role", "content"} <= value.keys() and (kind == "message" or "stop_reason" in value)
    ):
        return MESSAGES
    if isinstance(value.get("candidates"), list):
        return generate(value.get("modelVersion"))
    return None
