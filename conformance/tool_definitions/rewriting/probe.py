"""Asks the judgement whether a provider accepts one subschema: each keyword of it, without what is below it."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from typing import Any

from conformance.model.pointer import split
from conformance.model.transcript import ToolDefinition
from conformance.profiles.tool_variants import Outcome, Variant
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import Problem, judge
from conformance.tool_definitions.rewriting.children import CHILD, CHILDREN, NAMED_CHILDREN

_STUB: dict[str, Any] = {"type": "string"}
_BESIDE = "p"
_CORE = frozenset({"type", "properties", "required", "description", "items", "enum", "additionalProperties", "anyOf"})

Problems = dict[tuple[str, str], Problem]
"""The problems of a subschema, by their places in it and their messages."""


class Probe:
    """What some variants of profiles accept; a subschema is accepted if all of them accept it."""

    def __init__(self, variants: Sequence[Variant]) -> None:
        self.variants = tuple(variants)
        self._known: dict[bytes, Problems] = {}

    def problems(self, node: dict[str, Any], *, root: bool) -> Problems:
        """The problems of a subschema, each by its place and its message. Those of subschemas in it do not count."""
        shallow = {key: _shallow(key, value) for key, value in node.items()}
        try:
            key = marshal.dumps((root, shallow), 2)
        except ValueError:  # a value that is not JSON
            return {}
        if key not in self._known:
            self._known[key] = self._asked(shallow, root=root)
        return self._known[key]

    def of_schema(self, schema: dict[str, Any]) -> list[Problem]:
        """The problems of a whole schema."""
        return [each for variant in self.variants for each in bad_problems(schema, variant)]

    def _asked(self, shallow: dict[str, Any], *, root: bool) -> Problems:
        schema = shallow if root else _around(shallow)
        at = "" if root else f"/properties/{_BESIDE}"
        found: Problems = {}
        for each in self.of_schema(schema):
            inside = each.in_schema and (each.pointer == at or each.pointer.startswith(f"{at}/"))
            place = each.pointer[len(at) :] if inside else None
            if not root and each.in_schema and each.pointer == "/properties":
                place = ""  # nothing else is wrong with the properties around it, so it is about this one
            if place is not None and not _is_below(place):
                found[place, each.message] = each
        return found


def bad_problems(schema: dict[str, Any], variant: Variant) -> list[Problem]:
    """The problems of a schema at a variant that rewriting should remove: no remarks, nothing without a loss."""
    tool = GivenTool(ToolDefinition("tool", "A tool.", schema), "json-schema", "")
    judged = judge([tool], variant).tools[0]
    return [each for each in judged.problems if is_bad(each)]


def is_bad(problem: Problem) -> bool:
    """Whether a problem refuses a tool, makes its acceptance unknown, or loses something.

    What every tool needs is not left out because nothing is known of it.
    """
    if problem.outcome is Outcome.UNKNOWN:
        return problem.keyword not in _CORE
    return problem.outcome is Outcome.REFUSED or problem.loses


def _around(node: dict[str, Any]) -> dict[str, Any]:
    """The node as a property. The object around it is what it may be: its own problems do not count."""
    return {"type": "object", "properties": {_BESIDE: node}, "required": [_BESIDE], "additionalProperties": False}


def _shallow(key: str, value: Any) -> Any:
    """A keyword's value with a plain schema in place of each subschema; references are what some rows ask for."""
    if key in CHILDREN and isinstance(value, list):
        return [_stub(each) for each in value]
    if key in NAMED_CHILDREN and isinstance(value, dict):
        return {name: _stub(each) for name, each in value.items()}
    return _stub(value) if key in CHILD and isinstance(value, dict) else value


def _stub(child: Any) -> Any:
    if isinstance(child, dict) and isinstance(child.get("$ref"), str):
        return {"$ref": child["$ref"]}
    return dict(_STUB) if isinstance(child, dict) else child


def _is_below(place: str) -> bool:
    """Whether a place is in a subschema of the one that it is counted from."""
    steps = split(place)
    if not steps:
        return False
    if steps[0] in NAMED_CHILDREN:
        return len(steps) > 2
    if steps[0] in CHILDREN and len(steps) > 1 and steps[1].isdecimal():
        return True
    return steps[0] in CHILD and len(steps) > 1
