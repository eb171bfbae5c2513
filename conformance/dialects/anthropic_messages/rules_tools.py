"""The tools that a Messages request declares, and how free the model is to call them, WIRE section 3.i, ANT-Q."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.anthropic_messages.request import kind_of_tool
from conformance.dialects.anthropic_messages.shape import misshapen
from conformance.example import drop, example, put
from conformance.finding import Hit, Severity
from conformance.jsontext import brief, kind
from conformance.pointer import MISSING, join
from conformance.rule import rule
from conformance.view import View

_HERE = ("anthropic-messages",)
_CALL = "anthropic-messages/call"
_TOOL, _CHOICE = "/0/request/body/tools/0", "/0/request/body/tool_choice"
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_TOOL_FIELDS = {
    "name": "string",
    "input_schema": "object",
    "description": "?string|null",
    "strict": "?boolean|null",
    "defer_loading": "?boolean|null",
    "input_examples": "?array|null",
    "cache_control": "?object|null",
}
_CHOICES = {
    "auto": {"disable_parallel_tool_use": "?boolean|null"},
    "any": {"disable_parallel_tool_use": "?boolean|null"},
    "tool": {"name": "string+", "disable_parallel_tool_use": "?boolean|null"},
    "none": {},
}


def _tools(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The tools that are objects, each with its pointer."""
    tools = view.request.get("tools") if isinstance(view.request, dict) else None
    for number, tool in enumerate(tools if isinstance(tools, list) else ()):
        if isinstance(tool, dict):
            yield tool, join("/tools", number)


