"""Gemini requests: OBJECT schemas in `parameters`. docs/contract/gemini.md, GEM-Q-008."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.schema import type_name
from conformance.dialects.gemini.wire import at, camel, declarations, get
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import MISSING, join

_DEEPEST = 64


def _schemas(schema: Any, pointer: str, depth: int = 0) -> Iterator[tuple[dict[str, Any], str]]:
    """A schema and all schemas inside it that are objects, each with its pointer."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    yield schema, pointer
    for key, value in schema.items():
        name, where = camel(key), join(pointer, key)
        if name in ("properties", "defs", "$defs") and isinstance(value, dict):
            for each_name, each_schema in value.items():
                yield from _schemas(each_schema, join(where, each_name), depth + 1)
        elif name in ("items", "additionalProperties"):
            yield from _schemas(value, where, depth + 1)
        elif name == "anyOf" and isinstance(value, list):
            for number, each_schema in enumerate(value):
                yield from _schemas(each_schema, join(where, number), depth + 1)


def _declared(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """Every schema object in the `parameters` of the request; `parametersJsonSchema` is free of these limits."""
    for declaration, pointer in declarations(view.request):
        yield from _schemas(get(declaration, "parameters"), at(declaration, "parameters", pointer))


@rule(
    "gemini-schema-object-empty",
    scope="request",
    cites=["GEM-Q-008", "MAP-007"],
    because="MAP-007 is judged as GEM-Q-008 is: most such requests are accepted",
    part="settings",
)
def schema_object_empty(view: View) -> Iterator[Hit]:
    """An OBJECT schema should have at least one property; a function without arguments should omit `parameters`.

    Some models and dates refused it ("should be non-empty for OBJECT type"); most recordings show it accepted.
    """
    for schema, pointer in _declared(view):
        free = any(get(schema, name) not in (MISSING, None, False) for name in ("additionalProperties", "anyOf", "ref"))
        if type_name(schema.get("type")) == "object" and not schema.get("properties") and not free:
            yield Hit(pointer, "the OBJECT schema has no properties", "at least one property", "none")
