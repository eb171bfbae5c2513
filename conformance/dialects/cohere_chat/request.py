"""Requests: wire to neutral."""

from __future__ import annotations

from typing import Any

from conformance.dialects.cohere_chat.message import parts_of
from conformance.dialects.wire_readers import tool_of, tools_of, turns_of
from conformance.model.transcript import Ask, Choice, ToolResult, Turn
from conformance.model.values import get, text_of

_CHOICES = {"REQUIRED": Choice("required"), "NONE": Choice("none")}


def read_request(body: Any) -> Ask:
    """The neutral request; empty if the body is not an object."""
    if not isinstance(body, dict):
        return Ask()
    strict = body.get("strict_tools") is True
    return Ask(
        model=text_of(body.get("model")),
        tools=tools_of(body.get("tools"), lambda tool, at: tool_of(get(tool, "function"), at, strict=strict)),
        choice=_CHOICES.get(text_of(body.get("tool_choice")) or ""),
        history=turns_from(body),
        stream=body.get("stream") is True,
        json_reply=get(body, "response_format", "type") == "json_object",
    )


def turns_from(body: Any, start: int = 0) -> tuple[Turn, ...]:
    """The turns from a message on that begins one."""
    return tuple(turns_of(body, start, parts_of, _result))


def _result(message: dict[str, Any], pointer: str) -> ToolResult:
    """A result: a text, or a list of texts and documents; of one alone what it has."""
    content = message.get("content")
    only = content[0] if isinstance(content, list) and len(content) == 1 else None
    found = [each for each in (get(only, "text"), get(only, "document", "data")) if each is not None]
    return ToolResult(text_of(message.get("tool_call_id")), None, found[0] if found else content, pointer=pointer)
