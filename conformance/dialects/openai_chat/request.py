"""Chat requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.dialects.chat_content import read_content
from conformance.dialects.openai_chat.message import read_parts
from conformance.dialects.wire_readers import ROLES, role_of, tool_of, tools_of, turns_of
from conformance.model.pointer import join
from conformance.model.transcript import Ask, Choice, Part, Role, ToolDefinition, ToolResult, Turn
from conformance.model.values import text_of

_ROLES: Mapping[str, Role] = {**ROLES, "developer": "system", "function": "tool"}


def read_request(body: Any, model: str | None, *, stream: bool) -> Ask:
    """The neutral request; empty if the body is not an object.

    `model` is the one in the path, if any; `stream` is whether body or path ask for a stream.
    """
    if not isinstance(body, dict):
        return Ask()
    parallel = body.get("parallel_tool_calls")
    return Ask(
        model=text_of(body.get("model")) or model,
        tools=_declared(body),
        choice=read_choice(body.get("tool_choice")) or _legacy_choice(body.get("function_call")),
        parallel=parallel if isinstance(parallel, bool) else None,
        history=turns_from(body),
        stream=stream,
        json_reply=_wants_json(body.get("response_format")),
    )


def _wants_json(response_format: Any) -> bool:
    return isinstance(response_format, dict) and response_format.get("type") in ("json_object", "json_schema")


def _declared(body: dict[str, Any]) -> tuple[ToolDefinition, ...] | None:
    """The tools in their current and deprecated forms."""
    tools, functions = read_tools(body.get("tools")), read_tools(body.get("functions"), "/functions")
    return tools if functions is None else (*(tools or ()), *functions)


def _legacy_choice(choice: Any) -> Choice | None:
    at = "/function_call"
    if choice in ("auto", "none"):
        return Choice(choice, pointer=at)
    name = text_of(choice.get("name")) if isinstance(choice, dict) else None
    return Choice("named", (name,), at) if name else None


def read_tools(tools: Any, pointer: str = "/tools") -> tuple[ToolDefinition, ...] | None:
    """The declared tools; None if the request has no such field."""
    return tools_of(tools, _tool, pointer)


def _tool(tool: Any, pointer: str) -> ToolDefinition:
    if not isinstance(tool, dict):
        return ToolDefinition(None, pointer=pointer)
    kind = text_of(tool.get("type")) or "function"
    # Moonshot's own tools are of the type `builtin_function`, with a `function`.
    inner = next((each for each in (tool.get(kind), tool.get("function")) if isinstance(each, dict)), tool)
    return tool_of(inner, pointer, kind=kind)


def read_choice(choice: Any) -> Choice | None:
    """`tool_choice` in any of its documented forms; None where it is absent or unknown."""
    at = "/tool_choice"
    if choice in ("auto", "none", "required"):
        return Choice(choice, pointer=at)
    if not isinstance(choice, dict):
        return None
    kind = choice.get("type")
    if kind == "allowed_tools" and isinstance(choice.get("allowed_tools"), dict):
        allowed = choice["allowed_tools"]
        tools = read_tools(allowed.get("tools")) or ()
        names = tuple(tool.name for tool in tools if tool.name)
        return Choice("required" if allowed.get("mode") == "required" else "auto", names, at)
    if isinstance(kind, str) and isinstance(choice.get(kind), dict):
        name = text_of(choice[kind].get("name"))
        return Choice("named", (name,), at) if name else None
    return None


def turns_from(body: dict[str, Any], start: int = 0) -> tuple[Turn, ...]:
    """The turns from a message on that begins one; tool messages in a row answer one set of calls."""
    return tuple(turns_of(body, start, _parts, _result, _role))


def _role(message: dict[str, Any]) -> Role:
    return role_of(message, _ROLES)


def _parts(message: dict[str, Any], pointer: str) -> Iterator[Part]:
    if _role(message) == "assistant":
        return read_parts(message, pointer)
    return read_content(message.get("content"), join(pointer, "content"))


def _result(message: dict[str, Any], pointer: str) -> ToolResult:
    call_id, name = text_of(message.get("tool_call_id")), text_of(message.get("name"))
    return ToolResult(call_id, name, message.get("content"), pointer=pointer)
