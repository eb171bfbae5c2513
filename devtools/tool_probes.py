"""One small schema for each keyword, to ask a profile what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from conformance.model.transcript import ToolDefinition
from conformance.profiles.tool_keywords import treated
from conformance.profiles.tool_variants import Outcome, Variant
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import LATEST, Problem, judge

_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}
_LIST = {"type": "array", "items": _TEXT}
_OBJECT = {"type": "object", "properties": {"a": _TEXT}, "required": ["a"], "additionalProperties": False}
_OTHER = {"type": "object", "properties": {"b": _TEXT}, "required": ["b"], "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class Probe:
    """A keyword in a schema: `label` is how the page calls it, `at` the pointer to the keyword."""

    label: str
    keyword: str
    at: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What becomes of a probe: the outcome, and the evidence."""

    outcome: Outcome
    evidence: str | None = None
    basis: str | None = None
    seen: str | None = None
    since: str | None = None


def _below(label: str, keyword: str, holder: Mapping[str, Any]) -> Probe:
    """A probe whose keyword is in the schema of a parameter."""
    schema = {"type": "object", "properties": {"p": holder}, "required": ["p"], "additionalProperties": False}
    return Probe(label, keyword, f"/properties/p/{keyword}", schema)


def _root(label: str, keyword: str, value: Any, **more: Any) -> Probe:
    schema = {**_OBJECT, **more, keyword: value}
    return Probe(label, keyword, f"/{keyword}", schema)


def _with(holder: Mapping[str, Any], keyword: str, value: Any, label: str | None = None) -> Probe:
    return _below(label or f"`{keyword}`", keyword, {**holder, keyword: value})


_REFERRING = {**_OBJECT, "properties": {"p": {"$ref": "#/$defs/d"}}, "required": ["p"]}
_ITSELF = {**_OBJECT, "properties": {"a": {"anyOf": [{"$ref": "#/$defs/d"}, {"type": "null"}]}}}

PROBES: tuple[Probe, ...] = (
    _below("`type`", "type", _TEXT),
    _below("`type`, a list with `null`", "type", {"type": ["string", "null"]}),
    _root("`properties`", "properties", {"a": _TEXT}),
    _root("`required`", "required", ["a"]),
    Probe("a property that is not required", "required", "/required", {**_OBJECT, "required": []}),
    _root("`additionalProperties: false`", "additionalProperties", False),
    _with(_OBJECT, "additionalProperties", True, "`additionalProperties: true`"),
    _with(_OBJECT, "additionalProperties", _TEXT, "`additionalProperties`, a schema"),
    _with(_TEXT, "description", "A text."),
    _with(_TEXT, "title", "A title"),
    _with(_TEXT, "default", "a"),
    _with(_TEXT, "examples", ["a"]),
    _with(_TEXT, "enum", ["a", "b"]),
    _with({"type": "integer"}, "enum", [1, 2], "`enum` of numbers"),
    _with(_TEXT, "const", "a"),
    _with(_TEXT, "format", "date-time", "`format: date-time`"),
    _with(_TEXT, "format", "email", "`format: email`"),
    _with(_TEXT, "format", "uri", "`format: uri`"),
    _with(_TEXT, "format", "color", "`format`, an unknown one"),
    _with(_TEXT, "pattern", "^[a-z]+$"),
    _with(_TEXT, "pattern", "[a-z]", "`pattern` without anchors"),
    _with(_TEXT, "pattern", "^(?!x).*$", "`pattern` with look-around"),
    _with(_TEXT, "minLength", 1),
    _with(_TEXT, "maxLength", 9),
    *(
        _with(_NUMBER, keyword, 1)
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
    ),
    _with({"type": "integer"}, "minimum", 1, "`minimum` of an integer"),
    _with({"type": "array"}, "items", _TEXT),
    _below("an array without `items`", "type", {"type": "array"}),
    _with({"type": "array"}, "prefixItems", [_TEXT, _NUMBER]),
    _with(_LIST, "minItems", 1),
    _with(_LIST, "minItems", 2, "`minItems` above 1"),
    _with(_LIST, "maxItems", 3),
    _with(_LIST, "uniqueItems", True),
    _with(_LIST, "contains", _TEXT),
    _with(_OBJECT, "patternProperties", {"^x-": _TEXT}),
    _with(_OBJECT, "propertyNames", {"pattern": "^[a-z]+$"}),
    _with(_OBJECT, "minProperties", 1),
    _with(_OBJECT, "maxProperties", 3),
    _with(_OBJECT, "unevaluatedProperties", False),
    _with(_OBJECT, "dependentRequired", {"a": ["a"]}),
    _with(_OBJECT, "dependentSchemas", {"a": {"required": ["a"]}}),
    _below("`anyOf`", "anyOf", {"anyOf": [_TEXT, _NUMBER]}),
    _below("`oneOf`", "oneOf", {"oneOf": [_TEXT, _NUMBER]}),
    _below("`allOf` of one", "allOf", {"allOf": [_OBJECT]}),
    _below("`allOf` of several", "allOf", {"allOf": [_OBJECT, _OTHER]}),
    _with(_TEXT, "not", {"const": "a"}),
    _with(_OBJECT, "if", {"required": ["a"]}),
    *(_root(f"`{keyword}` in the root", keyword, [_OBJECT]) for keyword in ("anyOf", "oneOf", "allOf")),
    Probe("`$ref`", "$ref", "/properties/p/$ref", {**_REFERRING, "$defs": {"d": _OBJECT}}),
    Probe("`$defs`", "$defs", "/$defs", {**_REFERRING, "$defs": {"d": _OBJECT}}),
    Probe("`$ref` to itself", "$ref", "/$defs/d/properties/a/anyOf/0/$ref", {**_REFERRING, "$defs": {"d": _ITSELF}}),
    _root("`$schema`", "$schema", "https://json-schema.org/draft/2020-12/schema"),
    _root("`$id`", "$id", "https://example.org/schema"),
    _with(_TEXT, "$comment", "A comment."),
    _with(_TEXT, "deprecated", True),
    _with(_TEXT, "readOnly", True),
    _with(_TEXT, "contentEncoding", "base64"),
    _with(_TEXT, "nullable", True, "`nullable` (OpenAPI)"),
    _with(_TEXT, "x-order", 1, "`x-…` (extensions)"),
)
"""Every probe, in the order of the page."""


def answer(probe: Probe, variant: Variant) -> Answer:
    """What a variant makes of a probe: what the contract of its dialect refuses, then what its rows say."""
    tool = GivenTool(ToolDefinition("probe", "A probe.", probe.schema), "json-schema", "probe")
    judged = judge([tool], variant)
    refused = [each for each in judged.tools[0].problems if each.outcome is Outcome.REFUSED]
    if refused:
        return _of(max(refused, key=lambda each: each.pointer == probe.at))
    found = next(
        (each for each in treated(dict(probe.schema), variant, LATEST) if each.occurrence.pointer == probe.at),
        None,
    )
    if found is None or found.row is None:
        return Answer(Outcome.UNKNOWN)
    row = found.row
    return Answer(found.outcome, row.evidence, row.basis, _iso(row.day), _iso(row.since))


def _of(problem: Problem) -> Answer:
    day, since = _iso(problem.seen), _iso(problem.since)
    return Answer(problem.outcome, problem.evidence, problem.basis, day, since)


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
