"""The tools of a scenario: their schemas and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.model.schema_words import nearest
from conformance.scenario.model import Scenario, Tool
from conformance.scenario.problem import Problem, Steps
from conformance.scenario.schema_checks import schema_problems, value_problems

NO_PARAMETERS: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
"""The schema of a tool without `parameters`."""

_ENVELOPES = ("output", "result", "error")
"""The keys of the object in which Gemini's clients wrap a result that is not an object."""


def tool_problems(scenario: Scenario) -> Iterator[Problem]:
    """Mistakes in `tools`."""
    names: list[str] = []
    for number, tool in enumerate(scenario.tools):
        at: Steps = ("tools", number)
        if tool.name in names:
            yield Problem((*at, "name"), f"a tool called `{tool.name}` is already declared", "choose another name")
        names.append(tool.name)
        found = [*_schemas(tool, scenario, at)]
        yield from found
        if not found:
            yield from _returns(tool, at)


def _schemas(tool: Tool, scenario: Scenario, at: Steps) -> Iterator[Problem]:
    if tool.parameters is not None:
        yield from schema_problems(tool.parameters, (*at, "parameters"))
        yield from _object(tool.parameters, (*at, "parameters"))
    if tool.output is not None:
        yield from schema_problems(tool.output, (*at, "output_schema"))
        if scenario.executor != "scripted":
            yield from _object(tool.output, (*at, "output_schema"))


def _object(schema: Mapping[str, Any], at: Steps) -> Iterator[Problem]:
    if "type" not in schema:
        yield Problem(at, f"`{at[-1]}` has no type", "add `type: object`")
    elif schema["type"] != "object":
        yield Problem((*at, "type"), f"`{at[-1]}` is not the schema of an object", "write `type: object`")


def _returns(tool: Tool, at: Steps) -> Iterator[Problem]:
    for number, entry in enumerate(tool.returns):
        here: Steps = (*at, "returns", number)
        if number and not tool.returns[number - 1].when:
            yield Problem(here, "the entry before this one has no `when` and always matches", "put it last")
        yield from wanted_problems(entry.when, tool, (*here, "when"))
        if entry.error is not None:
            continue
        if isinstance(entry.result, dict) and len(entry.result) == 1 and next(iter(entry.result)) in _ENVELOPES:
            key = next(iter(entry.result))
            message = f"a result whose only key is `{key}` looks like an envelope around a result"
            yield Problem((*here, "result", key), message, "choose another key, or add a second one", key=True)
        if tool.output is not None:
            yield from value_problems(entry.result, tool.output, (*here, "result"))


def wanted_problems(wanted: Mapping[str, Any], tool: Tool, at: Steps) -> Iterator[Problem]:
    """The places where expected argument values (of `when`, of `expect.calls`) do not fit the tool's parameters."""
    schema = tool.parameters if tool.parameters is not None else NO_PARAMETERS
    properties = schema.get("properties", {})
    for name, value in wanted.items():
        if name not in properties:
            if schema.get("additionalProperties", True) is False or properties:
                hint = nearest(name, properties, f"`{tool.name}` has {_listed(properties)}")
                yield Problem((*at, name), f"`{tool.name}` has no parameter `{name}`", hint, key=True)
            continue
        inner = {**{key: schema[key] for key in ("$defs", "definitions") if key in schema}, **properties[name]}
        steps: Steps = (*at, name)
        if isinstance(value, dict) and "about" in value:
            yield from value_problems(value["about"], _as_number(inner), (*steps, "about"))
        elif isinstance(value, dict) and "one_of" in value:
            for number, each in enumerate(value["one_of"]):
                yield from value_problems(each, inner, (*steps, "one_of", number))
        else:
            yield from value_problems(value, inner, steps)


def _as_number(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema that allows any number instead of integers: 3.5 ± 1 matches 3 and 4."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return {**schema, "type": "number"} if "integer" in kinds else schema


def _listed(properties: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}`" for name in properties) or "no parameters"
