"""Requests and replies that a tracing tool kept in the format of their endpoint, with added or missing members.

The reply may be a whole body, one message, or its text. Of a whole body only the model's messages are kept: SDKs add
members that were not on the wire, and fill in absent ones with null.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from conformance.inputs import build, endpoints
from conformance.model.exchange import Body, Exchange, Members

_CONTENT_MEMBERS = frozenset(
    {"model", "messages", "system", "input", "instructions", "previous_response_id", "conversation", "prompt"}
    | {"contents", "systemInstruction", "system_instruction"}
    | {"tools", "tool_choice", "toolConfig", "functions", "function_call", "parallel_tool_calls", "max_tokens", "n"}
)
"""The members of a request with content; others are settings, which tools rename and complete."""
NO_REFERENCES: Final = frozenset({"continues", "continues_at", "partial"})
"""Settings that only requests to the endpoint of Responses can have: elsewhere, nothing is missing."""
CONTAINED: Final = Members(
    request=("/messages", "/input", "/contents", "/prompt"),
    reply=(
        *("/choices/*/index", "/choices/*/message"),
        *("/type", "/role", "/content", "/object", "/output", "/candidates"),
    ),
    neutral=frozenset({"signature"}),
)
"""What tracing tools keep of bodies. Of the settings they keep some, and leave out others without a trace."""
_ADDED = frozenset({"provider_specific_fields", "parsed", "thinking_blocks", "citations", "usage_metadata"})
"""Members that SDKs and LiteLLM add to messages and blocks."""


def exchange(request: Any, reply: Any, *, settings: frozenset[str] = frozenset(), **origin: Any) -> Exchange | None:
    """The exchange of a traced request and its reply, either of which may be None; None without a known endpoint.

    `settings` are those of the request that the tool keeps whenever there are any (`Members.neutral`).
    `origin` is `source`, `group` and `id`: as in `build.exchange`.
    """
    asked = _request(value_of(request))
    parsed = value_of(reply)
    path = endpoints.of_exchange(asked, Body(parsed) if isinstance(parsed, dict) else None)
    if path is None:
        return None
    answered = _reply(parsed, path)
    choices = answered.get("choices") if answered is not None else None
    if asked is not None and isinstance(choices, list) and len(choices) > 1:
        asked = {"n": len(choices), **asked}  # tools leave out the requested number of choices
    neutral = CONTAINED.neutral | settings | (NO_REFERENCES if path != endpoints.RESPONSES else frozenset())
    return build.exchange(
        None if asked is None else Body(asked),
        None if answered is None else Body(answered),
        url=path,
        status=None if answered is None else 200,
        members=replace(CONTAINED, neutral=neutral),
        **origin,
    )


def value_of(value: Any) -> Any:
    """The value; if it is JSON text, the value of that text: some exports write values as text."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def word_of(value: Any) -> str | None:
    """The value if it is a text that is not empty."""
    return value if isinstance(value, str) and value else None


def object_of(holder: Any, key: str) -> Mapping[str, Any]:
    """The object under a key; an empty one if there is none."""
    value = holder.get(key) if isinstance(holder, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _request(value: Any) -> dict[str, Any] | None:
    if isinstance(value, list) and value and all(isinstance(each, dict) and "role" in each for each in value):
        return {"messages": [_plain(each) for each in value]}
    if not isinstance(value, dict):
        return None
    body = {key: each for key, each in value.items() if key in _CONTENT_MEMBERS and each is not None}
    if isinstance(body.get("messages"), list):
        body["messages"] = [_plain(each) for each in body["messages"]]
    return body if endpoints.of_request(body) else None


def _reply(value: Any, path: str) -> dict[str, Any] | None:
    """The reply as a body of its endpoint, with only the conversation in it."""
    if path == endpoints.CHAT:
        return _chat(value)
    if path == endpoints.MESSAGES:
        return _message(value)
    if path == endpoints.RESPONSES:
        items = value.get("output") if isinstance(value, dict) else value
        if isinstance(value, dict) and value.get("object", "response") != "response":  # a compaction, for example
            return None
        return {"object": "response", "output": [_plain(each) for each in items]} if isinstance(items, list) else None
    return {key: each for key, each in value.items() if each is not None} if isinstance(value, dict) else None


def _chat(value: Any) -> dict[str, Any] | None:
    if isinstance(value, str):
        value = {"role": "assistant", "content": value}
    if isinstance(value, dict) and isinstance(value.get("choices"), list):
        return {"choices": [_choice(each) for each in value["choices"]]}
    if isinstance(value, dict) and ("content" in value or "tool_calls" in value):
        return {"choices": [{"index": 0, "message": {"role": "assistant"} | _plain(value)}]}
    return None


def _choice(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    kept = {key: each for key, each in value.items() if key in ("index", "finish_reason") and each is not None}
    message = value.get("message")
    return {**kept, "message": _plain(message)} if isinstance(message, dict) else kept


def _message(value: Any) -> dict[str, Any] | None:
    if isinstance(value, str):
        value = {"content": value}
    if not isinstance(value, dict) or "content" not in value:
        return None
    content = value["content"]
    blocks: list[Any] = [{"type": "text", "text": content}] if isinstance(content, str) and content else []
    if isinstance(content, list):
        blocks = [_plain(each) for each in content]
    calls = value.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():  # LangSmith writes calls in the form of Chat Completions
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(function, Mapping):
            asked = value_of(function.get("arguments"))
            blocks.append({"type": "tool_use", "id": call.get("id"), "name": function.get("name"), "input": asked})
    body: dict[str, Any] = {"type": "message", "role": "assistant", "content": blocks}
    if value.get("stop_reason") is not None:
        body["stop_reason"] = value["stop_reason"]
    return body


def _plain(value: Any) -> Any:
    """A message, item or block without members that are null or that SDKs add."""
    if not isinstance(value, dict):
        return value
    plain = {key: each for key, each in value.items() if each is not None and key not in _ADDED}
    calls = plain.get("tool_calls")
    if isinstance(calls, list):
        plain["tool_calls"] = [
            {key: each for key, each in call.items() if key != "index"} if isinstance(call, dict) else call
            for call in calls
        ]
    if isinstance(plain.get("content"), list):
        plain["content"] = [_plain(each) for each in plain["content"]]
    return plain
