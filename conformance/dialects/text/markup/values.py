"""The values of parameters that a markup writes without types: by the schema of the tool, or as JSON where they are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from conformance.model import jsontext, pointer
from conformance.model.transcript import Malformed
from conformance.profiles.schema_work import depth_of

_DEEPEST = 16
_MOST = 200
"""The deepest JSON that is a value."""
_HUGE = re.compile(r"[eE]\+?\d{3}|\d{309}")


def read_value(literal: str, types: set[str], words: Mapping[str, Any], string: str | None = None) -> tuple[Any, str]:
    """The value of a literal, and as what it was read: `json` or `string`.

    `types` are those of the parameter, empty if they are not known: then the literal is JSON if it parses as JSON.
    `words` are what the template writes for values that it does not write as JSON; only a type tells them from strings.
    `string` is what the markup itself says: `true` or `false`.
    """
    value = read_json(literal)
    if string == "true" or (string is None and types == {"string"}):
        return literal, "string"
    if types and literal in words and jsontext.kind(words[literal]) in types:
        value = words[literal]
    if string is None and "string" in types and jsontext.kind(value) not in types & {"null", "object", "array"}:
        return literal, "string"
    return (literal, "string") if isinstance(value, Malformed) else (value, "json")


def read_json(text: str) -> Any:
    """The value of JSON text; one that JSON cannot hold again, as `1e999`, or that is nested too deeply, is none."""
    value = jsontext.parse(text)
    if text.count("[") + text.count("{") > _MOST and depth_of(value) > _MOST:
        return Malformed(text, f"nested more than {_MOST} levels deep")
    if _HUGE.search(text):
        try:
            json.dumps(value, allow_nan=False, default=str)
        except ValueError:
            return Malformed(text, "a number is too large")
    return value


def kinds_of(schema: Any, root: Any, depth: int = 0) -> set[str]:
    """The JSON types that a schema allows, which is somewhere in the schema `root`; empty if it does not say."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return set()
    ref = schema.get("$ref")
    if isinstance(ref, str) and ref.startswith("#"):
        return kinds_of(pointer.get(root, ref[1:]), root, depth + 1)
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return {"number" if each == "integer" else each for each in types if isinstance(each, str)}
    for key in ("enum", "const"):
        if key in schema:
            values = schema[key] if key == "enum" and isinstance(schema[key], list) else [schema[key]]
            return {jsontext.kind(each) for each in values}
    for key in ("anyOf", "oneOf", "allOf"):
        if isinstance(schema.get(key), list):
            return set().union(*(kinds_of(each, root, depth + 1) for each in schema[key]))
    return set()
