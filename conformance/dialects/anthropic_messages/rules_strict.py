"""Limits of strict tools and structured outputs, ANT-Q-027."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.official import refused_here
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import get, join
from conformance.profiles.subschemas import reached, subschemas

_MOST_TOOLS, _MOST_OPTIONAL, _MOST_UNIONS = 20, 24, 16


@rule(
    "messages-strict-tools-too-many",
    scope="request",
    cites="ANT-Q-027",
)
def strict_tools_too_many(view: View) -> Iterator[Hit]:
    """A request must have at most 20 strict tools; all strict schemas together, 24 optional and 16 union parameters.

    The server compiles these schemas into one grammar, and refuses a request whose grammar is too large.
    """
    strict = [tool for tool in view.ask.tools or () if tool.strict]
    if len(strict) > _MOST_TOOLS:
        yield Hit(
            strict[_MOST_TOOLS].pointer,
            f"{len(strict)} tools are strict",
            f"at most {_MOST_TOOLS}",
            str(len(strict)),
            severity=refused_here(view),
        )
    for what, most, count in (("optional", _MOST_OPTIONAL, _optional), ("of a union type", _MOST_UNIONS, _unions)):
        total = 0
        for schema, at in _compiled(view):
            here = sum(map(count, (each for each, _ in subschemas(schema, at))))
            total += here
            if total > most and total - here <= most:
                message = f"the strict schemas up to here have {total} parameters that are {what}"
                yield Hit(at, message, f"at most {most} in all", str(total), severity=refused_here(view))


@rule(
    "messages-strict-recursion-unsupported",
    scope="request",
    cites="ANT-Q-027",
)
def strict_recursion_unsupported(view: View) -> Iterator[Hit]:
    """No strict schema, and none of a tool that code may call, may refer to itself.

    The server refuses it: a grammar of bounded size cannot describe values with unbounded nesting.
    """
    for schema, at in (*_compiled(view), *_from_code(view)):
        for each, place in subschemas(schema, at):
            if place in reached(schema, at, each.get("$ref"), set()):
                yield Hit(
                    join(place, "$ref"),
                    "the schema refers to itself",
                    "a schema without recursion",
                    each["$ref"],
                    severity=refused_here(view),
                )
                break


def _from_code(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The schemas of the tools that code may call, and that are not strict."""
    for tool in view.ask.tools or ():
        callers = get(view.request, join(tool.pointer, "allowed_callers"))
        named = isinstance(callers, list) and any(each != "direct" for each in callers)
        if named and not tool.strict and isinstance(tool.parameters, dict):
            yield tool.parameters, join(tool.pointer, "input_schema")


def _compiled(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The schemas that the server compiles: of strict tools, and of the structured output."""
    for tool in view.ask.tools or ():
        if tool.strict and isinstance(tool.parameters, dict):
            yield tool.parameters, join(tool.pointer, "input_schema")
    for at in ("/output_config/format/schema", "/output_format/schema"):
        schema = get(view.request, at)
        if isinstance(schema, dict):
            yield schema, at


def _optional(schema: dict[str, Any]) -> int:
    properties, required = schema.get("properties"), schema.get("required")
    named = required if isinstance(required, list) else []
    return sum(name not in named for name in properties) if isinstance(properties, dict) else 0


def _unions(schema: dict[str, Any]) -> int:
    properties = schema.get("properties")
    each = properties.values() if isinstance(properties, dict) else ()
    return sum(isinstance(one, dict) and (isinstance(one.get("type"), list) or "anyOf" in one) for one in each)
