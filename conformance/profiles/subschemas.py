"""The subschemas of a JSON Schema, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model.pointer import get, join

_ONE = ("items", "additionalProperties", "not", "contains", "if", "then", "else", "propertyNames")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
_DEEPEST = 40


def subschemas(schema: Any, at: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The schema and all its subschemas that are objects, with their JSON pointers; not values such as `default`."""
    waiting = [(schema, at, 0)]
    while waiting:
        each, place, depth = waiting.pop()
        if not isinstance(each, dict):
            continue
        yield each, place
        if depth < _DEEPEST:
            inner = [(value, at, depth + 1) for value, at in _inner(each, place)]
            waiting += reversed(inner)


def _inner(schema: dict[str, Any], at: str) -> Iterator[tuple[Any, str]]:
    for key in _ONE:
        if key in schema:
            yield schema[key], join(at, key)
    for key in _LISTS:
        choices = schema.get(key)
        for number, each in enumerate(choices if isinstance(choices, list) else ()):
            yield each, join(at, key, number)
    for key in _NAMED:
        named = schema.get(key)
        for name, each in (named if isinstance(named, dict) else {}).items():
            yield each, join(at, key, name)


def reached(schema: Any, at: str, reference: Any, seen: set[str]) -> set[str]:
    """The places of all schemas within the target of a reference, and within those that they refer to.

    `at` is the place of the schema, and `seen` holds the references that were followed already.
    """
    if not isinstance(reference, str) or not reference.startswith("#") or reference in seen:
        return set()
    seen.add(reference)
    within = list(subschemas(get(schema, reference[1:]), f"{at}{reference[1:]}"))
    found = {place for _, place in within}
    for each, _ in within:
        found |= reached(schema, at, each.get("$ref"), seen)
    return found


def place_of(holder: Any, wanted: Any, at: str) -> str | None:
    """The place of the unchanged schema in the value of a tool; None if the dialect changes its form."""
    return next(_places(holder, wanted, at, 0), None)


def _places(value: Any, wanted: Any, at: str, depth: int) -> Iterator[str]:
    if value is wanted:
        yield at
    elif isinstance(value, dict) and depth < 3:
        for key, each in value.items():
            yield from _places(each, wanted, join(at, key), depth + 1)
