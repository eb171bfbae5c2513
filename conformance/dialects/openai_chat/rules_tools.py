"""Tools, tool choice and strict schemas in Chat requests (docs/contract/openai-chat.md, OAC-Q-003 to OAC-Q-012)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join


def _tools(view: View) -> Iterator[tuple[Any, str]]:
    """The declared tools in their wire form, each with its pointer."""
    tools = view.request.get("tools") if isinstance(view.request, dict) else None
    for number, tool in enumerate(tools if isinstance(tools, list) else ()):
        yield tool, join("/tools", number)


def _functions(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    for tool, at in _tools(view):
        if isinstance(tool, dict) and isinstance(tool.get("function"), dict):
            yield tool["function"], join(at, "function")


@rule(
    "chat-strict-schema-incomplete",
    scope="request",
    cites=["OAC-Q-009", "MAP-006"],
    part="settings",
)
def strict_schema_incomplete(view: View) -> Iterator[Hit]:
    """In a strict tool, every object must forbid additional properties and require all its own.

    The server refuses the schema: strict mode has no optional properties.
    """
    for function, at in _functions(view):
        if function.get("strict") is True:
            yield from strict_faults(function.get("parameters"), join(at, "parameters"))


def strict_faults(schema: Any, at: str) -> Iterator[Hit]:
    """The places where a schema breaks the rules of strict mode, at any depth."""
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
                "a strict schema allows additional properties",
                '"additionalProperties": false',
                brief(schema.get("additionalProperties")),
            )
        required = schema.get("required")
        named = required if isinstance(required, list) else []
        left_out = [name for name in (properties if isinstance(properties, dict) else {}) if name not in named]
        if left_out:
            where = join(at, "required") if "required" in schema else at
            yield Hit(where, f"a strict schema does not require {', '.join(left_out)}", "all properties", brief(named))
    for key in ("items", "anyOf", "prefixItems"):
        yield from strict_faults(schema.get(key), join(at, key))
    for key in ("properties", "$defs", "definitions"):
        held = schema.get(key)
        for name, each in (held if isinstance(held, dict) else {}).items():
            yield from strict_faults(each, join(at, key, name))


@rule(
    "chat-tool-choice-undeclared",
    scope="request",
    cites="OAC-Q-011",
    part="settings",
)
def tool_choice_undeclared(view: View) -> Iterator[Hit]:
    """A named tool choice must name tools that the request declares.

    The model has to call a tool that it does not know.
    """
    choice, tools = view.ask.choice, view.ask.tools
    if choice is None or tools is None:
        return
    declared = [tool.name for tool in tools]
    unknown = [name for name in choice.names if name not in declared]
    if unknown:
        yield Hit(choice.pointer, f"{', '.join(unknown)} is not declared", f"one of {declared}", ", ".join(unknown))
