"""The tools that a Messages request declares, docs/contract/anthropic-messages.md, ANT-Q."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.anthropic_messages.request import kind_of_tool
from conformance.dialects.anthropic_messages.shape import extra, misshapen
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import MISSING, join

_CALL = "anthropic-messages/call"
_TOOL = "/0/request/body/tools/0"
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
_TOOL_MEMBERS = frozenset({*_TOOL_FIELDS, "type", "allowed_callers", "eager_input_streaming"})
_NAMED_BY_TYPE = re.compile(
    r"(web_search|web_fetch|code_execution|memory|bash|computer|tool_search_tool_bm25|tool_search_tool_regex)_\d{8}"
)


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
    "messages-tool-malformed",
    scope="request",
    basis="sdk-type",
    cites=["ANT-Q-004 anthropic 2.11 types/tool_param.py", "MAP-003 anthropic 2.11 types/tool_param.py"],
    conforming=[example(_CALL), example("anthropic-messages/pause-run")],
    violating=[
        example(_CALL, drop(f"{_TOOL}/input_schema")),
        example(_CALL, put(f"{_TOOL}/parameters", {})),
        example(_CALL, drop(f"{_TOOL}/input_schema/type")),
        example(_CALL, put(f"{_TOOL}/input_schema/type", "array")),
        example(_CALL, put(f"{_TOOL}/type", "function")),
        example(_CALL, put(_TOOL, "get_weather")),
    ],
)
def tool_malformed(view: View) -> Iterator[Hit]:
    """Every client tool must have a name and an `input_schema` of type object.

    The server refuses the request, for example with tools in the form of another dialect (`parameters`, `function`).
    """
    tools = view.request.get("tools") if isinstance(view.request, dict) else None
    for number, tool in enumerate(tools if isinstance(tools, list) else ()):
        if not isinstance(tool, dict):
            yield Hit(join("/tools", number), "the tool is not an object", "an object", kind(tool))
    for tool, at in _own_tools(view):
        if tool.get("type") == "function":
            yield Hit(join(at, "type"), "a client tool has a type other than custom", "custom", "function")
            continue
        yield from misshapen(tool, _TOOL_FIELDS, at)
        for key in extra(tool, _TOOL_MEMBERS):
            known = ", ".join(sorted(_TOOL_MEMBERS))
            yield Hit(join(at, key), f"a tool has no member {key}", known, key, severity=Severity.WARNING)
        schema = tool.get("input_schema")
        if isinstance(schema, dict) and schema.get("type") != "object":
            root = schema.get("type", MISSING)
            where = join(at, "input_schema") if root is MISSING else join(at, "input_schema", "type")
            actual = "no type" if root is MISSING else brief(root)
            yield Hit(where, f"the schema of {tool.get('name')} is not of type object", "type object", actual)


@rule(
    "messages-tool-name-invalid",
    scope="request",
    basis="observed",
    cites=[
        "ANT-Q-005 home-assistant/core#147760",
        "ANT-Q-005 anthropics/claude-code#96152",
        "MAP-001 home-assistant/core#147760",
    ],
    bugs=["home-assistant/core#147760"],
    conforming=[example(_CALL), example(_CALL, put(f"{_TOOL}/name", "Get-weather_2"))],
    violating=[
        example(_CALL, put(f"{_TOOL}/name", "weather.get")),
        example(_CALL, put(f"{_TOOL}/name", "")),
        example("anthropic-messages/answer", put("/0/request/body/messages/1/content/1/name", "weather.get")),
    ],
)
def tool_name_invalid(view: View) -> Iterator[Hit]:
    """The name of a tool must be 1 to 128 letters, digits, underscores and hyphens.

    The server refuses the whole request because of one name; names from MCP servers may contain dots.
    """
    names = [(tool.get("name"), at) for tool, at in _own_tools(view)]
    names += [(call.name, call.pointer) for turn in view.ask.history for call in turn.calls if call.name]
    for name, at in names:
        if isinstance(name, str) and not _NAME.fullmatch(name):
            yield Hit(
                join(at, "name"),
                "the name has a character or a length that is not allowed",
                f"a name that matches {_NAME.pattern}",
                brief(name),
            )


@rule(
    "messages-tool-schema-union-unsupported",
    scope="request",
    basis="observed",
    cites=["ANT-Q-006 anthropics/claude-code#5319", "ANT-Q-006 anomalyco/opencode#35516"],
    bugs=["anthropics/claude-code#5319", "anthropics/claude-code#40075"],
    conforming=[
        example(_CALL),
        example(_CALL, put(f"{_TOOL}/input_schema/properties/place", {"anyOf": [{"type": "string"}]})),
    ],
    violating=[example(_CALL, put(f"{_TOOL}/input_schema/anyOf", [{"required": ["latitude"]}]))],
)
def tool_schema_union_unsupported(view: View) -> Iterator[Hit]:
    """The root of an `input_schema` must not have oneOf, anyOf or allOf.

    The server refuses the whole request, even for a tool that is never called.
    """
    for tool, at in _own_tools(view):
        schema = tool.get("input_schema")
        for key in ("oneOf", "anyOf", "allOf"):
            if isinstance(schema, dict) and key in schema:
                yield Hit(join(at, "input_schema", key), f"the root of the schema has {key}", f"no {key} there")


@rule(
    "messages-server-tool-name-missing",
    scope="request",
    basis="sdk-type",
    cites=["ANT-Q-004 anthropic 2.11 types/tool_union_param.py"],
    conforming=[example("anthropic-messages/pause-run")],
    violating=[
        example("anthropic-messages/stream-server-tool", drop(f"{_TOOL}/name")),
        example("anthropic-messages/stream-server-tool", put(f"{_TOOL}/name", "search")),
    ],
)
def server_tool_name_missing(view: View) -> Iterator[Hit]:
    """A provider tool must have the name that belongs to its type.

    The server refuses other names; only a toolset, which contains many tools, has no name.
    """
    for tool, at in _tools(view):
        wire = tool.get("type")
        if wire in (None, "custom", "function") or kind_of_tool(tool) == "toolset" or wire == "mcp_toolset":
            continue
        if isinstance(wire, str):
            yield from misshapen(tool, {"name": "string+"}, at)
            match, name = _NAMED_BY_TYPE.fullmatch(wire), tool.get("name")
            if match and isinstance(name, str) and name and name != match[1]:
                yield Hit(join(at, "name"), f"a tool of type {wire} has the wrong name", match[1], name)
        else:
            yield Hit(join(at, "type"), "the type is not a string", "a tool type", brief(wire))
