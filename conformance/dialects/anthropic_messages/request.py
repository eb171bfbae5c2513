"""Messages requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from conformance.dialects.anthropic_messages.block import after_fallback, read_content
from conformance.dialects.anthropic_messages.claims import asks_for_stream, model_in_path
from conformance.dialects.wire_readers import speaker_of, tool_of, tools_of, turns_of
from conformance.model.exchange import Request
from conformance.model.pointer import join
from conformance.model.transcript import Ask, Choice, Part, ToolDefinition, Turn, merged
from conformance.model.values import get, list_of, objects_in, text_of

_MODES: Mapping[str, Literal["auto", "none", "required"]] = {"auto": "auto", "none": "none", "any": "required"}
_RUN_BY_CLIENT = ("bash_", "text_editor_", "memory_", "computer_", "browser_")
"""Tools whose schema is the provider's, but which the client runs."""


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request; empty if the body is not an object."""
    stream = asks_for_stream(request, body)
    if not isinstance(body, dict):
        return Ask(stream=stream)
    wire_choice = body.get("tool_choice")
    serial = get(wire_choice, "disable_parallel_tool_use")
    previous = text_of(get(body, "thread", "previous_message_id")) or None
    return Ask(
        model=text_of(body.get("model")) or model_in_path(request),
        tools=_all_tools(request, body),
        choice=read_choice(wire_choice),
        parallel=not serial if isinstance(serial, bool) else None,
        history=(*_system(body), *turns_from(body)),
        stream=stream,
        partial=previous is not None,
        continues=previous,
        continues_at="/thread/previous_message_id",
        json_reply=_wants_json(body),
    )


def _wants_json(body: dict[str, Any]) -> bool:
    return isinstance(body.get("output_format"), dict) or get(body, "output_config", "format") is not None


def _all_tools(request: Request, body: dict[str, Any]) -> tuple[ToolDefinition, ...] | None:
    """The declared tools, and those that a message adds with their definition."""
    declared = read_tools(body.get("tools"))
    text = request.body.text
    if text is not None and '"tool_addition"' not in text:
        return declared
    added = [
        _tool(definition, join(at, "content", number, "tool", "definition"))
        for message, at in objects_in(body, "messages")
        for number, block in enumerate(list_of(message.get("content")))
        if get(block, "type") == "tool_addition" and (definition := get(block, "tool", "definition")) is not None
    ]
    return (*(declared or ()), *added) if added else declared


def read_tools(tools: Any) -> tuple[ToolDefinition, ...] | None:
    """The declared tools; None if the request has no such field."""
    return tools_of(tools, _tool)


def _tool(tool: Any, pointer: str) -> ToolDefinition:
    kind = kind_of_tool(tool) if isinstance(tool, dict) else "function"
    return tool_of(tool, pointer, schema="input_schema", kind=kind)


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
    kind = text_of(get(choice, "type")) or ""
    if kind in _MODES:
        return Choice(_MODES[kind], pointer=at)
    name = text_of(choice.get("name")) if kind == "tool" else None
    return Choice("named", (name,), at) if name else None


def turns_from(body: Any, start: int = 0) -> tuple[Turn, ...]:
    """The turns from a message on that begins one."""
    return tuple(merged(turns_of(body, start, _parts, role=speaker_of)))


def _parts(message: dict[str, Any], pointer: str) -> Iterator[Part]:
    return iter(after_fallback(read_content(message.get("content"), join(pointer, "content"))))


def _system(body: dict[str, Any]) -> Iterator[Turn]:
    if body.get("system") is not None:
        yield Turn("system", tuple(read_content(body["system"], "/system")), "/system")
