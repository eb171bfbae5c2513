"""What can be written in place of a keyword that a provider does not accept, the nearest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.profiles.tool_keywords import JSON_SCHEMA
from conformance.tool_definitions.rewriting import alternatives, arrays, objects
from conformance.tool_definitions.rewriting.change import Effect
from conformance.tool_definitions.rewriting.merge import ANNOTATIONS, merged, types_of
from conformance.tool_definitions.rewriting.repair import Node, Repair, noted, without

_LONGEST_PATTERN = 256
_MOST_VALUES = 32
_ANYTHING = r"[\s\S]*"


def _const(node: Node) -> Iterator[Repair]:
    value = node["const"]
    rest = without(node, "const")
    if not isinstance(rest.get("enum"), list):
        yield Repair({**rest, "enum": [value]}, "written as `enum`")
        if isinstance(value, str):
            yield Repair({**rest, "type": "string", "enum": [value]}, "written as `enum`")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield Repair({**rest, "type": "number", "minimum": value, "maximum": value}, "written as a range")
    if value is None:
        yield Repair({**rest, "type": "null"}, "written as a type")


def _enum(node: Node) -> Iterator[Repair]:
    values = node["enum"]
    if not isinstance(values, list):
        return
    rest = without(node, "enum")
    texts = [each for each in values if isinstance(each, str)]
    others = [each for each in values if each is not None]
    if len(texts) == len(values) and "type" not in node:
        yield Repair({**node, "type": "string"}, "`type` added")
    if None in values and (node.get("nullable") is True or "null" not in types_of(node.get("type", []))):
        narrowed = Effect.SAME if node.get("nullable") is True or "type" in node else Effect.NARROWER
        yield Repair({**rest, "enum": others}, "null left out of `enum`", narrowed)
    if "" in texts and len(others) > 1:
        yield Repair(
            {**rest, "enum": [each for each in values if each != ""]}, "an empty value left out", Effect.NARROWER
        )
    kinds = {kind for each in values if (kind := _kind(each)) is not None}
    if kinds <= {"string"} and texts and node.get("type") != "string":
        yield Repair({**node, "type": "string"}, "`type` follows from the values")
    if kinds == {"integer"}:
        exact = sorted(values) == list(range(min(values), max(values) + 1)) and node.get("type", "integer") in (
            "integer",
            "number",
        )
        bounded = {**rest, "type": "integer", "minimum": min(values), "maximum": max(values)}
        effect = Effect.SAME if exact else Effect.WIDER
        yield noted(Repair(bounded, "written as a range", effect), "enum", None if exact else values)
    if "boolean" in kinds and kinds <= {"boolean", "null"}:
        exact = False in values and True in values
        yield Repair({**rest, "type": "boolean"}, "written as a type", Effect.SAME if exact else Effect.WIDER)


def _kind(value: Any) -> str | None:
    if isinstance(value, bool):
        return "boolean"
    return {int: "integer", float: "number", str: "string", type(None): "null"}.get(type(value), "other")


def _type(node: Node) -> Iterator[Repair]:
    kinds = types_of(node.get("type", []))
    rest = without(node, "type")
    if len(kinds) == 1 and not isinstance(node["type"], str):
        yield Repair({**rest, "type": kinds[0]}, "written as one type")
    if len(kinds) > 1:
        yield from alternatives.by_type(node, kinds)


def _bound(keyword: str, inclusive: str, step: int) -> Callable[[Node], Iterator[Repair]]:
    """An exclusive bound as an inclusive one: the same for integers, one value more for other numbers."""

    def repair(node: Node) -> Iterator[Repair]:
        value = node[keyword]
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return
        rest, whole = without(node, keyword), node.get("type") == "integer" and isinstance(value, int)
        bound = value + step if whole else value
        if inclusive in rest and isinstance(rest[inclusive], (int, float)):
            bound = max(bound, rest[inclusive]) if step > 0 else min(bound, rest[inclusive])
        yield Repair({**rest, inclusive: bound}, f"written as `{inclusive}`", Effect.SAME if whole else Effect.WIDER)
        yield from _range(node)

    return repair


def _range(node: Node) -> Iterator[Repair]:
    """A small range of integers as its values."""
    low, high = node.get("minimum"), node.get("maximum")
    if node.get("type") == "integer" and isinstance(low, int) and isinstance(high, int) and "enum" not in node:
        values = list(range(low, high + 1)) if high - low < _MOST_VALUES else []
        if values:
            yield Repair({**without(node, "minimum", "maximum"), "enum": values}, "written as `enum`")


def _multiple(node: Node) -> Iterator[Repair]:
    if node["multipleOf"] == 1 and node.get("type") in ("integer", "number"):
        yield Repair({**without(node, "multipleOf"), "type": "integer"}, "written as type integer")


def _length(node: Node) -> Iterator[Repair]:
    """The length of a text as a pattern."""
    low, high = node.get("minLength", 0), node.get("maxLength")
    fits = all(isinstance(each, int) and each <= _LONGEST_PATTERN for each in (low, 0 if high is None else high))
    rest = without(node, "minLength", "maxLength")
    if fits and "pattern" not in node and node.get("type") == "string":
        times = f"{{{low},{'' if high is None else high}}}"
        yield Repair({**rest, "pattern": f"^[\\s\\S]{times}$"}, "written as `pattern`")


def _pattern(node: Node) -> Iterator[Repair]:
    """A pattern that matches the whole text, as some grammars need it."""
    pattern = node["pattern"]
    if not isinstance(pattern, str):
        return
    begins, ends = pattern.startswith("^"), pattern.endswith("$") and not pattern.endswith("\\$")
    inner = pattern[begins : len(pattern) - ends]
    if begins and ends and inner:
        return
    if not any(each in inner for each in "^$|"):
        whole = f"^{'' if begins else _ANYTHING}{inner}{'' if ends else _ANYTHING}$"
        yield Repair({**node, "pattern": whole}, "written as a pattern for the whole text")


def _any_annotation(keyword: str) -> Callable[[Node], Iterator[Repair]]:
    def repair(node: Node) -> Iterator[Repair]:
        dropped = Repair(without(node, keyword), "left out: it forbids nothing")
        yield noted(dropped, keyword, node[keyword]) if keyword == "default" else dropped

    return repair


def _all_of(node: Node) -> Iterator[Repair]:
    """All schemas merged into one."""
    parts = node["allOf"]
    if not isinstance(parts, list) or not all(isinstance(each, (dict, bool)) for each in parts):
        return
    found, exact = without(node, "allOf"), True
    for each in parts:
        found, fits = merged(found, each)
        exact = exact and fits
    found = found if isinstance(found, dict) else {"not": {}}
    yield Repair(found, "merged into one schema", Effect.SAME if exact else Effect.WIDER)


_REPAIRS: dict[str, Callable[[Node], Iterator[Repair]]] = {
    "const": _const,
    "enum": _enum,
    "type": _type,
    "exclusiveMinimum": _bound("exclusiveMinimum", "minimum", 1),
    "exclusiveMaximum": _bound("exclusiveMaximum", "maximum", -1),
    "minimum": _range,
    "maximum": _range,
    "multipleOf": _multiple,
    "minLength": _length,
    "maxLength": _length,
    "pattern": _pattern,
    "allOf": _all_of,
    "anyOf": alternatives.any_of,
    "oneOf": alternatives.one_of,
    "prefixItems": arrays.prefix_items,
    "items": arrays.items,
    "additionalItems": arrays.additional_items,
    "patternProperties": objects.pattern_properties,
    "additionalProperties": objects.additional_properties,
    "unevaluatedProperties": objects.unevaluated_properties,
    **{keyword: _any_annotation(keyword) for keyword in ANNOTATIONS},
}
KEPT = frozenset({"type", "properties", "$ref"})
"""Keywords that are never left out."""
CONSTRAINTS = frozenset(
    {
        *("minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        *(
            "multipleOf",
            "minItems",
            "maxItems",
            "uniqueItems",
            "minProperties",
            "maxProperties",
            "title",
            "description",
        ),
    }
)
"""Keywords that can be left out without a change of what the others mean."""
_BESIDE = frozenset({"properties", "required", "additionalProperties", "allOf", "type"})
_FORMATS = frozenset(
    {
        *("date", "time", "date-time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6"),
        *(
            "uri",
            "uri-reference",
            "iri",
            "iri-reference",
            "uri-template",
            "uuid",
            "json-pointer",
            "relative-json-pointer",
        ),
        "regex",
    }
)
"""The formats of JSON Schema; others, such as OpenAPI's `int64`, forbid no value."""
_TOGETHER = {
    "prefixItems": ("items", "additionalItems"),
    "if": ("then", "else"),
    "then": ("if", "else"),
    "else": ("if", "then"),
    "contains": ("minContains", "maxContains"),
    "patternProperties": ("additionalProperties",),
    "anyOf": ("unevaluatedProperties",),
    "oneOf": ("unevaluatedProperties",),
    "allOf": ("unevaluatedProperties",),
}
"""Keywords whose meaning depends on another, and that are left out with it."""


def repairs(node: Node, keyword: str | None) -> Iterator[Repair]:
    """The repairs of a subschema for a problem, the nearest first; `keyword` is the one that the problem is about."""
    if keyword in _BESIDE:
        yield from alternatives.beside(node)
    if keyword is not None and keyword in node and keyword in _REPAIRS:
        yield from _REPAIRS[keyword](node)
    yield from objects.structure(node)
    yield from alternatives.untyped(node)


def dropped(node: Node, keyword: str) -> Repair:
    """The subschema without a keyword; a note in the description states the constraint."""
    value = node[keyword]
    forbids = keyword in JSON_SCHEMA - ANNOTATIONS and alternatives.is_effective(node, keyword)
    effect = Effect.WIDER if forbids and (keyword != "format" or value in _FORMATS) else Effect.SAME
    if (keyword in ("minItems", "minLength", "minProperties") and value == 0) or (keyword, value) in (
        ("additionalProperties", True),
        ("uniqueItems", False),
        ("required", []),
        ("additionalProperties", {}),
    ):
        return Repair(without(node, keyword), "left out: it forbids nothing")
    return noted(Repair(without(node, keyword, *_TOGETHER.get(keyword, ())), "left out", effect), keyword, value)
