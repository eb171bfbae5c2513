"""Requests: wire to neutral."""

from __future__ import annotations

from typing import Any

from conformance.dialects.ollama_chat.message import parts_of
from conformance.dialects.wire_readers import ROLES, tool_of, tools_of, turns_of
from conformance.model.transcript import Ask, Role, ToolResult, Turn
from conformance.model.values import get, text_of


def read_request(body: Any) -> Ask:
    """The neutral request; empty if the body is not an object."""
    if not isinstance(body, dict):
        return Ask()
    return Ask(
        model=text_of(body.get("model")),
        tools=tools_of(body.get("tools"), lambda tool, at: tool_of(get(tool, "function"), at, strict=False)),
        history=turns_from(body),
        stream=streams(body),
        json_reply=bool(body.get("format")),
    )


def streams(body: Any) -> bool:
    """Whether a request asks for a stream. It does unless it forbids one, or has no message: that loads a model."""
    return isinstance(body, dict) and body.get("stream") is not False and bool(body.get("messages"))


def turns_from(body: Any, start: int = 0) -> tuple[Turn, ...]:
    """The turns from a message on that begins one."""
    return tuple(turns_of(body, start, parts_of, _result, _role))


def _role(message: dict[str, Any]) -> Role:
    """The role, which the server reads in any case."""
    return ROLES.get((text_of(message.get("role")) or "").lower(), "unknown")


def _result(message: dict[str, Any], pointer: str) -> ToolResult:
    return ToolResult(
        text_of(message.get("tool_call_id")) or None,
        text_of(message.get("tool_name")) or None,
        message.get("content"),
        pointer=pointer,
    )
