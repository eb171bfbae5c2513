"""The limits of a provider that a list of tools, or the schema of one, exceeds."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any

from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sized_cache import sized_cache
from conformance.profiles.tool_keywords import Occurrence, read_schema
from conformance.profiles.tool_variants import Limit, Variant

_MANY = 250
"""The values that an `enum` can have without a limit on its characters."""


@dataclass(frozen=True, slots=True, eq=False)
class Exceeded:
    """A limit that a schema or a list of tools exceeds: where, with how much."""

    limit: Limit
    pointer: str
    found: str


def exceeded(schema: Any, variant: Variant, day: date | None = None) -> tuple[Exceeded, ...]:
    """The limits on one schema that it exceeds."""
    try:
        return _exceeded(marshal.dumps(schema, 2), variant, day)
    except ValueError:
        return ()


@sized_cache(1024)
def _exceeded(schema: bytes, variant: Variant, day: date | None) -> tuple[Exceeded, ...]:
    if not any(limit.measure in _OF_A_SCHEMA for limit in variant.limits):
        return ()
    _, found = read_schema(schema, variant.form)
    over = []
    for limit in (each for each in variant.limits if each.holds(day)):
        count = _COUNTS.get(limit.measure)
        if count is not None:
            number, pointer = count(found)
            if number > limit.most:
                over.append(Exceeded(limit, pointer, str(number)))
        elif limit.measure == "property-name":
            over += _misnamed(limit, found)
    return tuple(over)


def _misnamed(limit: Limit, found: Sequence[Occurrence]) -> Iterator[Exceeded]:
    for each in found:
        if each.keyword == "properties" and isinstance(each.value, dict) and (limit.at is None or each.root):
            for name in each.value:
                if limit.pattern is not None and limit.pattern.fullmatch(name) is None:
                    yield Exceeded(limit, join(each.pointer, name), name)


def of_list(
    names: Sequence[tuple[str | None, str | None]], variant: Variant, day: date | None = None
) -> list[tuple[int | None, Exceeded]]:
    """The limits on a list of tools that it exceeds, each with the number of its tool; None for that of their number.

    `names` are the tools' names and descriptions.
    """
    found: list[tuple[int | None, Exceeded]] = []
    for limit in (each for each in variant.limits if each.holds(day)):
        if limit.measure == "tools" and len(names) > limit.most:
            found.append((None, Exceeded(limit, "", str(len(names)))))
        for number, (name, description) in enumerate(names):
            if _too_much(limit, name or "", description or ""):
                text = description if limit.measure == "description-length" else name
                shown = str(len(text or "")) if limit.pattern is None else name or ""
                found.append((number, Exceeded(limit, "", shown)))
    return found


def _too_much(limit: Limit, name: str, description: str) -> bool:
    if limit.measure == "name":
        return limit.pattern is not None and limit.pattern.fullmatch(name) is None
    measured = {"name-length": name, "description-length": description}.get(limit.measure)
    return measured is not None and len(measured) > limit.most


def _properties(found: Sequence[Occurrence]) -> tuple[int, str]:
    held = [each for each in found if each.keyword == "properties" and isinstance(each.value, dict)]
    return sum(len(each.value) for each in held), ""


def _depth(found: Sequence[Occurrence]) -> tuple[int, str]:
    """The deepest object, and its place."""
    held = [each for each in found if each.keyword == "properties" and isinstance(each.value, dict)]
    places = {each.pointer for each in held}
    deepest = max(((_levels(each.pointer, places), each.pointer) for each in held), default=(0, ""))
    return deepest[0], deepest[1].rpartition("/")[0]


def _levels(pointer: str, places: set[str]) -> int:
    """The number of objects around a place, itself included."""
    return sum(pointer == each or pointer.startswith(f"{each}/") for each in places)


def _enum_values(found: Sequence[Occurrence]) -> tuple[int, str]:
    held = [each for each in found if each.keyword == "enum" and isinstance(each.value, list)]
    largest = max(held, key=lambda each: len(each.value), default=None)
    return sum(len(each.value) for each in held), "" if largest is None else largest.pointer


def _names_size(found: Sequence[Occurrence]) -> tuple[int, str]:
    total = 0
    for each in found:
        if each.keyword in ("properties", "$defs", "definitions") and isinstance(each.value, dict):
            total += sum(map(len, each.value))
        elif each.keyword == "enum" and isinstance(each.value, list):
            total += sum(len(value) for value in each.value if isinstance(value, str))
        elif each.keyword == "const" and isinstance(each.value, str):
            total += len(each.value)
    return total, ""


def _enum_size(found: Sequence[Occurrence]) -> tuple[int, str]:
    held = [(each.value, each.pointer) for each in found if each.keyword == "enum" and isinstance(each.value, list)]
    sizes = [
        (sum(len(one) for one in values if isinstance(one, str)), at) for values, at in held if len(values) > _MANY
    ]
    return max(sizes, default=(0, ""))


_COUNTS: dict[str, Callable[[Sequence[Occurrence]], tuple[int, str]]] = {
    "properties": _properties,
    "depth": _depth,
    "enum-values": _enum_values,
    "names-size": _names_size,
    "enum-size": _enum_size,
}


_OF_A_SCHEMA = frozenset((*_COUNTS, "property-name"))
