"""An upper bound of the work of validating a value under a schema, computed before any validator runs.

The schema comes from a stranger: nineteen definitions that each refer twice to the next one take half a million steps,
and nested `unevaluatedProperties` multiply. The bound counts pairs of a subschema and a part of the value. A
schema without references has at most (its size) x (the size of the value) of them; references are counted as often as
they are followed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from conformance.model.frozen import dataclass
from conformance.model.pointer import MISSING, get

_LISTED = ("allOf", "anyOf", "oneOf")
_SINGLE = ("not", "if", "then", "else")
_BRANCHES = ("dependentSchemas", "dependencies")
_EACH = ("additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "contains", "items")
_BY_NAME = ("$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor")
_REVISITS = ("unevaluatedProperties", "unevaluatedItems")
"""For each part of the value, a validator asks the neighbours of these keywords again."""

_MOST_PAIRS = 20_000
"""The number of pairs that are counted one by one; this many take some 50 ms."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What decides the work of a schema. `expanded` is its size when each reference is replaced by its target: None if
    it refers to itself, so that the value decides. `refusal` is why it can never run.
    """

    expanded: float | None
    patterns: int = 0
    letters: int = 0
    """The length of all patterns."""
    unique: bool = False
    named: bool = False
    """Whether it has `patternProperties`."""
    refusal: str | None = None


def shape_of(schema: Any) -> Shape:
    """The shape of a schema. It takes time in proportion to the schema's size."""
    patterns = letters = 0
    unique = named = revisits = refers = moves = False
    waiting = [schema]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += each
        if not isinstance(each, dict):
            continue
        if isinstance(pattern := each.get("pattern"), str):
            patterns, letters = patterns + 1, letters + len(pattern)
        if isinstance(listed := each.get("patternProperties"), dict):
            patterns, letters, named = patterns + len(listed), letters + sum(map(len, listed)), True
        unique = unique or each.get("uniqueItems") is True
        revisits = revisits or not each.keys().isdisjoint(_REVISITS)
        moves = moves or (each is not schema and isinstance(each.get("$id"), str))
        if any(isinstance(each.get(word), str) for word in _BY_NAME):
            return Shape(None, refusal="the schema refers to its parts by anchors")
        if isinstance(ref := each.get("$ref"), str):
            refers = True
            if _target(schema, ref) is MISSING:
                return Shape(None, refusal="the schema refers to something outside itself")
        waiting += each.values()
    if refers and moves:
        return Shape(None, refusal="the schema refers to its parts by ids")
    return Shape(None if revisits else _expanded(schema), patterns, letters, unique, named)


def _expanded(schema: Any) -> float | None:
    """The size of the schema with each reference replaced by its target; None if that has no end."""
    known: dict[int, float] = {}
    open_: set[int] = set()
    stack: list[tuple[Any, list[Any], list[float]]] = []

    def push(one: Any) -> None:
        parts = list(one.values()) if isinstance(one, dict) else list(one)
        if isinstance(one, dict) and isinstance(ref := one.get("$ref"), str):
            parts.append(_target(schema, ref))
        containers = [each for each in parts if isinstance(each, (dict, list))]
        open_.add(id(one))
        stack.append((one, containers, [1.0 + len(parts) - len(containers)]))

    if not isinstance(schema, (dict, list)):
        return 1
    push(schema)
    while stack:
        one, rest, total = stack[-1]
        if rest:
            following = rest.pop()
            if id(following) in open_:
                return None
            if id(following) in known:
                total[0] += known[id(following)]
            else:
                push(following)
            continue
        stack.pop()
        open_.discard(id(one))
        known[id(one)] = total[0]
        if stack:
            stack[-1][2][0] += total[0]
    return known[id(schema)]


def size_of(value: Any, most: float = math.inf) -> int:
    """The number of values in a JSON value, including itself; it stops counting above `most`."""
    size = 0
    waiting = [value]
    while waiting and size <= most:
        each = waiting.pop()
        size += 1
        if isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return size


def depth_of(value: Any) -> int:
    """How deeply a JSON value is nested; 0 for a scalar."""
    depth = 0
    level = [value]
    while level := [each for each in level if isinstance(each, (dict, list))]:
        depth += 1
        level = [part for each in level for part in (each.values() if isinstance(each, dict) else each)]
    return depth


