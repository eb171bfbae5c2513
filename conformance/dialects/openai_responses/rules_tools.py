"""Tools and tool choice in Responses requests, docs/contract/openai-responses.md, OAR-Q: flat, where Chat nests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_responses.items import list_of, type_of
from conformance.dialects.openai_responses.shape import TOOL, misfits
from conformance.dialects.openai_responses.strict import strict_gaps
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join

_CALL = "openai-responses/call"
_TOOL = "/0/request/body/tools/0"
_CHOICE = "/0/request/body/tool_choice"
_SPEC = "openai/openai-openapi openapi.json#/components/schemas"
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}\Z")


@rule(
    "responses-tool-fields-misplaced",
    scope="request",
    basis="schema",
    cites=[f"OAR-Q-001 {_SPEC}/FunctionToolParam"],
    violating=[
        example(
            _CALL,
            put(_TOOL, {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}),
            at="0 request /tools/0/function",
        )
    ],
)
def tool_fields_misplaced(view: View) -> Iterator[Hit]:
    """A function tool must have its name and parameters at the top level, not under `function`.

    The server refuses Chat's nested form, or, with a top-level name, reads a tool without parameters and description.
    """
    for tool, at in _functions(view):
        if isinstance(tool.get("function"), dict):
            yield Hit(join(at, "function"), "the tool is nested as in Chat", "name and parameters beside type")


@rule(
    "responses-tool-malformed",
    scope="request",
    basis="schema",
    cites=[f"OAR-Q-001 {_SPEC}/FunctionToolParam"],
    conforming=[
        example(_CALL),
        example(_CALL, put(f"{_TOOL}/parameters", None), put(f"{_TOOL}/strict", False)),
        example(_CALL, put("/0/request/body/tools/0", {"type": "web_search"})),
    ],
    violating=[
        example(_CALL, drop(f"{_TOOL}/name")),
        example(_CALL, put(f"{_TOOL}/parameters", '{"type":"object"}')),
        example(_CALL, drop(f"{_TOOL}/type")),
        example(_CALL, put(f"{_TOOL}/type", "tool")),
    ],
)
def tool_malformed(view: View) -> Iterator[Hit]:
    """Every tool must have a type, and a function tool a name and a schema object.

    The server refuses the request with a 400 that names the tool.
    """
    for number, tool in enumerate(list_of(view.request.get("tools")) if isinstance(view.request, dict) else ()):
        at = join("/tools", number)
        if not isinstance(tool, dict) or not isinstance(tool.get("type"), str):
            yield Hit(at, "the tool has no type", "an object with a type", brief(tool))
        elif isinstance(tool.get("parameters"), dict) and tool["type"] not in ("function", "tool_search"):
            yield Hit(join(at, "type"), "a tool of this type has no parameters", "function", tool["type"])
    for tool, at in _functions(view):
        if isinstance(tool.get("function"), dict):
            continue  # that is the nested form, and another rule's business
        # The contract requires `parameters`; the server takes a tool without them as one without arguments.
        loose = {**tool, "parameters": tool.get("parameters")}
        yield from misfits(loose, TOOL, at, "the tool")


@rule(
    "responses-tool-name-invalid",
    scope="request",
    basis="documented",
    cites=[f"OAR-Q-002 {_SPEC}/FunctionToolParam", f"MAP-001 {_SPEC}/FunctionToolParam"],
    violating=[example(_CALL, put(f"{_TOOL}/name", "weather.get")), example(_CALL, put(f"{_TOOL}/name", ""))],
)
def tool_name_invalid(view: View) -> Iterator[Hit]:
    """A tool's name must be 1 to 128 letters, digits, underscores and hyphens.

    Names from MCP servers can contain dots and slashes, and the server refuses the whole request.
    """
    for tool, at in _functions(view):
        name = tool.get("name")
        if isinstance(name, str) and not _NAME.match(name):
            yield Hit(join(at, "name"), "the name has a character or a length that is not allowed", _NAME.pattern, name)


@rule(
    "responses-strict-schema-incomplete",
    scope="request",
    basis="observed",
    cites=["OAR-Q-003 recorded traffic 90/90", "MAP-006 recorded traffic 90/90"],
    conforming=[
        example(_CALL),
        example(_CALL, put(f"{_TOOL}/strict", False), drop(f"{_TOOL}/parameters/additionalProperties")),
    ],
    violating=[
        example(_CALL, drop(f"{_TOOL}/parameters/additionalProperties")),
        example(_CALL, put(f"{_TOOL}/parameters/required", ["latitude"]), at="0 request /tools/0/parameters"),
    ],
)
def strict_schema_incomplete(view: View) -> Iterator[Hit]:
    """The schema of a strict tool must close every object and require every property.

    The server refuses the request with a 400, code `invalid_function_parameters`.
    """
    for tool, at in _functions(view):
        if tool.get("strict") is True:
            for pointer, gap in strict_gaps(tool.get("parameters"), join(at, "parameters")):
                yield Hit(pointer, f"strict, but {gap}", "additionalProperties false, and all properties required", gap)


@rule(
    "responses-strict-missing",
    severity=Severity.INFO,
    scope="request",
    basis="documented",
    cites=[f"OAR-Q-004 {_SPEC}/FunctionToolParam"],
    conforming=[example(_CALL), example(_CALL, put(f"{_TOOL}/strict", False))],
    violating=[example(_CALL, drop(f"{_TOOL}/strict"))],
)
def strict_missing(view: View) -> Iterator[Hit]:
    """A function tool should have `strict`.

    Without it strict mode is off in Chat, but here the server tries it and rewrites the schema where it can.
    """
    for tool, at in _functions(view):
        if tool.get("type") == "function" and "strict" not in tool and "function" not in tool:
            yield Hit(at, "`strict` is missing, so the server tries strict mode", "strict true or false", "nothing")


@rule(
    "responses-tool-choice-invalid",
    scope="request",
    basis="schema",
    cites=[f"OAR-Q-005 {_SPEC}/ToolChoiceFunction", "LCB-Q-003 requests of langchain-openai 1.7.3"],
    conforming=[
        example(_CALL, put(_CHOICE, {"type": "function", "name": "get_weather"})),
        example(_CALL, put(_CHOICE, "required")),
    ],
    violating=[
        example(_CALL, put(_CHOICE, {"type": "function", "function": {"name": "get_weather"}})),
        example(_CALL, put(_CHOICE, "any")),
        example(_CALL, put(_CHOICE, {"name": "get_weather"})),
    ],
)
def tool_choice_invalid(view: View) -> Iterator[Hit]:
    """`tool_choice` must be none, auto, required, or a flat object with a type and the tool's name.

    Chat's nested object lacks the name where the server expects it, and gets a 400.
    """
    choice = view.request.get("tool_choice") if isinstance(view.request, dict) else None
    wanted = '"none", "auto", "required" or {type, name}'
    if isinstance(choice, str):
        if choice not in ("none", "auto", "required"):
            yield Hit("/tool_choice", "no such tool choice", wanted, choice)
    elif isinstance(choice, dict):
        named = choice.get("type") in ("function", "custom")
        if not isinstance(choice.get("type"), str) or (named and not isinstance(choice.get("name"), str)):
            yield Hit("/tool_choice", "the tool choice is nested, but must be flat", wanted, brief(choice))
        elif choice["type"] == "allowed_tools" and not isinstance(choice.get("tools"), list):
            yield Hit("/tool_choice", "allowed_tools lists no tools", "mode and tools", brief(choice))


@rule(
    "responses-tool-choice-undeclared",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"OAR-Q-005 {_SPEC}/ToolChoiceFunction"],
    conforming=[example(_CALL, put(_CHOICE, {"type": "function", "name": "get_weather"}))],
    violating=[example(_CALL, put(_CHOICE, {"type": "function", "name": "get_time"}))],
)
def tool_choice_undeclared(view: View) -> Iterator[Hit]:
    """A tool in the tool choice must be declared in the same request.

    The server refuses a choice of a tool that the model does not know.
    """
    choice, tools = view.ask.choice, view.ask.tools
    if choice is None or (tools is None and not view.complete):
        return
    declared = [tool.name for tool in tools or ()]
    for name in choice.names:
        if name not in declared:
            yield Hit(
                choice.pointer, f"the tool choice names {name}, which is not declared", f"one of {declared}", name
            )


def _functions(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The function and custom tools of the request, also those that a namespace or an item holds."""
    if isinstance(view.request, dict):
        yield from _in(view.request.get("tools"), "/tools")
        for number, item in enumerate(list_of(view.request.get("input"))):
            if type_of(item) == "additional_tools":
                yield from _in(item.get("tools"), join("/input", number, "tools"))


def _in(tools: Any, pointer: str) -> Iterator[tuple[dict[str, Any], str]]:
    for number, tool in enumerate(list_of(tools)):
        at = join(pointer, number)
        if kind(tool) == "object" and tool.get("type") == "namespace":
            yield from _in(tool.get("tools"), join(at, "tools"))
        elif kind(tool) == "object" and tool.get("type") in ("function", "custom"):
            yield tool, at
