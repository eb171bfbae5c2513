"""Requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.message_turns import turns_of
from conformance.dialects.ollama_chat.message import parts_of
from conformance.model.transcript import Ask, Role, ToolDefinition, ToolResult, Turn
from conformance.model.values import list_of, text_of

_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}


def read_request(body: Any) -> Ask:
    """The neutral request; empty if the body is not an object."""
    if not isinstance(body, dict):
        return Ask()
    tools = body.get("tools")
    return Ask(
        model=text_of(body.get("model")),
        tools=tuple(_tool(each, f"/tools/{n}") for n, each in enumerate(tools)) if isinstance(tools, list) else None,
        history=tuple(_turns(list_of(body.get("messages")))),
        stream=streams(body),
        json_reply=bool(body.get("format")),
    )


def streams(body: Any) -> bool:
    """Whether a request asks for a stream. It does unless it forbids one, or has no message: that loads a model."""
    return isinstance(body, dict) and body.get("stream") is not False and bool(body.get("messages"))


def turns_from(body: dict[str, Any], start: int) -> tuple[Turn, ...]:
    """The turns from a message on that begins one."""
    return tuple(_turns(body["messages"][start:], start))


def _tool(tool: Any, pointer: str) -> ToolDefinition:
    function = tool.get("function") if isinstance(tool, dict) else None
    given = function if isinstance(function, dict) else {}
    return ToolDefinition(
        text_of(given.get("name")), text_of(given.get("description")), given.get("parameters"), pointer=pointer
    )


def _role(message: Any) -> Role:
    """The role, which the server reads in any case."""
    role = message.get("role") if isinstance(message, dict) else None
    return _ROLES.get(role.lower(), "unknown") if isinstance(role, str) else "unknown"


def _turns(messages: list[Any], start: int = 0) -> Iterator[Turn]:
    return turns_of(messages, start, _role, parts_of, _result)


def _result(message: dict[str, Any], pointer: str) -> ToolResult:
    return ToolResult(
        text_of(message.get("tool_call_id")) or None,
        text_of(message.get("tool_name")) or None,
        message.get("content"),
        pointer=pointer,
    )
