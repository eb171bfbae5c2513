"""What becomes of each keyword of a tool's schema at a provider."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from conformance.model.frozen import dataclass
from conformance.model.pointer import get, join
from conformance.model.registry import all_dialects
from conformance.model.sized_cache import sized_cache
from conformance.profiles.subschemas import reached
from conformance.profiles.tool_schema import fits
from conformance.profiles.tool_variants import ALL, OTHERS, KeywordRow, Outcome, Variant

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
    """A keyword in a schema. `pointer` leads to its value, from the root; `within` is the subschema that has it.

    `around` are the keywords on the way to that subschema; none for the root.
    """

    keyword: str
    value: Any
    pointer: str
    within: dict[str, Any]
    around: tuple[str, ...]

    @property
    def root(self) -> bool:
        """Whether it is in the root of the schema."""
        return not self.around


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


def occurrences(schema: Any, *, spelled: Callable[[str], str] = str) -> Iterator[Occurrence]:
    """Every keyword of a schema and its subschemas, with its place; names of properties and values are no keywords.

    `spelled` gives the one spelling of a keyword that has several.
    """
    open_ = [_keywords(schema, "", (), spelled)]
    while open_:
        found = next(open_[-1], None)
        if found is None:
            open_.pop()
            continue
        yield found
        within = (*found.around, found.keyword)
        if len(within) <= _DEEPEST:
            inner = [_keywords(each, at, within, spelled) for each, at in _inner(found)]
            open_ += reversed(inner)


def _keywords(schema: Any, at: str, around: tuple[str, ...], spelled: Callable[[str], str]) -> Iterator[Occurrence]:
    for given, value in schema.items() if isinstance(schema, dict) else ():
        yield Occurrence(spelled(given), value, join(at, given), schema, around)


def _inner(found: Occurrence) -> Iterator[tuple[Any, str]]:
    """The subschemas in the value of a keyword, each with its place."""
    keyword, value, place = found.keyword, found.value, found.pointer
    if keyword in _NAMED and isinstance(value, dict):
        yield from ((each, join(place, name)) for name, each in value.items())
    elif keyword in _LISTS and isinstance(value, list):
        yield from ((each, join(place, number)) for number, each in enumerate(value))
    elif keyword in _ONE:
        yield value, place


def treated(schema: Any, variant: Variant, day: date | None = None) -> tuple[Treated, ...]:
    """What becomes of each keyword of a schema.

    `day` is that of the request; if it is unknown, rows with days are not used. The result is cached, because a run
    sends the same tools over and over.
    """
    try:
        # Version 2 has no references: equal values, equal bytes.
        return _treated(marshal.dumps(schema, 2), variant, day)
    except ValueError:  # nested too deeply, or a value that is not JSON
        return ()


@sized_cache(1024)
def _treated(schema: bytes, variant: Variant, day: date | None) -> tuple[Treated, ...]:
    root, found = read_schema(schema, variant.form)
    return tuple(_judged(each, root, variant, day) for each in found)


@sized_cache(1024)
def read_schema(schema: bytes, form: str) -> tuple[Any, tuple[Occurrence, ...]]:
    """A schema that `marshal` dumped, and its keywords."""
    root = marshal.loads(schema)  # noqa: S302 - we dumped it
    return root, tuple(occurrences(root, spelled=_spelling(form)))


def _spelling(form: str) -> Callable[[str], str]:
    dialect = all_dialects().get(form)
    return (dialect.readers.normalise_key if dialect is not None else None) or str


def _judged(found: Occurrence, root: Any, variant: Variant, day: date | None) -> Treated:
    row = next((row for row in variant.rows if row.holds(day) and applies(row, found, root)), None)
    return Treated(found, Outcome.UNKNOWN if row is None else row.outcome, row)


def applies(row: KeywordRow, found: Occurrence, root: Any) -> bool:
    """Whether a row is about a keyword at this place of a schema."""
    named = found.keyword in row.keywords or (ALL if found.keyword in JSON_SCHEMA else OTHERS) in row.keywords
    return (
        named
        and (row.at is None or (row.at == "root") is found.root)
        and (not row.under or not row.under.isdisjoint(found.around))
        and (row.value is None or fits(found.value, row.value))
        and (found.keyword not in row.values or fits(found.value, row.values[found.keyword]))
        and (row.beside is None or fits(found.within, row.beside))
        and (row.recursive is None or row.recursive is _recursive(found, root))
    )


def _recursive(found: Occurrence, root: Any) -> bool:
    """Whether the target of a reference contains the reference."""
    return found.pointer.rpartition("/")[0] in reached(root, "", found.value, set())


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
