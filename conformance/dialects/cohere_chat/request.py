"""Requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.cohere_chat.message import parts_of
from conformance.dialects.message_turns import turns_of
from conformance.model.transcript import Ask, Choice, Role, ToolDefinition, ToolResult, Turn
from conformance.model.values import get, list_of, text_of

_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_CHOICES = {"REQUIRED": Choice("required"), "NONE": Choice("none")}


def read_request(body: Any) -> Ask:
    """The neutral request; empty if the body is not an object."""
    if not isinstance(body, dict):
        return Ask()
    tools, strict = body.get("tools"), body.get("strict_tools") is True
    defined = (_tool(each, strict, f"/tools/{number}") for number, each in enumerate(list_of(tools)))
    return Ask(
        model=text_of(body.get("model")),
        tools=tuple(defined) if isinstance(tools, list) else None,
        choice=_CHOICES.get(text_of(body.get("tool_choice")) or ""),
        history=tuple(_turns(list_of(body.get("messages")))),
        stream=body.get("stream") is True,
        json_reply=get(body, "response_format", "type") == "json_object",
    )


def turns_from(body: dict[str, Any], start: int) -> tuple[Turn, ...]:
    """The turns from a message on that begins one."""
    return tuple(_turns(body["messages"][start:], start))


def _tool(tool: Any, strict: bool, pointer: str) -> ToolDefinition:  # noqa: FBT001 - one mark for all tools
    given = get(tool, "function")
    name, about, parameters = (get(given, key) for key in ("name", "description", "parameters"))
    return ToolDefinition(text_of(name), text_of(about), parameters, strict, pointer=pointer)


def _role(message: dict[str, Any]) -> Role:
    return _ROLES.get(text_of(message.get("role")) or "", "unknown")


def _turns(messages: list[Any], start: int = 0) -> Iterator[Turn]:
    return turns_of(messages, start, _role, parts_of, _result)


def _result(message: dict[str, Any], pointer: str) -> ToolResult:
    """A result: a text, or a list of texts and documents; of one alone what it has."""
    content = message.get("content")
    only = content[0] if isinstance(content, list) and len(content) == 1 else None
    found = [each for each in (get(only, "text"), get(only, "document", "data")) if each is not None]
    return ToolResult(text_of(message.get("tool_call_id")), None, found[0] if found else content, pointer=pointer)
