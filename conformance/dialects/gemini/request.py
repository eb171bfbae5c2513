"""Gemini requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.dialects.gemini.claims import method_of
from conformance.dialects.gemini.content import read_parts, served
from conformance.dialects.gemini.schema import to_json_schema
from conformance.dialects.gemini.wire import at, contents, each, get, parts
from conformance.dialects.wire_readers import role_of, tool_of
from conformance.model.exchange import Request
from conformance.model.pointer import MISSING
from conformance.model.transcript import Ask, Choice, Part, Role, Text, ToolDefinition, ToolResult, Turn

MODES = ("MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED")
"""In the order of their numbers, which the integer encoding sends in place of the names."""
_ROLES: dict[str, Role] = {"user": "user", "function": "user", "model": "assistant"}


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request; the URL has the model, and whether to stream."""
    named, tools = method_of(request), read_tools(body)
    return Ask(
        model=named[0] if named else None,
        tools=tools,
        choice=read_choice(body, tools or ()),
        history=(*_system(body), *_turns(contents(body))),
        stream=named is not None and named[1] == "streamGenerateContent",
        json_reply=get(get(body, "generationConfig"), "responseMimeType") == "application/json",
        stored=isinstance(body, dict) and not body.keys().isdisjoint({"cachedContent", "cached_content"}),
    )


_TOOLSETS = ("computerUse", "computer_use")
"""What the client runs by functions that the request does not declare."""


def read_tools(body: Any) -> tuple[ToolDefinition, ...] | None:
    """The declared tools; None if the request has no such field."""
    if not isinstance(get(body, "tools"), (list, dict)):
        return None
    return tuple(definition for tool, pointer in each(body, "tools", "") for definition in _tool(tool, pointer))


def _tool(tool: Any, pointer: str) -> Iterator[ToolDefinition]:
    """The functions of one tool, and its built-in tools by their names."""
    if not isinstance(tool, dict):
        yield ToolDefinition(None, pointer=pointer)
        return
    for declaration, where in each(tool, "functionDeclarations", pointer):
        yield _declaration(declaration, where)
    for name in tool:
        if name not in ("functionDeclarations", "function_declarations"):
            kind = "toolset" if name in _TOOLSETS else "server"
            yield ToolDefinition(name, kind=kind, pointer=at(tool, name, pointer))


def _declaration(declaration: Any, pointer: str) -> ToolDefinition:
    if not isinstance(declaration, dict):
        return ToolDefinition(None, pointer=pointer)
    plain, own = get(declaration, "parametersJsonSchema"), get(declaration, "parameters")
    parameters = plain if plain is not MISSING else to_json_schema(own)
    schema = None if parameters is MISSING else parameters
    return tool_of({**declaration, "parameters": schema}, pointer, strict=False)


def mode_of(config: Any) -> str | None:
    """The calling mode by its upper-case name, whatever its encoding; None if it names none."""
    mode = get(config, "mode")
    if isinstance(mode, int) and not isinstance(mode, bool) and 0 <= mode < len(MODES):
        return MODES[mode]
    return mode.upper() if isinstance(mode, str) else None


def read_choice(body: Any, tools: Iterable[ToolDefinition]) -> Choice | None:
    """`functionCallingConfig`, neutral; None if it is absent, names no known mode, or wants a call without a tool."""
    tool_config = get(body, "toolConfig")
    config = get(tool_config, "functionCallingConfig")
    pointer = at(tool_config, "functionCallingConfig", at(body, "toolConfig", ""))
    allowed = get(config, "allowedFunctionNames")
    names = tuple(name for name in allowed if isinstance(name, str)) if isinstance(allowed, list) else ()
    match mode_of(config):
        case "ANY" if names or any(tool.kind != "server" for tool in tools):
            return Choice("named" if names else "required", names, pointer, constrained=True)
        case "NONE":
            return Choice("none", pointer=pointer)
        case "AUTO" | "VALIDATED" as mode:
            return Choice("auto", names, pointer, constrained=mode == "VALIDATED")
    return None


def _system(body: Any) -> Iterator[Turn]:
    instruction, pointer = get(body, "systemInstruction"), at(body, "systemInstruction", "")
    if isinstance(instruction, str):
        yield Turn("system", (Text(instruction, pointer),), pointer)
    elif isinstance(instruction, dict):
        found = tuple(read_parts(instruction, pointer)) if any(True for _ in parts(instruction, pointer)) else ()
        yield Turn("system", found, pointer)


def turns_from(body: dict[str, Any], start: int) -> tuple[Turn, ...]:
    """The turns from a content on that begins one."""
    numbered = enumerate(body["contents"][start:], start)
    return tuple(_turns((each, f"/contents/{number}") for number, each in numbered if isinstance(each, dict)))


def _turns(contents: Iterable[tuple[dict[str, Any], str]]) -> Iterator[Turn]:
    """The contents as turns; consecutive contents of one role are one turn, as the server merges them.

    A turn with a tool result is a tool turn.
    """
    role: Role | None = None
    gathered: list[Part] = []
    start = ""
    for content, pointer in contents:
        now = role_of({"role": "user", **content}, _ROLES)
        if role is not None and now != role:
            yield _turn(role, gathered, start)
            gathered = []
        if role is None or now != role:
            role, start = now, pointer
        gathered.extend(read_parts(content, pointer))
    if role is not None:
        yield _turn(role, gathered, start)


def _turn(role: Role, gathered: list[Part], pointer: str) -> Turn:
    if role == "user" and any(isinstance(part, ToolResult) for part in gathered):
        role = "tool"
    return Turn(role, served(gathered) if role == "assistant" else tuple(gathered), pointer)
