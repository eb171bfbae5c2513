"""Paths of Messages: Anthropic's own, also on gateways, and those of Vertex and Bedrock."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from conformance.model.dialect import Bodies
from conformance.model.exchange import Request

Hosting = Literal["direct", "vertex", "bedrock"]

_VERTEX = re.compile(r"/publishers/[^/]+/models/(?P<model>[^/:]+):(?:streamR|r)awPredict$")
_BEDROCK = re.compile(r"/model/(?P<model>.+)/invoke(?:-with-response-stream)?$")


def hosting_of(request: Request) -> Hosting:
    """The host of the dialect: the two clouds have the model in the path and the version in the body."""
    if _VERTEX.search(request.path):
        return "vertex"
    return "bedrock" if _BEDROCK.search(request.path) else "direct"


def model_in_path(request: Request) -> str | None:
    """The model that a cloud's path names."""
    match = _VERTEX.search(request.path) or _BEDROCK.search(request.path)
    return match["model"] if match else None


def at_anthropic(request: Request) -> bool:
    """Whether a request is for Anthropic's API, by its host or the header that each of its requests has."""
    return request.host == "api.anthropic.com" or "anthropic-version" in request.headers


def claims(request: Request) -> bool:
    """Whether a request is a Messages request, by its path, then by the keys of its body."""
    if request.method != "POST":
        return False
    body = request.body.json
    keys = body if isinstance(body, dict) else {}
    model = model_in_path(request)
    if model is not None:
        known = "anthropic_version" in keys or "anthropic" in request.path or "claude" in model
        return known and "prompt" not in keys and ("messages" in keys or "max_tokens" in keys)
    path = request.path.rstrip("/")
    if not path.endswith("/messages") or "/threads/" in path:
        return False
    return at_anthropic(request) or request.of_reply or "messages" in keys or "max_tokens" in keys


def asks_for_stream(request: Request, body: Any) -> bool:
    """Whether the request asks for a stream, in its body or by the verb of a cloud's path."""
    if request.path.endswith((":streamRawPredict", "/invoke-with-response-stream")):
        return True
    return isinstance(body, dict) and body.get("stream") is True


_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking", "document"})
"""Types of content blocks that no other dialect has."""
_EVENTS = ("message_start", "content_block_start", "content_block_delta", "message_delta")


def _is_request(body: Mapping[str, Any]) -> bool:
    messages = body.get("messages")
    if not isinstance(messages, list):
        return False
    system = body.get("system")
    typed = isinstance(system, list) and all(isinstance(block, dict) and "type" in block for block in system)
    if isinstance(system, str) or typed or "anthropic_version" in body:
        return True
    tools = body.get("tools")
    if isinstance(tools, list) and any(
        isinstance(tool, dict) and "function" not in tool and "input_schema" in tool for tool in tools
    ):
        return True
    contents = (message.get("content") for message in messages if isinstance(message, dict))
    blocks = (block for content in contents if isinstance(content, list) for block in content)
    if any(isinstance(block, dict) and block.get("type") in _BLOCKS for block in blocks):
        return True
    return not tools and str(body.get("model", "")).startswith("claude") and "max_tokens" in body


def _is_reply(value: Mapping[str, Any]) -> bool:
    kind = value.get("type")
    is_message = value.keys() >= {"role", "content"} and (kind == "message" or "stop_reason" in value)
    return is_message or kind in _EVENTS


BODIES = Bodies("/v1/messages", _is_request, _is_reply)
