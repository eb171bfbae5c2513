"""Merges two schemas into one under which a value is valid if it is valid under both."""

from __future__ import annotations

from math import gcd
from typing import Any

ANNOTATIONS = frozenset(
    {
        *("title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$comment"),
        *("$schema", "$id", "$anchor", "$vocabulary", "contentMediaType", "contentEncoding", "contentSchema"),
    }
)
"""Keywords that forbid no value."""
_LARGER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"})
_SMALLER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"})
_OBJECT = frozenset({"properties", "additionalProperties", "patternProperties"})
_NOTHING: dict[str, Any] = {"not": {}}


def merged(one: Any, other: Any) -> tuple[Any, bool]:
    """The schema for both, and whether it is exact; if it is not, it allows more than both together."""
    if isinstance(one, bool) or isinstance(other, bool):
        if one is False or other is False:
            return False, True
        return (other, True) if one is True else (one, True)
    found = {key: value for key, value in one.items() if key not in _OBJECT}
    exact = True
    for key, value in other.items():
        if key in _OBJECT:
            continue
        if key not in found or found[key] == value:
            found[key] = value
        elif key not in ANNOTATIONS:
            found[key], fits = _both(key, found[key], value)
            exact = exact and fits
    objects, fits = _objects(one, other)
    found = _typed({**found, **objects})
    return found, exact and fits


def _both(key: str, one: Any, other: Any) -> tuple[Any, bool]:
    if key == "type":
        return _types(one, other)
    if key == "enum" and isinstance(one, list) and isinstance(other, list):
        return [each for each in one if each in other and not _differs(each, other)], True
    if key == "required" and isinstance(one, list) and isinstance(other, list):
        return list(dict.fromkeys([*one, *other])), True
    if key in _LARGER and _numbers(one, other):
        return max(one, other), True
    if key in _SMALLER and _numbers(one, other):
        return min(one, other), True
    if key == "multipleOf" and isinstance(one, int) and isinstance(other, int) and one > 0 and other > 0:
        return one * other // gcd(one, other), True
    if key == "items" and isinstance(one, (dict, bool)) and isinstance(other, (dict, bool)):
        return merged(one, other)
    if key == "uniqueItems":
        return one is True or other is True, True
    if key == "allOf" and isinstance(one, list) and isinstance(other, list):
        return [*one, *other], True
    return one, False


def _differs(value: Any, values: list[Any]) -> bool:
    """Whether Python finds a value in a list that JSON does not: true is not 1."""
    return not any(each == value and isinstance(each, bool) is isinstance(value, bool) for each in values)


def _numbers(one: Any, other: Any) -> bool:
    return all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in (one, other))


def types_of(value: Any) -> list[str]:
    """The types in a `type` keyword."""
    return [value] if isinstance(value, str) else [each for each in value if isinstance(each, str)]


def _types(one: Any, other: Any) -> tuple[Any, bool]:
    first, second = types_of(one), types_of(other)
    both = [each for each in first if each in second or (each == "integer" and "number" in second)]
    both += [each for each in second if each == "integer" and "number" in first and each not in both]
    return (both[0] if len(both) == 1 else both), bool(both)


def _typed(found: dict[str, Any]) -> dict[str, Any]:
    """The schema without types that cannot be: an empty list is not valid JSON Schema."""
    if found.get("type") == []:
        return {**{key: value for key, value in found.items() if key != "type"}, **_NOTHING}
    return found


def _objects(one: dict[str, Any], other: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """The keywords about properties. A name that only one side declares is bound by the other's rest."""
    if not (one.keys() | other.keys()) & _OBJECT:
        return {}, True
    properties: dict[str, Any] = {}
    exact = not ("patternProperties" in one and "patternProperties" in other) and (
        ("patternProperties" not in one and "patternProperties" not in other)
        or not (one.keys() & {"additionalProperties"} or other.keys() & {"additionalProperties"})
    )
    names = dict.fromkeys([*_properties(one), *_properties(other)])
    rest, fits = merged(_rest(one), _rest(other))
    exact = exact and fits
    for name in names:
        value, fits = merged(_properties(one).get(name, _rest(one)), _properties(other).get(name, _rest(other)))
        exact = exact and fits
        if value is not False or rest is not False:
            properties[name] = value
    found: dict[str, Any] = {}
    if "properties" in one or "properties" in other:
        found["properties"] = properties
    if "additionalProperties" in one or "additionalProperties" in other:
        found["additionalProperties"] = rest
    for side in (one, other):
        if "patternProperties" in side:
            found.setdefault("patternProperties", side["patternProperties"])
    return found, exact


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    value = schema.get("properties")
    return value if isinstance(value, dict) else {}


def _rest(schema: dict[str, Any]) -> Any:
    """What binds the properties that a schema does not declare."""
    value = schema.get("additionalProperties", True)
    return value if isinstance(value, (dict, bool)) else True
