"""Tools, tool choice and strict schemas in Chat requests (WIRE section 1.i, OAC-Q-003 to OAC-Q-012)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CALL = "openai-chat/call"
_BODY = "/0/request/body"
_TOOL = f"{_BODY}/tools/0"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MOST_TOOLS = 128
_STRICT = {
    "type": "object",
    "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
    "required": ["latitude", "longitude"],
    "additionalProperties": False,
}


def _tools(view: View) -> Iterator[tuple[Any, str]]:
    """The declared tools as they stand on the wire, each with its pointer."""
    tools = view.request.get("tools") if isinstance(view.request, dict) else None
    for number, tool in enumerate(tools if isinstance(tools, list) else ()):
        yield tool, join("/tools", number)


def _functions(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    for tool, at in _tools(view):
        if isinstance(tool, dict) and isinstance(tool.get("function"), dict):
            yield tool["function"], join(at, "function")


@rule(
    "chat-tool-fields-misplaced",
    scope="request",
    basis="schema",
    cites=[f"OAC-Q-003 {_SCHEMAS}/ChatCompletionTool"],
    violating=[
        example(_CALL, put(_TOOL, {"type": "function", "name": "get_weather"})),
        example(_CALL, drop(f"{_TOOL}/type")),
        example(_CALL, drop(f"{_TOOL}/function/name")),
        example(_CALL, put(f"{_TOOL}/type", "tool")),
    ],
)
def tool_fields_misplaced(view: View) -> Iterator[Hit]:
    """Every tool has a type and holds its name and parameters in an object of that name.

    The flat form belongs to the Responses API: here the server refuses it, or sees a tool without a name.
    """
    for tool, at in _tools(view):
        kind = tool.get("type") if isinstance(tool, dict) else None
        if not isinstance(kind, str) or not kind:
            yield Hit(at, "the tool has no type", '"type": "function"', brief(kind))
        elif kind in ("function", "custom"):
            inner = tool.get(kind)
            if not isinstance(inner, dict):
                yield Hit(at, f"the tool has no `{kind}` object", f"`{kind}` with the tool's name", brief(inner))
            elif not isinstance(inner.get("name"), str):
                yield Hit(join(at, kind), "the tool has no name", "a name", brief(inner.get("name")))
        elif "function" in tool:
            yield Hit(join(at, "type"), "a function under another type", "function", brief(kind))


@rule(
    "chat-tool-name-invalid",
    scope="request",
    basis="sdk-type",
    cites=[
        "OAC-Q-004 openai 2.54 types/shared_params/function_definition.py",
        "MAP-001 openai 2.54 types/shared_params/function_definition.py",
    ],
    bugs=["nanbingxyz/5ire#33"],
    violating=[
        example(_CALL, put(f"{_TOOL}/function/name", "get.weather")),
        example(_CALL, put(f"{_TOOL}/function/name", "w" * 65)),
    ],
)
def tool_name_invalid(view: View) -> Iterator[Hit]:
    """A tool's name is 1 to 64 letters, digits, underscores and hyphens.

    The server refuses the request; names with dots come from clients that name tools by their modules.
    """
    for function, at in _functions(view):
        name = function.get("name")
        if isinstance(name, str) and not _NAME.fullmatch(name):
            yield Hit(join(at, "name"), "the tool's name is not allowed", _NAME.pattern, brief(name))


@rule(
    "chat-tool-parameters-wrong-type",
    scope="request",
    basis="schema",
    cites=[f"OAC-Q-005 {_SCHEMAS}/FunctionParameters", f"MAP-003 {_SCHEMAS}/FunctionParameters"],
    bugs=["openai/openai-agents-python#449"],
    conforming=[example(_CALL), example(_CALL, drop(f"{_TOOL}/function/parameters"))],
    violating=[
        example(_CALL, put(f"{_TOOL}/function/parameters", "{}")),
        example(_CALL, put(f"{_TOOL}/function/parameters/type", "string")),
        example(_CALL, drop(f"{_TOOL}/function/parameters/type")),
    ],
)
def tool_parameters_wrong_type(view: View) -> Iterator[Hit]:
    """A tool's parameters, where given, are a JSON Schema for an object.

    The server refuses a schema that is text, or whose root is not an object.
    """
    for function, at in _functions(view):
        if function.get("parameters") is None:
            continue
        parameters, where = function["parameters"], join(at, "parameters")
        if not isinstance(parameters, dict):
            yield Hit(where, "the parameters are no schema", "an object", brief(parameters))
        elif "type" in parameters and parameters["type"] != "object":
            yield Hit(join(where, "type"), "the parameters are of no object", "object", brief(parameters["type"]))
        elif "type" not in parameters and "properties" in parameters:
            yield Hit(where, "the parameters do not say that they are an object", '"type": "object"', "no type")


@rule(
    "chat-tools-too-many",
    scope="request",
    basis="observed",
    cites=["OAC-Q-006 vishalmysore/Tools4AI#16"],
    violating=[
        example(
            _CALL,
            put(
                f"{_BODY}/tools",
                [
                    {"type": "function", "function": {"name": "get_weather" if not number else f"tool_{number}"}}
                    for number in range(_MOST_TOOLS + 1)
                ],
            ),
        )
    ],
)
def tools_too_many(view: View) -> Iterator[Hit]:
    """A request declares at most 128 tools.

    The server refuses more with `array_above_max_length`.
    """
    count = sum(1 for _ in _tools(view))
    if count > _MOST_TOOLS:
        yield Hit("/tools", f"{count} tools are declared", f"at most {_MOST_TOOLS}", str(count))


@rule(
    "chat-tools-empty",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=["OAC-Q-007 runebookai/tome#87"],
    violating=[example("openai-chat/answer", put(f"{_BODY}/tools", []))],
)
def tools_empty(view: View) -> Iterator[Hit]:
    """A request without tools leaves `tools` out.

    Some servers refuse the empty array.
    """
    if isinstance(view.request, dict) and view.request.get("tools") == []:
        yield Hit("/tools", "`tools` is empty", "tools, or no such key", "[]")


@rule(
    "chat-strict-schema-incomplete",
    scope="request",
    basis="documented",
    cites=["OAC-Q-009 nerdai/llm-agents-from-scratch#861", "MAP-006 nerdai/llm-agents-from-scratch#861"],
    conforming=[example(_CALL, put(f"{_TOOL}/function/strict", True), put(f"{_TOOL}/function/parameters", _STRICT))],
    violating=[
        example(_CALL, put(f"{_TOOL}/function/strict", True), at="0 request /tools/0/function/parameters"),
        example(
            _CALL,
            put(f"{_TOOL}/function/strict", True),
            put(f"{_TOOL}/function/parameters", {**_STRICT, "required": ["latitude"]}),
            at="0 request /tools/0/function/parameters/required",
        ),
    ],
)
def strict_schema_incomplete(view: View) -> Iterator[Hit]:
    """In a strict tool every object forbids additional properties and requires all its own.

    The server refuses the schema: strict mode has no optional properties.
    """
    for function, at in _functions(view):
        if function.get("strict") is True:
            yield from strict_faults(function.get("parameters"), join(at, "parameters"))


def strict_faults(schema: Any, at: str) -> Iterator[Hit]:
    """Where a schema breaks the rules of strict mode, at any depth."""
    if isinstance(schema, list):
        for number, each in enumerate(schema):
            yield from strict_faults(each, join(at, number))
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    if isinstance(properties, dict) or schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            yield Hit(
                at,
                "a strict schema leaves additional properties open",
                '"additionalProperties": false',
                brief(schema.get("additionalProperties")),
            )
        required = schema.get("required")
        named = required if isinstance(required, list) else []
        left_out = [name for name in (properties if isinstance(properties, dict) else {}) if name not in named]
        if left_out:
            where = join(at, "required") if "required" in schema else at
            yield Hit(where, f"a strict schema leaves {', '.join(left_out)} optional", "all properties", brief(named))
    for key in ("items", "anyOf", "prefixItems"):
        yield from strict_faults(schema.get(key), join(at, key))
    for key in ("properties", "$defs", "definitions"):
        held = schema.get(key)
        for name, each in (held if isinstance(held, dict) else {}).items():
            yield from strict_faults(each, join(at, key, name))


@rule(
    "chat-tool-choice-unknown",
    scope="request",
    basis="schema",
    cites=[f"OAC-Q-010 {_SCHEMAS}/ChatCompletionToolChoiceOption", "LCB-Q-003 requests of langchain-openai 1.7.3"],
    conforming=[
        example(_CALL, put(f"{_BODY}/tool_choice", "auto")),
        example(
            _CALL,
            put(
                f"{_BODY}/tool_choice",
                {
                    "type": "allowed_tools",
                    "allowed_tools": {
                        "mode": "required",
                        "tools": [{"type": "function", "function": {"name": "get_weather"}}],
                    },
                },
            ),
        ),
    ],
    violating=[
        example(_CALL, put(f"{_BODY}/tool_choice", "any")),
        example(_CALL, put(f"{_BODY}/tool_choice", {"type": "function", "name": "get_weather"})),
    ],
)
def tool_choice_unknown(view: View) -> Iterator[Hit]:
    """The tool choice is none, auto, required, a named function or custom tool, or a set of allowed tools.

    The server refuses other forms; those of other providers are the usual cause.
    """
    choice = view.request.get("tool_choice") if isinstance(view.request, dict) else None
    if choice is None or view.ask.choice is not None:
        return
    yield Hit("/tool_choice", "no such tool choice", "none, auto, required, or a named tool", brief(choice))


@rule(
    "chat-tool-choice-undeclared",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=["OAC-Q-011 unverified: no source states it, no recording breaks it"],
    conforming=[example("openai-chat/answer", put(f"{_BODY}/tool_choice", "auto"))],
    violating=[example(_CALL, put(f"{_BODY}/tool_choice", {"type": "function", "function": {"name": "get_time"}}))],
)
def tool_choice_undeclared(view: View) -> Iterator[Hit]:
    """A named tool choice names tools that the request declares.

    The model is told to call what it has never seen.
    """
    choice, tools = view.ask.choice, view.ask.tools
    if choice is None or tools is None:
        return
    declared = [tool.name for tool in tools]
    unknown = [name for name in choice.names if name not in declared]
    if unknown:
        yield Hit(choice.pointer, f"{', '.join(unknown)} is not declared", f"one of {declared}", ", ".join(unknown))


@rule(
    "chat-tool-option-orphaned",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    needs_complete=True,
    cites=["OAC-Q-012 unverified: no source states it"],
    conforming=[example(_CALL, put(f"{_BODY}/parallel_tool_calls", True))],
    violating=[
        example("openai-chat/answer", drop(f"{_BODY}/tools"), put(f"{_BODY}/parallel_tool_calls", False)),
        example("openai-chat/answer", drop(f"{_BODY}/tools"), put(f"{_BODY}/tool_choice", "auto")),
    ],
)
def tool_option_orphaned(view: View) -> Iterator[Hit]:
    """`tool_choice` and `parallel_tool_calls` come only together with tools.

    The server refuses them; often it is the tools that were forgotten.
    """
    if not isinstance(view.request, dict) or view.ask.tools:
        return
    for key in ("tool_choice", "parallel_tool_calls"):
        if view.request.get(key) is not None:
            yield Hit(f"/{key}", f"`{key}` without tools", "`tools`", brief(view.request[key]))
