"""Finds arguments that show a difference between two schemas: valid under one, not under the other."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import jsonschema_rs

from conformance.model import pointer as pointers
from conformance.model.pointer import MISSING, join, split
from conformance.profiles.tool_schema import fits, misfits, refuse
from conformance.tool_definitions.rewriting.change import Effect
from conformance.tool_definitions.rewriting.children import CHILD, CHILDREN, NAMED_CHILDREN
from conformance.tool_definitions.rewriting.fit import Step
from conformance.tool_definitions.rewriting.references import name_of
from conformance.tool_definitions.rewriting.repair import without
from conformance.tool_definitions.rewriting.values import Sampler

Frame = Callable[[Any], Any]
_TRIES = 30
_LARGE = 20_000
"""From this size on, in bytes, few values of the whole schema are tried."""
_FEW = 4
_CHOICE = 6
"""How many instances the plainest is chosen from."""
_EVERYWHERE = 150
_MOST_TEXT, _MOST_ITEMS = 10**5, 1000
_NAMES = ("undeclared", "x", "1", "A b", "b", "xy", "", "a")
_OBJECTS = frozenset(
    {
        *("additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames", "minProperties"),
        *("maxProperties", "dependentRequired", "dependentSchemas", "required", "properties"),
    }
)
_APPLIED = frozenset({"not", "if", "then", "else", "anyOf", "oneOf", "allOf", "contains"})
_OTHER_TEXTS = ("", "a", "not a format", "zzzzzzzzzz", "\u00e9\u00e9", "A" * 300, "1", "~")
_OTHER_NUMBERS = (0, -1, 1, 0.5, -1000, 10**9)


def instance_of(step: Step, given: dict[str, Any], rewritten: dict[str, Any]) -> Any:
    """Arguments that show the effect of a step; `MISSING` if none is found.

    `given` and `rewritten` are the whole schemas. They are valid under the rewritten one and not under the given one,
    or the reverse if the step narrows.
    """
    wider = step.effect is Effect.WIDER
    allows, forbids = (rewritten, given) if wider else (given, rewritten)
    place = step.at if wider else step.origin
    formats = step.keyword == "format" and wider
    found = (
        value
        for value in _values(step, allows, given, place, wider=wider)
        if is_instance(value, allows, forbids, formats=formats)
    )
    return min(islice(found, _CHOICE), key=lambda value: _faults(value, forbids), default=MISSING)


def _faults(value: Any, schema: dict[str, Any]) -> int:
    """How many places of a value are not valid: one that is wrong in one place shows most."""
    return len({place for place, _ in misfits(value, schema)})


def is_instance(value: Any, allows: dict[str, Any], forbids: dict[str, Any], *, formats: bool = False) -> bool:
    """Whether a value is valid under the first schema and not under the second. `formats` are checked if asked for."""
    if not fits(value, allows):
        return False
    if not fits(value, forbids):
        return True
    return formats and not _fits_formats(value, forbids)


def _fits_formats(value: Any, schema: dict[str, Any]) -> bool:
    try:
        return bool(jsonschema_rs.validator_for(schema, validate_formats=True, retriever=refuse).is_valid(value))
    except (ValueError, jsonschema_rs.ReferencingError):
        return True


def _values(step: Step, schema: dict[str, Any], given: dict[str, Any], place: str, *, wider: bool) -> Iterator[Any]:
    """Candidates: with a value at a bound at the place of the step, then any."""
    sampler = Sampler(schema)
    route = _route(schema, place)
    node = pointers.get(schema, place)
    if route is not None and node is not MISSING:
        frames = _frames(schema, route, sampler)
        for local in _local(step, sampler, Sampler(given), node, wider=wider):
            yield _framed(local, frames)
    for _ in range(_EVERYWHERE if _size(schema) < _LARGE else _FEW):
        yield sampler.value(schema)


def _size(schema: Any) -> int:
    try:
        return len(marshal.dumps(schema, 2))
    except ValueError:
        return _LARGE


def _local(step: Step, sampler: Sampler, given: Sampler, node: Any, *, wider: bool) -> Iterator[Any]:
    """Values for the subschema of a step: those that its keyword is about, then any."""
    keyword, before = step.keyword or "", step.before
    if wider:
        yield from _at_bounds(keyword, before.get(keyword), node, sampler)
    values: tuple[Any, ...]
    if isinstance(node, dict) and (keyword in _OBJECTS or not keyword):
        least = _object(sampler, node)
        declared = node.get("properties")
        for name, schema in (declared if isinstance(declared, dict) else {}).items():
            yield from ({**least, name: value} for value in (None, sampler.value(schema)))
        values = ("a", None, {}, 10**9, [])
        yield from ({**least, name: each} for name in _NAMES for each in values)
        yield from ({**least, **dict.fromkeys(_NAMES[:count])} for count in range(1, len(_NAMES)))
    if keyword == "$ref":
        names = given.names(before if step.origin == "" else given.at(step.origin))
        values = ("a", 1, None, [], {}, [1])
        yield from ({name: each} for name in names for each in values)
    for part in _parts(before, keyword):
        yield from (given.value(part) for _ in range(_FEW))
    for _ in range(_TRIES):
        yield sampler.value(node)
    yield from (*_OTHER_TEXTS, *_OTHER_NUMBERS, None, True, [], {})


def _at_bounds(keyword: str, value: Any, node: Any, sampler: Sampler) -> Iterator[Any]:
    """The values around a bound, and a list with the same item twice."""
    items = node.get("items", {}) if isinstance(node, dict) else {}
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if keyword in ("minLength", "maxLength"):
            yield from ("a" * max(0, int(value) + each) for each in (-1, 1) if value < _MOST_TEXT)
        elif keyword in ("minItems", "maxItems") and value < _MOST_ITEMS:
            yield from ([sampler.value(items) for _ in range(max(0, int(value) + each))] for each in (-1, 1))
        else:
            yield from (value + each for each in (-1, 1, 0, 0.5, -0.5))
    if keyword == "uniqueItems":
        yield from ([each, each] for each in (sampler.value(items) for _ in range(_FEW)))


def _parts(before: Any, keyword: str) -> list[Any]:
    """The schemas in a keyword: what one of them allows may be what the whole forbids."""
    value = before.get(keyword)
    parts = value if isinstance(value, list) else [value]
    return [each for each in parts if isinstance(each, dict)] if keyword in _APPLIED else []


def _object(sampler: Sampler, node: Any) -> dict[str, Any]:
    found = sampler.value(node, plain=True)
    return found if isinstance(found, dict) else {}


def _route(schema: dict[str, Any], place: str) -> list[str] | None:
    """The steps from the root to a place as a value meets it: through references into `$defs`."""
    waiting: list[tuple[str, list[str]]] = [("", [])]
    seen: set[str] = set()
    while waiting:
        at, route = waiting.pop(0)
        if at == place:
            return route
        if at in seen or len(seen) > 5000:
            continue
        seen.add(at)
        node = pointers.get(schema, at)
        if isinstance(node, dict):
            waiting += [(child, [*route, child]) for child in _children(node, at)]
    return None


def _children(node: dict[str, Any], at: str) -> Iterator[str]:
    name = name_of(node.get("$ref"))
    if name is not None:
        yield join("/$defs", name)
    elif isinstance(node.get("$ref"), str) and node["$ref"].startswith("#"):
        yield node["$ref"][1:]
    for key, value in node.items():
        if key in CHILDREN and isinstance(value, list):
            yield from (join(at, key, number) for number in range(len(value)))
        elif key in NAMED_CHILDREN and isinstance(value, dict):
            yield from (join(at, key, name) for name in value)
        elif key in CHILD and isinstance(value, dict):
            yield join(at, key)


def _frames(schema: dict[str, Any], route: list[str], sampler: Sampler) -> list[Frame]:
    """What stands around a value at the end of a route, from the inside outwards; drawn once, because it is large."""
    places = ["", *route]
    frames = []
    for before, after in zip(reversed(places[:-1]), reversed(places[1:]), strict=True):
        node = pointers.get(schema, before)
        steps = split(after[len(before) :]) if after.startswith(f"{before}/") else []
        frames.append(_frame(node, steps, sampler))
    return frames


def _framed(value: Any, frames: list[Frame]) -> Any:
    for frame in frames:
        value = frame(value)
    return value


def _frame(node: Any, steps: list[str], sampler: Sampler) -> Frame:
    """Makes a value of a subschema of the value of a subschema of it."""
    if not isinstance(node, dict) or not steps:
        return lambda value: value
    match steps[0]:
        case "properties" | "additionalProperties" | "patternProperties":
            name = steps[1] if steps[0] == "properties" else "undeclared"
            around = _object(sampler, without(node, "anyOf", "oneOf"))
            return lambda value: {**around, name: value}
        case "items" if len(steps) == 1:
            first = sampler.array(without(node, "minItems"), 0, plain=True)
            low = node.get("minItems", 1)
            count = max(1, low - len(first) if isinstance(low, int) and low < _MOST_ITEMS else 1)
            return lambda value: [*first, *[value] * count]
        case "prefixItems" | "items":
            number = int(steps[1])
            own = sampler.array({**node, "minItems": number + 1}, 0, plain=True)
            return lambda value: [*own[:number], value, *own[number + 1 :]]
    return lambda value: value
