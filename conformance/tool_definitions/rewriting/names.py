"""Names that providers accept: of tools, and of their parameters where these are limited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from conformance.model.frozen import dataclass
from conformance.model.pointer import split
from conformance.model.tool_limits import ToolLimits
from conformance.model.transcript import ToolDefinition
from conformance.profiles.tool_variants import Outcome, Variant
from conformance.scenario.executor.provider_tools import provider_names
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import judge
from conformance.tool_definitions.rewriting.probe import Probe

_PLAIN: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
_LONGEST = 64


@dataclass(frozen=True)
class _Limits(ToolLimits):
    """The limits of several variants together, as their judgement has them."""

    variants: tuple[Variant, ...] = ()

    def accepts(self, name: str) -> bool:
        tool = GivenTool(ToolDefinition(name, "A tool.", _PLAIN), "json-schema", "")
        return not any(
            problem.outcome is Outcome.REFUSED and not problem.in_schema
            for variant in self.variants
            for problem in judge([tool], variant).tools[0].problems
        )


def tool_names(names: Sequence[str], variants: Sequence[Variant]) -> list[str]:
    """A name for each tool that all variants accept, no two alike. A name that is accepted stays."""
    limits = _Limits(variants=tuple(variants))
    distinct: list[str] = []
    for name in names:
        wanted, number = name, 1
        while wanted in distinct:
            number += 1
            wanted = f"{name}_{number}"
        distinct.append(wanted)
    given = provider_names(distinct, limits)
    return [given[name] for name in distinct]


def renamed_parameters(schema: dict[str, Any], probe: Probe) -> tuple[dict[str, Any], dict[str, str]]:
    """The schema with accepted names of its parameters, and the new names by the given ones."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return schema, {}
    places = (split(place) for place, _ in probe.problems(_bare(properties), root=True))
    refused = {steps[1] for steps in places if len(steps) == 2 and steps[0] == "properties"}
    names: dict[str, str] = {}
    taken = set(properties) - refused
    for name in properties:
        if name in refused:
            names[name] = _free(name, taken)
            taken.add(names[name])
    return (_renamed(schema, properties, names) if names else schema), names


def _bare(properties: dict[str, Any]) -> dict[str, Any]:
    stubs = {name: {"type": "string"} for name in properties}
    return {"type": "object", "properties": stubs, "required": list(properties), "additionalProperties": False}


def _free(name: str, taken: set[str]) -> str:
    wanted = re.sub(r"[^A-Za-z0-9_]", "_", name)[:_LONGEST] or "_"
    wanted = wanted if re.match("[A-Za-z_]", wanted) else f"_{wanted}"[:_LONGEST]
    found, number = wanted, 1
    while found in taken:
        number += 1
        found = f"{wanted[: _LONGEST - 4]}_{number}"
    return found


def _renamed(schema: dict[str, Any], properties: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    found = {**schema, "properties": {names.get(name, name): each for name, each in properties.items()}}
    for key in ("required", "propertyOrdering"):
        if isinstance(schema.get(key), list):
            found[key] = [names.get(name, name) if isinstance(name, str) else name for name in schema[key]]
    return found
