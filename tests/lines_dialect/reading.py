"""Requests and plain replies: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from conformance.model.pointer import join
from conformance.model.transcript import (
    Ask,
    Part,
    Reasoning,
    Role,
    Stop,
    Text,
    ToolCall,
    ToolDefinition,
    ToolResult,
    Turn,
    Unknown,
)

_ROLES: dict[Any, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_STOPS: dict[Any, Stop] = {"stop": "end", "length": "length"}


def read_ask(body: Any) -> Ask:
    """The neutral request. A request streams unless it says `"stream": false`."""
    if not isinstance(body, dict):
        return Ask()
    return Ask(
        model=text_of(body.get("model")),
        tools=tuple(_tools(body["tools"])) if isinstance(body.get("tools"), list) else None,
        history=tuple(_history(body.get("messages"))),
        stream=body.get("stream") is not False,
    )


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn of a reply."""
    if not isinstance(body, dict) or not isinstance(body.get("message"), dict):
        return ()
    parts = tuple(parts_of(body["message"], "/message"))
    return (made_turn(parts, "/message", body.get("done_reason"), "/done_reason"),)


def made_turn(parts: tuple[Part, ...], pointer: str, reason: Any, reason_at: str) -> Turn:
    """A turn of the model. A turn with calls has the reason of any other: `stop`."""
    stop: Stop | None = None
    if reason is not None:
        stop = _STOPS.get(reason, "other") if isinstance(reason, str) else "other"
    if stop == "end" and any(isinstance(part, ToolCall) for part in parts):
        stop = "tool-calls"
    return Turn("assistant", parts, pointer, stop, reason, reason_at)


def parts_of(message: dict[str, Any], pointer: str) -> Iterator[Part]:
    """What a message of the model, the user or the system says. Arguments are an object on the wire, not text."""
    if message.get("thinking"):
        yield Reasoning(text_of(message["thinking"]), pointer=join(pointer, "thinking"))
    content = message.get("content")
    if isinstance(content, str) and content:
        yield Text(content, join(pointer, "content"))
    elif content:
        yield Unknown(None, content, join(pointer, "content"))
    for number, image in enumerate(_items(message.get("images"))):
        yield Unknown("image", image, join(pointer, "images", number))
    for number, call in enumerate(_items(message.get("tool_calls"))):
        at = join(pointer, "tool_calls", number)
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield ToolCall(text_of(call.get("id")), text_of(function.get("name")), function.get("arguments"), at)
        else:
            yield Unknown("tool_call", call, at)


def text_of(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _tools(tools: list[Any]) -> Iterator[ToolDefinition]:
    for number, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, dict) else None
        if isinstance(function, dict):
            yield ToolDefinition(
                text_of(function.get("name")),
                text_of(function.get("description")),
                function.get("parameters"),
                pointer=f"/tools/{number}",
            )


def _history(messages: Any) -> Iterator[Turn]:
    """The messages as turns; the results that answer one turn are one turn together."""
    numbered = [(number, each) for number, each in enumerate(_items(messages)) if isinstance(each, dict)]
    for is_result, group in groupby(numbered, key=lambda each: each[1].get("role") == "tool"):
        members = list(group)
        if is_result:
            results = tuple(
                ToolResult(
                    text_of(message.get("tool_call_id")),
                    text_of(message.get("tool_name")),
                    message.get("content"),
                    pointer=f"/messages/{number}",
                )
                for number, message in members
            )
            yield Turn("tool", results, f"/messages/{members[0][0]}")
            continue
        for number, message in members:
            role = message.get("role")
            pointer = f"/messages/{number}"
            neutral = _ROLES.get(role, "unknown") if isinstance(role, str) else "unknown"
            yield Turn(neutral, tuple(parts_of(message, pointer)), pointer)
