"""The demands of strict mode on a schema: every object is closed, and every property is required."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from typing import Any

from conformance.judge.relations.forms import Form
from conformance.judge.relations.places import path, select
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sized_cache import sized_cache

_DEEPEST = 30


@dataclass(frozen=True, slots=True)
class StrictSchema:
    what: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        for schema, place in select(value, path(self.what), at):
            for pointer, gap in gaps_of(schema, place):
                yield Hit(pointer, f"strict, but {gap}", "additionalProperties false, and all properties required", gap)


def strict_schema(what: str) -> Form:
    """A schema is one that strict mode takes: every object is closed, and every property is required."""
    return StrictSchema(what)


def gaps_of(schema: Any, pointer: str) -> list[tuple[str, str]]:
    """The same as `strict_gaps`. A run sends the same tools over and over."""
    try:
        found = _gaps(marshal.dumps(schema, 2))  # version 2 has no references: equal values, equal bytes
    except ValueError:  # nested too deeply, or holding what is no JSON
        return list(strict_gaps(schema, pointer))
    return [(f"{pointer}{place}", gap) for place, gap in found]


@sized_cache(512)
def _gaps(schema: bytes) -> tuple[tuple[str, str], ...]:
    return tuple(strict_gaps(marshal.loads(schema), ""))  # noqa: S302 - we dumped it


def strict_gaps(schema: Any, pointer: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The places where a schema is too loose for strict mode, as (pointer, what is missing)."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return
    properties = schema.get("properties")
    kinds = schema.get("type")
    if kinds == "object" or (isinstance(kinds, list) and "object" in kinds) or isinstance(properties, dict):
        if schema.get("additionalProperties") is not False:
            yield pointer, "additionalProperties is not false"
        named = schema.get("required")
        missing = [name for name in _names(properties) if not isinstance(named, list) or name not in named]
        if missing:
            yield pointer, f"not required: {', '.join(missing)}"
    for key in ("properties", "$defs", "definitions"):
        inner = schema.get(key)
        for name, value in (inner if isinstance(inner, dict) else {}).items():
            yield from strict_gaps(value, join(pointer, key, name), depth + 1)
    for key in ("anyOf", "allOf", "oneOf", "prefixItems"):
        choices = schema.get(key)
        for number, choice in enumerate(choices if isinstance(choices, list) else ()):
            yield from strict_gaps(choice, join(pointer, key, number), depth + 1)
    yield from strict_gaps(schema.get("items"), join(pointer, "items"), depth + 1)


def _names(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []
