"""Repairs of alternatives: `anyOf`, `oneOf`, and several types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from conformance.tool_definitions.rewriting.change import Effect
from conformance.tool_definitions.rewriting.merge import ANNOTATIONS, merged, types_of
from conformance.tool_definitions.rewriting.repair import Node, Repair, without

_OF_TYPE = {
    "string": ("minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "array": (
        *("items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains"),
        *("minContains", "maxContains", "unevaluatedItems"),
    ),
    "object": (
        *("properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties"),
        *("maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"),
    ),
}
"""The keywords that concern only values of a type."""
_EVERY_TYPE = frozenset(keyword for each in _OF_TYPE.values() for keyword in each)
_SCALARS = ("string", "number", "boolean")


def by_type(node: Node, kinds: Sequence[str]) -> Iterator[Repair]:
    """A schema with several types as an optional one, as alternatives, or with fewer types."""
    rest = without(node, "type")
    real = [each for each in kinds if each != "null"]
    if "null" in kinds and len(real) == 1:
        yield Repair({**rest, "type": real[0], "nullable": True}, "written as `nullable`")
    if not rest.keys() & {"enum", "const", "anyOf"}:
        shared = {key: value for key, value in rest.items() if key not in _EVERY_TYPE}
        split = [{"type": kind, **_only(rest, kind)} for kind in kinds]
        yield Repair({**shared, "anyOf": split}, "written as `anyOf`")
    if "null" in kinds and real:
        values = node.get("enum")
        narrowed = {**rest, "type": real[0] if len(real) == 1 else real}
        if isinstance(values, list):
            narrowed["enum"] = [each for each in values if each is not None]
        yield Repair(narrowed, "null left out", Effect.NARROWER)
    if len(real) > 1:
        yield Repair({**rest, "type": real[0]}, f"only {real[0]} of {', '.join(kinds)} is left", Effect.NARROWER)


def is_effective(node: Node, keyword: str) -> bool:
    """Whether a keyword can forbid a value, by the type of its subschema: the length of a number means nothing."""
    kinds = types_of(node["type"]) if isinstance(node.get("type"), (str, list)) else []
    return not kinds or keyword not in _EVERY_TYPE or any(keyword in _OF_TYPE.get(kind, ()) for kind in kinds)


def _only(node: Node, kind: str) -> Node:
    return {key: node[key] for key in _OF_TYPE.get(kind, ()) if key in node}


def any_of(node: Node) -> Iterator[Repair]:
    """Alternatives as one schema."""
    choices = node["anyOf"]
    if isinstance(choices, list) and choices and all(isinstance(each, dict) for each in choices):
        yield from _joined(without(node, "anyOf"), choices)


def one_of(node: Node) -> Iterator[Repair]:
    """Alternatives that exclude each other as alternatives that need not, or as one schema."""
    choices = node["oneOf"]
    if not isinstance(choices, list) or not choices or not all(isinstance(each, dict) for each in choices):
        return
    rest = without(node, "oneOf")
    effect = Effect.SAME if _disjoint(choices) else Effect.WIDER
    if "anyOf" not in rest:
        yield Repair({**rest, "anyOf": choices}, "written as `anyOf`", effect)
    for repair in _joined(rest, choices):
        yield replace(repair, effect=effect) if repair.effect is Effect.SAME else repair


def _joined(rest: Node, choices: list[Node]) -> Iterator[Repair]:
    """Alternatives without a keyword for alternatives."""
    if len(choices) == 1:
        found, exact = merged(rest, choices[0])
        if isinstance(found, dict):
            yield Repair(found, "the only alternative is merged", Effect.SAME if exact else Effect.WIDER)
    real = [each for each in choices if each != {"type": "null"}]
    if len(real) < len(choices) and len(real) == 1 and isinstance(real[0].get("type"), str):
        found, exact = merged(rest, real[0])
        if exact and isinstance(found, dict):
            yield Repair({**found, "nullable": True}, "written as `nullable`")
            if "enum" not in found and "const" not in found:
                yield Repair({**found, "type": [found["type"], "null"]}, "written as several types")
    constants = _constants(choices)
    if constants is not None and "enum" not in rest:
        yield Repair({**rest, "enum": constants}, "written as `enum`")
    if all(each.keys() <= {"type", *ANNOTATIONS} and "type" in each for each in choices):
        kinds = list(dict.fromkeys(kind for each in choices for kind in types_of(each["type"])))
        yield Repair({**rest, "type": kinds}, "written as several types")
    union = _union(real)
    if union is not None:
        found, _ = merged(rest, union)
        if isinstance(found, dict):
            yield Repair(found, "the properties of all alternatives are in one object", Effect.WIDER)
    if len(choices) > 1:
        first, _ = merged(rest, real[0] if real else choices[0])
        if isinstance(first, dict) and first != rest:
            yield Repair(first, "only the first alternative is left", Effect.NARROWER)


def _constants(choices: list[Node]) -> list[Any] | None:
    """The values of alternatives that are constants alone."""
    values: list[Any] = []
    for each in choices:
        own = [each["const"]] if "const" in each else each.get("enum")
        if not isinstance(own, list) or each.keys() - {"const", "enum", "type", *ANNOTATIONS}:
            return None
        values += [value for value in own if value not in values]
    return values


def _union(choices: list[Node]) -> Node | None:
    """One object with the properties of all; required is what all require. None for alternatives of other kinds."""
    if not choices or not all(_is_object(each) for each in choices):
        return None
    properties: dict[str, list[Any]] = {}
    for each in choices:
        for name, value in each.get("properties", {}).items():
            known = properties.setdefault(name, [])
            if value not in known:
                known.append(value)
    shared = [name for name in _required(choices[0]) if all(name in _required(each) for each in choices[1:])]
    found: Node = {
        "type": "object",
        "properties": {name: own[0] if len(own) == 1 else {"anyOf": own} for name, own in properties.items()},
    }
    if all(each.get("additionalProperties") is False for each in choices):
        found["additionalProperties"] = False
    return {**found, "required": shared} if shared else found


def _is_object(node: Node) -> bool:
    return node.get("type", "object") == "object" and bool(node.keys() & {"type", "properties", "required"})


def _required(node: Node) -> list[Any]:
    value = node.get("required")
    return value if isinstance(value, list) else []


def _disjoint(choices: list[Node]) -> bool:
    """Whether no value can be valid under two of the alternatives, as far as that is plain."""
    return all(_apart(one, other) for one, other in combinations(choices, 2))


def _apart(one: Node, other: Node) -> bool:
    first, second = types_of(one.get("type", [])), types_of(other.get("type", []))
    if first and second and not _overlap(first, second):
        return True
    values, others = _values(one), _values(other)
    if values is not None and others is not None and not any(each in others for each in values):
        return True
    shared = [name for name in _required(one) if name in _required(other)]
    both_objects = one.get("type") == other.get("type") == "object"
    return both_objects and any(_apart_at(one, other, name) for name in shared)


def _apart_at(one: Node, other: Node, name: str) -> bool:
    sides = [each.get("properties", {}).get(name) for each in (one, other)]
    values = [_values(each) if isinstance(each, dict) else None for each in sides]
    return values[0] is not None and values[1] is not None and not any(each in values[1] for each in values[0])


def _overlap(first: list[str], second: list[str]) -> bool:
    return any(each in second or {each, other} == {"integer", "number"} for each in first for other in second)


def _values(node: Node) -> list[Any] | None:
    if "const" in node:
        return [node["const"]]
    value = node.get("enum")
    return value if isinstance(value, list) else None


def untyped(node: Node) -> Iterator[Repair]:
    """A type for a schema without one, if the provider needs it."""
    if node.keys() & {"type", "$ref", "anyOf", "oneOf", "allOf"}:
        return
    for kind, keywords in _OF_TYPE.items():
        if node.keys() & set(keywords):
            yield Repair({"type": kind, **node}, f"type {kind} added", Effect.NARROWER)
    if not node.keys() & {"enum", "const"}:
        yield Repair({**node, "type": [*_SCALARS, "null"]}, "limited to single values", Effect.NARROWER)
        yield Repair({**node, "type": "string"}, "limited to texts", Effect.NARROWER)


def nullable(node: Node) -> Node:
    """A schema that also allows null."""
    kinds = types_of(node.get("type", []))
    if not node.keys() - ANNOTATIONS or ("null" in kinds and not node.keys() & {"enum", "const"}):
        return node
    if kinds and "object" not in kinds and not node.keys() & {"anyOf", "oneOf", "allOf", "not", "if", "$ref"}:
        found = {**node, "type": list(dict.fromkeys([*kinds, "null"]))}
        values = _values(node)
        if values is not None and None not in values:
            found = {**without(found, "const"), "enum": [*values, None]}
        return found
    if isinstance(node.get("anyOf"), list) and not node.keys() - {"anyOf", *ANNOTATIONS}:
        has = any(isinstance(each, dict) and "null" in types_of(each.get("type", [])) for each in node["anyOf"])
        return node if has else {**node, "anyOf": [*node["anyOf"], {"type": "null"}]}
    outer = {key: value for key, value in node.items() if key in ("title", "description", "default")}
    inner = without(node, *outer)
    return {**outer, "anyOf": [inner, {"type": "null"}]}


def distributed(node: Node, key: str) -> tuple[Node, bool]:
    """The subschema with what stands beside its alternatives in each of them, and whether that is exact."""
    base = without(node, key, *ANNOTATIONS)
    parts = [merged(base, each) for each in node[key]]
    outer = {name: value for name, value in node.items() if name in ANNOTATIONS}
    return {**outer, key: [each for each, _ in parts]}, all(exact for _, exact in parts)


def beside(node: Node) -> Iterator[Repair]:
    """Alternatives that have what stood beside them."""
    for key in ("anyOf", "oneOf"):
        choices = node.get(key)
        if isinstance(choices, list) and all(isinstance(each, (dict, bool)) for each in choices):
            found, exact = distributed(node, key)
            yield Repair(found, "put into each alternative", Effect.SAME if exact else Effect.WIDER)
