"""What becomes of each keyword of a tool's schema at a provider, and which limits of the provider it exceeds."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from conformance.judge.subschemas import reached
from conformance.judge.tool_schema import fits
from conformance.judge.tool_variants import ALL, OTHERS, KeywordRow, Limit, Outcome, Variant
from conformance.model.pointer import get, join
from conformance.model.registry import all_dialects

_ONE = (
    *("items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties"),
    *("propertyNames", "not", "if", "then", "else", "contentSchema"),
)
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "defs", "dependentSchemas", "dependencies")
_DEEPEST = 60

JSON_SCHEMA = frozenset(
    (
        *_ONE,
        *_LISTS,
        *(name for name in _NAMED if name != "defs"),
        *("type", "enum", "const", "required", "format", "pattern", "minLength", "maxLength"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minItems", "maxItems", "uniqueItems", "minContains", "maxContains"),
        *("minProperties", "maxProperties", "dependentRequired", "contentEncoding", "contentMediaType"),
        *("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"),
        *("$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"),
        *("$vocabulary", "$comment", "id"),
    )
)
"""The keywords of JSON Schema, draft 4 to 2020-12."""
ANNOTATIONS = frozenset(
    (
        *("title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$schema"),
        *("$id", "$comment", "$vocabulary", "$anchor", "$dynamicAnchor", "id", "definitions", "$defs", "defs"),
        *("contentEncoding", "contentMediaType", "contentSchema", "propertyOrdering"),
    )
)
"""Keywords that forbid no value: nothing is lost where they are ignored."""


@dataclass(frozen=True, slots=True, eq=False)
class Occurrence:
    """A keyword in a schema. `pointer` leads to its value, from the root; `within` is the subschema that has it."""

    keyword: str
    value: Any
    pointer: str
    within: dict[str, Any]
    root: bool


@dataclass(frozen=True, slots=True, eq=False)
class Treated:
    """What becomes of a keyword at one place. `row` is the evidence; None if nothing is known."""

    occurrence: Occurrence
    outcome: Outcome
    row: KeywordRow | None

    @property
    def loses(self) -> bool:
        """Whether the model may send values that the schema forbids, because the provider does not use the keyword."""
        return self.outcome in (Outcome.IGNORED, Outcome.REWRITTEN) and self.occurrence.keyword not in ANNOTATIONS


@dataclass(frozen=True, slots=True, eq=False)
class Exceeded:
    """A limit that a schema or a list of tools exceeds: where, with how much."""

    limit: Limit
    pointer: str
    found: str


def occurrences(
    schema: Any, at: str = "", depth: int = 0, *, spelled: Callable[[str], str] = str
) -> Iterator[Occurrence]:
    """Every keyword of a schema and its subschemas, with its place; names of properties and values are no keywords.

    `spelled` gives the one spelling of a keyword that has several.
    """
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    for given, value in schema.items():
        keyword, place = spelled(given), join(at, given)
        yield Occurrence(keyword, value, place, schema, depth == 0)
        if keyword in _NAMED and isinstance(value, dict):
            for name, each in value.items():
                yield from occurrences(each, join(place, name), depth + 1, spelled=spelled)
        elif keyword in _LISTS and isinstance(value, list):
            for number, each in enumerate(value):
                yield from occurrences(each, join(place, number), depth + 1, spelled=spelled)
        elif keyword in _ONE:
            yield from occurrences(value, place, depth + 1, spelled=spelled)


def treated(schema: Any, variant: Variant, day: date | None = None) -> tuple[Treated, ...]:
    """What becomes of each keyword of a schema.

    `day` is that of the request; if it is unknown, rows with days are not used. The result is cached, because a run
    sends the same tools over and over.
    """
    try:
        return _treated(
            marshal.dumps(schema, 2), variant, day
        )  # version 2 has no references: equal values, equal bytes
    except ValueError:  # nested too deeply, or a value that is not JSON
        return ()


def exceeded(schema: Any, variant: Variant, day: date | None = None) -> tuple[Exceeded, ...]:
    """The limits on one schema that it exceeds."""
    try:
        return _exceeded(marshal.dumps(schema, 2), variant, day)
    except ValueError:
        return ()


@lru_cache(maxsize=1024)
def _treated(schema: bytes, variant: Variant, day: date | None) -> tuple[Treated, ...]:
    root, found = _read(schema, variant.form)
    return tuple(_judged(each, root, variant, day) for each in found)


@lru_cache(maxsize=1024)
def _read(schema: bytes, form: str) -> tuple[Any, tuple[Occurrence, ...]]:
    """The schema and its keywords."""
    root = marshal.loads(schema)  # noqa: S302 - we dumped it
    return root, tuple(occurrences(root, spelled=_spelling(form)))


def _spelling(form: str) -> Callable[[str], str]:
    dialect = all_dialects().get(form)
    return (dialect.normalise_key if dialect is not None else None) or str


def _judged(found: Occurrence, root: Any, variant: Variant, day: date | None) -> Treated:
    row = next((row for row in variant.rows if row.holds(day) and applies(row, found, root)), None)
    return Treated(found, Outcome.UNKNOWN if row is None else row.outcome, row)


def applies(row: KeywordRow, found: Occurrence, root: Any) -> bool:
    """Whether a row is about a keyword at this place of a schema."""
    named = found.keyword in row.keywords or (ALL if found.keyword in JSON_SCHEMA else OTHERS) in row.keywords
    return (
        named
        and (row.at is None or (row.at == "root") is found.root)
        and (row.value is None or fits(found.value, row.value))
        and (found.keyword not in row.values or fits(found.value, row.values[found.keyword]))
        and (row.beside is None or fits(found.within, row.beside))
        and (row.recursive is None or row.recursive is _recursive(found, root))
    )


def _recursive(found: Occurrence, root: Any) -> bool:
    """Whether the target of a reference contains the reference."""
    return found.pointer.rpartition("/")[0] in reached(root, "", found.value, set())


@lru_cache(maxsize=1024)
def _exceeded(schema: bytes, variant: Variant, day: date | None) -> tuple[Exceeded, ...]:
    if not any(limit.measure in _OF_A_SCHEMA for limit in variant.limits):
        return ()
    _, found = _read(schema, variant.form)
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


_COUNTS: dict[str, Callable[[Sequence[Occurrence]], tuple[int, str]]] = {
    "properties": _properties,
    "depth": _depth,
    "enum-values": _enum_values,
    "names-size": _names_size,
}


_OF_A_SCHEMA = frozenset((*_COUNTS, "property-name"))


def schema_in(tool: Any, variant: Variant) -> tuple[Any, str] | None:
    """The schema of a tool definition in the variant's form, with its pointer in the definition; None without one.

    Where the form accepts two spellings of a key (`parametersJsonSchema`, `parameters_json_schema`), either counts.
    """
    at, spelled = "", _spelling(variant.form)
    for step in variant.schema_at.split("/")[1:]:
        if not isinstance(tool, dict):
            return None
        given = next((key for key in tool if spelled(key) == step), None)
        if given is None:
            return None
        tool, at = get(tool, join("", given)), join(at, given)
    return tool, at