def _own_tools(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The tools that the client defines itself, each with its pointer."""
    return ((tool, at) for tool, at in _tools(view) if tool.get("type") in (None, "custom", "function"))


@rule(
    "messages-tool-definition-broken",
    severity=Severity.ERROR,
    scope="request",
    basis="sdk-type",
    dialects=_HERE,
    cites=["ANT-Q-004 anthropic 2.11 types/tool_param.py"],
    conforming=[example(_CALL), example("anthropic-messages/pause-run")],
    violating=[
        example(_CALL, drop(f"{_TOOL}/input_schema"), put(f"{_TOOL}/parameters", {}), at="0 request /tools/0"),
        example(_CALL, drop(f"{_TOOL}/input_schema/type"), at="0 request /tools/0/input_schema"),
        example(_CALL, put(f"{_TOOL}/input_schema/type", "array"), at="0 request /tools/0/input_schema/type"),
        example(_CALL, put(f"{_TOOL}/type", "function"), at="0 request /tools/0/type"),
        example(_CALL, put(_TOOL, "get_weather"), at="0 request /tools/0"),
    ],
)
def tool_definition_broken(view: View) -> Iterator[Hit]:
    """Every tool of the client's own has a name and an `input_schema` whose root is an object.

    The server refuses the request. Tools that keep the shape of another dialect (`parameters`, `function`) do that.
    """
    tools = view.request.get("tools") if isinstance(view.request, dict) else None
    for number, tool in enumerate(tools if isinstance(tools, list) else ()):
        if not isinstance(tool, dict):
            yield Hit(join("/tools", number), "the tool is no object", "an object", kind(tool))
    for tool, at in _own_tools(view):
        if tool.get("type") == "function":
            yield Hit(join(at, "type"), "a tool of the client is custom, or has no type", "custom", "function")
            continue
        yield from misshapen(tool, _TOOL_FIELDS, at)
        schema = tool.get("input_schema")
        if isinstance(schema, dict) and schema.get("type") != "object":
            root = schema.get("type", MISSING)
            where = join(at, "input_schema") if root is MISSING else join(at, "input_schema", "type")
            actual = "no type" if root is MISSING else brief(root)
            yield Hit(where, f"the schema of {tool.get('name')} is no object's", "type object", actual)


@rule(
    "messages-tool-name-illegal",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    dialects=_HERE,
    cites=["ANT-Q-005 home-assistant/core#147760", "ANT-Q-005 anthropics/claude-code#96152"],
    bugs=["home-assistant/core#147760"],
    conforming=[example(_CALL), example(_CALL, put(f"{_TOOL}/name", "Get-weather_2"))],
    violating=[
        example(_CALL, put(f"{_TOOL}/name", "weather.get"), at="0 request /tools/0/name"),
        example(_CALL, put(f"{_TOOL}/name", ""), at="0 request /tools/0/name"),
        example(
            "anthropic-messages/answer",
            put("/0/request/body/messages/1/content/1/name", "weather.get"),
            at="0 request /messages/1/content/1/name",
        ),
    ],
)
def tool_name_illegal(view: View) -> Iterator[Hit]:
    """The name of a tool is 1 to 128 letters, digits, underscores and hyphens.

    The server refuses the whole request because of one name; names that come from MCP servers may hold dots.
    """
    names = [(tool.get("name"), at) for tool, at in _own_tools(view)]
    names += [(call.name, call.pointer) for turn in view.ask.history for call in turn.calls if call.name]
    for name, at in names:
        if isinstance(name, str) and not _NAME.fullmatch(name):
            yield Hit(join(at, "name"), "the name is not legal", f"a name that matches {_NAME.pattern}", brief(name))


@rule(
    "messages-tool-schema-union",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    dialects=_HERE,
    cites=["ANT-Q-006 anthropics/claude-code#5319", "ANT-Q-006 anomalyco/opencode#35516"],
    bugs=["anthropics/claude-code#5319", "anthropics/claude-code#40075"],
    conforming=[
        example(_CALL),
        example(_CALL, put(f"{_TOOL}/input_schema/properties/place", {"anyOf": [{"type": "string"}]})),
    ],
    violating=[
        example(
            _CALL,
            put(f"{_TOOL}/input_schema/anyOf", [{"required": ["latitude"]}]),
            at="0 request /tools/0/input_schema/anyOf",
        ),
    ],
)
def tool_schema_union(view: View) -> Iterator[Hit]:
    """The root of an `input_schema` has no oneOf, anyOf or allOf.

    The server refuses the whole request, also for a tool that is never called.
    """
    for tool, at in _own_tools(view):
        schema = tool.get("input_schema")
        for key in ("oneOf", "anyOf", "allOf"):
            if isinstance(schema, dict) and key in schema:
                yield Hit(join(at, "input_schema", key), f"{key} stands at the root of the schema", f"no {key} there")


@rule(
    "messages-tool-choice-broken",
    severity=Severity.ERROR,
    scope="request",
    basis="sdk-type",
    dialects=_HERE,
    cites=[
        "ANT-Q-008 anthropic 2.11 types/tool_choice_param.py",
        "ANT-Q-010 anthropic 2.11 types/tool_choice_any_param.py",
    ],
    conforming=[
        example("anthropic-messages/required"),
        example("anthropic-messages/named-serial"),
        example("anthropic-messages/none"),
    ],
    violating=[
        example(_CALL, put(_CHOICE, "auto"), at="0 request /tool_choice"),
        example(_CALL, put(_CHOICE, {"type": "required"}), at="0 request /tool_choice/type"),
        example(_CALL, put(_CHOICE, {"type": "tool"}), at="0 request /tool_choice"),
        example(_CALL, put(_CHOICE, {"type": "tool", "name": "get_time"}), at="0 request /tool_choice/name"),
        example(
            _CALL,
            put(_CHOICE, {"type": "auto", "disable_parallel_tool_use": "true"}),
            at="0 request /tool_choice/disable_parallel_tool_use",
        ),
    ],
)
def tool_choice_broken(view: View) -> Iterator[Hit]:
    """A tool choice is an object of type auto, any, tool or none; type tool names a declared tool.

    The server refuses the bare words and the nested objects of other dialects.
    """
    choice = view.request.get("tool_choice") if isinstance(view.request, dict) else None
    if choice is None:
        return
    at = "/tool_choice"
    if not isinstance(choice, dict):
        yield Hit(at, "the tool choice is no object", "an object with a type", brief(choice))
        return
    wire = choice.get("type")
    shape = _CHOICES.get(wire) if isinstance(wire, str) else None
    if shape is None:
        where = join(at, "type") if "type" in choice else at
        yield Hit(where, "the tool choice has no known type", "auto, any, tool or none", brief(wire))
        return
    yield from misshapen(choice, shape, at)
    tools, name = view.ask.tools, choice.get("name")
    declared = [tool.name for tool in tools or ()]
    if wire == "tool" and tools is not None and isinstance(name, str) and name and name not in declared:
        yield Hit(join(at, "name"), f"the choice names {name}, which is not declared", f"one of {declared}", name)
    if view.complete and not tools and wire != "none":
        yield Hit(at, "a tool choice without tools", "tools", "no tools", severity=Severity.WARNING)


@rule(
    "messages-forced-choice-with-thinking",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    dialects=_HERE,
    cites=["ANT-Q-009 langchain-ai/langchain#35544", "ANT-Q-009 can1357/oh-my-pi#341"],
    bugs=["langchain-ai/langchain#35544"],
    conforming=[
        example("anthropic-messages/required", put("/0/request/body/thinking", {"type": "disabled"})),
        example("anthropic-messages/thinking-run", put(_CHOICE, {"type": "auto"})),
    ],
    violating=[
        example("anthropic-messages/thinking-run", put(_CHOICE, {"type": "any"}), at="0 request /tool_choice/type"),
    ],
)
def forced_choice_with_thinking(view: View) -> Iterator[Hit]:
    """A request with thinking enabled does not force a tool call.

    The server answers 400. Structured output by a forced tool breaks as soon as somebody turns thinking on.
    """
    thinking = view.request.get("thinking") if isinstance(view.request, dict) else None
    choice = view.ask.choice
    enabled = isinstance(thinking, dict) and thinking.get("type") == "enabled"
    if enabled and choice is not None and choice.mode in ("required", "named"):
        yield Hit("/tool_choice/type", "a call is forced while thinking is enabled", "auto or none", choice.mode)


@rule(
    "messages-server-tool-without-name",
    severity=Severity.ERROR,
    scope="request",
    basis="sdk-type",
    dialects=_HERE,
    cites=["ANT-Q-004 anthropic 2.11 types/tool_union_param.py"],
    conforming=[example("anthropic-messages/pause-run")],
    violating=[example("anthropic-messages/stream-server-tool", drop(f"{_TOOL}/name"), at="0 request /tools/0")],
)
def server_tool_without_name(view: View) -> Iterator[Hit]:
    """A tool of the provider's own carries the name that belongs to its type.

    The server refuses it; only a toolset, which stands for many tools, has no name.
    """
    for tool, at in _tools(view):
        wire = tool.get("type")
        if wire in (None, "custom", "function") or kind_of_tool(tool) == "toolset" or wire == "mcp_toolset":
            continue
        if isinstance(wire, str):
            yield from misshapen(tool, {"name": "string+"}, at)
        else:
            yield Hit(join(at, "type"), "the type is no string", "a tool type", brief(wire))
