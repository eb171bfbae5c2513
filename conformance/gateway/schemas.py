"""Compares the schemas of a tool's parameters on both legs, keyword by keyword."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from conformance.model.jsontext import same
from conformance.model.pointer import join

Change = tuple[Literal["dropped", "changed", "unexpected"], str, Any, Any]
"""What happened to the keyword at a pointer: its value before, and its value after."""

_UNORDERED = ("required", "enum", "type")
_ABSENT = object()
_USUAL = ("type", "properties", "required", "$schema", "$defs")
"""Keywords that mean nothing new if they are added with their empty value, or name the language."""


def has_parameters(schema: Any) -> bool:
    """Whether the schema declares any parameter."""
    return isinstance(schema, Mapping) and bool(schema.get("properties") or set(schema) & {"anyOf", "oneOf", "$ref"})


def changes(one: Any, other: Any, pointer: str = "") -> Iterator[Change]:
    """What differs between two schemas. Spellings of the same thing do not: `nullable`, upper-case types, order."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        yield from _of_objects(_plain(one), _plain(other), pointer)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (before, after) in enumerate(zip(one, other, strict=True)):
            yield from changes(before, after, join(pointer, number))
    elif not same(one, other):
        yield "changed", pointer, one, other


def _of_objects(one: Mapping[str, Any], other: Mapping[str, Any], pointer: str) -> Iterator[Change]:
    for key, before in one.items():
        after = other.get(key, _ABSENT)
        at = join(pointer, key)
        if after is _ABSENT:
            if not _says_nothing(key, before):
                yield "dropped", at, before, None
        elif key in _UNORDERED:
            if not same(_sorted(before), _sorted(after)):
                yield "changed", at, before, after
        else:
            yield from changes(before, after, at)
    for key, after in other.items():
        if key not in one and not _says_nothing(key, after) and not (key == "type" and after == "object"):
            yield "unexpected", join(pointer, key), None, after


def _says_nothing(key: str, value: Any) -> bool:
    return key == "$schema" or (key in _USUAL and value in ({}, [], None))


def _sorted(value: Any) -> Any:
    return sorted(value, key=str) if isinstance(value, list) else value


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with types in lower case, and `nullable` as a type."""
    found = dict(schema)
    kind = found.get("type")
    if isinstance(kind, str):
        found["type"] = kind.lower()
    if found.get("nullable") is True and isinstance(found.get("type"), str):
        found["type"] = [found["type"], "null"]
        del found["nullable"]
    if isinstance(found.get("type"), list):
        kinds = [each.lower() if isinstance(each, str) else each for each in found["type"]]
        found["type"] = kinds[0] if len(kinds) == 1 else kinds
    return found
