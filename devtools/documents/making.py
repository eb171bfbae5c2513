"""Messages made from a document alone, each with all its documented fields: for MCP, of which few are recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from devtools.documents.schemas import Spec

_TEXTS = {"uri": "file:///a", "byte": "eA==", "uri-template": "file:///{a}"}
"""Values that the formats of the schemas stand for."""
_DEEPEST = 7
_TURNS = 8


def made(spec: Spec, words: Mapping[str, str] = MappingProxyType({})) -> Iterator[Any]:
    """Some values of a schema, each other than the ones before: every alternative stands in one of them.

    `words` are the strings of some fields, where the document has any string there: by the name of the field that has
    the object, and its own.
    """
    found = {json.dumps(value): value for turn in range(_TURNS) for value in [_full(spec, turn, 0, words)]}
    yield from found.values()


def _full(spec: Spec, turn: int, depth: int, words: Mapping[str, str], field: str = "") -> Any:
    choices = [each for each in spec.choices() if each.type != "null"]
    chosen = choices[turn % len(choices)] if choices else spec
    if "enum" in chosen.schema:
        return chosen.schema["enum"][0]
    if chosen.fields:
        names = chosen.fields if depth < _DEEPEST else chosen.schema.get("required", ())
        found = {
            name: _full(
                chosen.within(chosen.fields[name]), turn, depth + 1, words, f"{field.rpartition('.')[2]}.{name}"
            )
            for name in names
        }
        # Which types of results there are, only the text of the document says.
        return {**found, "resultType": "complete"} if "resultType" in found else found
    if isinstance(chosen.schema.get("additionalProperties"), dict):
        return {"key": _full(chosen.within(chosen.schema["additionalProperties"]), turn, depth + 1, words)}
    if chosen.type == "array":
        return [_full(chosen.within(chosen.schema.get("items", {})), turn, depth + 1, words, field)]
    if chosen.type == "string":
        return words.get(field) or _TEXTS.get(chosen.schema.get("format", ""), "2025-11-25")
    return {"integer": 1, "number": 1, "boolean": True, "object": {}}.get(chosen.type, "any")
