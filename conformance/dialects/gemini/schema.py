"""Gemini's `Schema`, a subset of OpenAPI 3.0, converted to JSON Schema."""

from __future__ import annotations

from typing import Any

from conformance.dialects.gemini.wire import camel

TYPES = ("TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
"""In the order of their numbers, which the integer encoding sends in place of the names."""
_COUNTS = frozenset({"maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties"})
_DROPPED = frozenset({"nullable", "propertyOrdering", "example"})
_DEEP = 64
"""Schemas nested deeper than this are not converted."""


def type_name(value: Any) -> str | None:
    """The JSON Schema name of a type in any of its encodings; None if it is not a type."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < len(TYPES):
        return TYPES[value].lower()
    if isinstance(value, str) and value.upper() in TYPES[1:]:
        return value.lower()
    return None


def to_json_schema(schema: Any, depth: int = 0) -> Any:
    """The JSON Schema of a `Schema`; non-objects and unknown fields are kept unchanged."""
    if not isinstance(schema, dict) or depth > _DEEP:
        return schema
    found: dict[str, Any] = {}
    for key, value in schema.items():
        name = camel(key)
        if name in _DROPPED or (name == "format" and value == "enum"):
            continue
        if name == "type":
            _put_type(found, value)
        elif name in ("properties", "defs", "$defs"):
            found["properties" if name == "properties" else "$defs"] = _named(value, depth)
        elif name in ("items", "additionalProperties", "not"):
            found[name] = to_json_schema(value, depth + 1)
        elif name in ("anyOf", "oneOf", "allOf") and isinstance(value, list):
            found[name] = [to_json_schema(each, depth + 1) for each in value]
        elif name in ("ref", "$ref"):
            found["$ref"] = value.replace("#/defs/", "#/$defs/") if isinstance(value, str) else value
        elif name in _COUNTS and isinstance(value, str) and value.isdecimal():
            found[name] = int(value)  # protobuf JSON writes 64-bit integers as strings
        else:
            found[name] = value
    _widen_enum(found)
    if schema.get("nullable") is True:
        _admit_null(found)
    return found


def _put_type(found: dict[str, Any], value: Any) -> None:
    if isinstance(value, list):
        found["type"] = [type_name(each) or each for each in value]
    elif type_name(value):
        found["type"] = type_name(value)
    elif value not in (0, "TYPE_UNSPECIFIED"):
        found["type"] = value


def _named(schemas: Any, depth: int) -> Any:
    if not isinstance(schemas, dict):
        return schemas
    return {name: to_json_schema(each, depth + 1) for name, each in schemas.items()}


def _widen_enum(found: dict[str, Any]) -> None:
    """`Schema.enum` has only strings, so in a number's enum each string also means its number."""
    values = found.get("enum")
    if isinstance(values, list) and found.get("type") in ("integer", "number"):
        numbers = [number for number in map(_number, values) if number is not None]
        found["enum"] = [*values, *numbers]


def _number(value: Any) -> float | None:
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _admit_null(found: dict[str, Any]) -> None:
    if isinstance(found.get("type"), str):
        found["type"] = [found["type"], "null"]
    if isinstance(found.get("enum"), list):
        found["enum"] = [*found["enum"], None]
    if isinstance(found.get("anyOf"), list):
        found["anyOf"] = [*found["anyOf"], {"type": "null"}]