def length_of(value: Any) -> int:
    """The number of characters in the strings of a JSON value."""
    length = 0
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            length += len(each)
        elif isinstance(each, dict):
            length += sum(map(len, each))
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return length


def work_of(schema: Any, value: Any) -> float:
    """The steps of validating the value, with all references followed; infinite if it has no end or too many pairs."""
    known: dict[tuple[int, int], float] = {}
    open_: set[tuple[int, int]] = set()
    names: list[Any] = []  # keeps the keys alive that are examined as values: their ids stay different
    result = 0.0

    def pushed(one: Any, part: Any) -> tuple[tuple[int, int], Any, Any, Iterator[tuple[Any, Any]], list[float]]:
        pair = (id(one), id(part))
        open_.add(pair)
        return pair, one, part, _applied(schema, one, part, names), [_own(one, part)]

    stack = [pushed(schema, value)]
    while stack:
        pair, one, part, rest, total = stack[-1]
        following = next(rest, None)
        if following is not None:
            nearest = (id(following[0]), id(following[1]))
            if nearest in known:
                total[0] += known[nearest]
            elif nearest in open_ or len(known) > _MOST_PAIRS:
                return math.inf
            else:
                stack.append(pushed(*following))
            continue
        stack.pop()
        open_.discard(pair)
        result = total[0]
        if isinstance(one, dict) and not one.keys().isdisjoint(_REVISITS):
            result *= 2 + (len(part) if isinstance(part, (dict, list)) else 0)
        known[pair] = result
        if stack:
            stack[-1][4][0] += result
    return result


def _own(schema: Any, value: Any) -> float:
    """The work of the keywords that apply no other schema."""
    if not isinstance(schema, dict):
        return 1
    work = 1 + len(schema)
    for word in ("enum", "const"):
        if isinstance(listed := schema.get(word), (dict, list)):
            work += size_of(listed)
    for word in ("required", "type"):
        if isinstance(listed := schema.get(word), list):
            work += len(listed)
    for word in ("dependentRequired", "dependencies"):
        if isinstance(named := schema.get(word), dict):
            work += size_of(named)
    if schema.get("uniqueItems") is True and isinstance(value, list):
        work += size_of(value)
    return work


def _applied(root: Any, schema: Any, value: Any, names: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Each schema that a schema applies, with the part of the value that it applies to."""
    if not isinstance(schema, dict):
        return
    if isinstance(ref := schema.get("$ref"), str):
        yield _target(root, ref), value
    for word in _LISTED:
        if isinstance(listed := schema.get(word), list):
            yield from ((each, value) for each in listed)
    for word in _SINGLE:
        if word in schema:
            yield schema[word], value
    for word in _BRANCHES:
        if isinstance(named := schema.get(word), dict):
            yield from ((each, value) for each in named.values())
    yield from _inside(schema, value, names)


def _inside(schema: dict[str, Any], value: Any, names: list[Any]) -> Iterator[tuple[Any, Any]]:
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = list(value.values())
        named = schema.get("properties")
        for name in named if isinstance(named, dict) and len(named) < len(value) else value:
            if isinstance(named, dict) and name in named and name in value:
                yield named[name], value[name]
        if isinstance(named := schema.get("patternProperties"), dict):
            yield from ((each, part) for each in named.values() for part in parts)
        if "propertyNames" in schema:
            names.append(keys := list(value))
            yield from ((schema["propertyNames"], key) for key in keys)
    elif isinstance(value, list):
        parts = value
        for word in ("prefixItems", "items"):
            if isinstance(listed := schema.get(word), list):
                yield from zip(listed, value, strict=False)
    for word in _EACH:
        if isinstance(one := schema.get(word), (dict, bool)):
            yield from ((one, part) for part in parts)


def _target(root: Any, ref: str) -> Any:
    """The target of a `$ref` in the same schema."""
    if not ref.startswith("#") or (len(ref) > 1 and ref[1] != "/"):
        return MISSING
    from urllib.parse import unquote

    return get(root, unquote(ref[1:]))
