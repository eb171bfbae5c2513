"""Messages requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.anthropic_messages.block import read_content
from conformance.dialects.anthropic_messages.claims import asks_for_stream, model_in_path
from conformance.model.exchange import Request
from conformance.model.pointer import join
from conformance.model.transcript import Ask, Choice, Role, ToolDefinition, Turn, merged
from conformance.model.values import text_of

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
_RUN_BY_CLIENT = ("bash_", "text_editor_", "memory_", "computer_", "browser_")
"""Tools whose schema is the provider's, but which the client runs."""


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request; empty if the body is not an object."""
    stream = asks_for_stream(request, body)
    if not isinstance(body, dict):
        return Ask(stream=stream)
    wire_choice = body.get("tool_choice")
    serial = wire_choice.get("disable_parallel_tool_use") if isinstance(wire_choice, dict) else None
    return Ask(
        model=text_of(body.get("model")) or model_in_path(request),
        tools=read_tools(body.get("tools")),
        choice=read_choice(wire_choice),
        parallel=not serial if isinstance(serial, bool) else None,
        history=tuple(merged(_turns(body))),
        stream=stream,
        json_reply=_wants_json(body),
    )


def _wants_json(body: dict[str, Any]) -> bool:
    config = body.get("output_config")
    return isinstance(body.get("output_format"), dict) or (
        isinstance(config, dict) and config.get("format") is not None
    )


def read_tools(tools: Any) -> tuple[ToolDefinition, ...] | None:
    """The declared tools; None if the request has no such field."""
    if not isinstance(tools, list):
        return None
    return tuple(_tool(tool, join("/tools", number)) for number, tool in enumerate(tools))


def _tool(tool: Any, pointer: str) -> ToolDefinition:
    if not isinstance(tool, dict):
        return ToolDefinition(None, pointer=pointer)
    return ToolDefinition(
        name=text_of(tool.get("name")),
        description=text_of(tool.get("description")),
        parameters=tool.get("input_schema"),
        strict=tool.get("strict") is True,
        kind=kind_of_tool(tool),
        pointer=pointer,
    )


def kind_of_tool(tool: dict[str, Any]) -> str:
    """`function` for tools that the client runs, `toolset` for a set of them, `server` for all others."""
    kind = tool.get("type")
    if kind in (None, "custom") or not isinstance(kind, str):
        return "function"
    if not kind.startswith(_RUN_BY_CLIENT):
        return "server"
    return "toolset" if "_toolset_" in kind else "function"


def read_choice(choice: Any) -> Choice | None:
    """`tool_choice` in its documented forms; None if it is absent or unknown."""
    at = "/tool_choice"
    kind = choice.get("type") if isinstance(choice, dict) else None
    if kind == "auto":
        return Choice("auto", pointer=at)
    if kind == "none":
        return Choice("none", pointer=at)
    if kind == "any":
        return Choice("required", pointer=at)
    name = text_of(choice.get("name")) if kind == "tool" else None
    return Choice("named", (name,), at) if name else None


def turns_from(body: dict[str, Any], start: int) -> tuple[Turn, ...]:
    """The turns from a message on that begins one."""
    return tuple(merged(_messages(body["messages"][start:], start)))


def _turns(body: dict[str, Any]) -> Iterator[Turn]:
    """One turn for each message, after the system prompt."""
    if body.get("system") is not None:
        yield Turn("system", tuple(read_content(body["system"], "/system")), "/system")
    messages = body.get("messages")
    yield from _messages(messages if isinstance(messages, list) else [])


def _messages(messages: list[Any], start: int = 0) -> Iterator[Turn]:
    """One turn for each message; `start` is the number of the first."""
    for number, message in enumerate(messages, start):
        if not isinstance(message, dict):
            continue
        pointer = join("/messages", number)
        role = _ROLES.get(text_of(message.get("role")) or "", "unknown")
        yield Turn(role, tuple(read_content(message.get("content"), join(pointer, "content"))), pointer)
