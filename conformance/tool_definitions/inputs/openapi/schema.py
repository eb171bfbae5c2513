"""Converts the schemas of an OpenAPI document to JSON Schema 2020-12.

OpenAPI 3.0 has `nullable`, boolean `exclusiveMinimum` and `example`, and ignores what stands beside `$ref`; 3.1 is JSON
Schema already. Members that only describe the document (`xml`, `externalDocs`, `discriminator`, `x-…`) are left out,
and so are properties that a request may not have (`readOnly`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conformance.model.pointer import join
from conformance.tool_definitions.inputs.openapi.references import References

_LEFT_OUT = frozenset({"xml", "externalDocs", "discriminator", "example"})
_ONE = frozenset({"items", "additionalProperties", "not", "contains", "if", "then", "else", "propertyNames"})
_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_NAMED = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


@dataclass(frozen=True, slots=True)
class Converted:
    """A schema, and the places that it refers to: `{"$ref": "#/$defs/NAME"}` for each."""

    schema: Any
    needs: frozenset[str]


class Schemas:
    """Converts schemas, each that is referred to once. With `nullable`, they are those of OpenAPI 3.0."""

    def __init__(self, references: References, *, nullable: bool) -> None:
        self._references = references
        self._nullable = nullable
        self._known: dict[str, Converted] = {}

    def convert(self, schema: Any, at: str) -> Converted:
        """The JSON Schema of a schema."""
        needs: set[str] = set()
        return Converted(self._schema(schema, at, needs), frozenset(needs))

    def definitions(self, needed: frozenset[str]) -> dict[str, Any]:
        """The `$defs` for the places, with all that they refer to in turn."""
        found: dict[str, Any] = {}
        waiting = sorted(needed, reverse=True)
        while waiting:
            place = waiting.pop()
            name = self._references.name(place)
            if name not in found:
                if place not in self._known:
                    self._known[place] = self.convert(self._references.value(place), place)
                found[name] = self._known[place].schema
                waiting += sorted(self._known[place].needs, reverse=True)
        return found

    def _schema(self, schema: Any, at: str, needs: set[str]) -> Any:
        if not isinstance(schema, dict):
            return schema
        found: dict[str, Any] = {}
        if isinstance(schema.get("$ref"), str):
            place = self._references.target(schema["$ref"], at)
            needs.add(place)
            found["$ref"] = "#/$defs/" + join("", self._references.name(place))[1:]
            if self._nullable:
                return found
        for key, value in schema.items():
            if key not in _LEFT_OUT and not key.startswith("x-") and key != "$ref":
                found[key] = self._member(key, value, join(at, key), needs)
        if "example" in schema:
            found.setdefault("examples", [schema["example"]])
        if self._nullable:
            found = _modern(found)
        return _writable(found, schema)

    def _member(self, key: str, value: Any, at: str, needs: set[str]) -> Any:
        if key in _ONE:
            return self._schema(value, at, needs)
        if key in _LISTS and isinstance(value, list):
            return [self._schema(each, join(at, number), needs) for number, each in enumerate(value)]
        if key in _NAMED and isinstance(value, dict):
            return {name: self._schema(each, join(at, name), needs) for name, each in value.items()}
        return value


def _modern(found: dict[str, Any]) -> dict[str, Any]:
    """The schema without the keywords that only OpenAPI 3.0 has."""
    for exclusive, inclusive in _BOUNDS.items():
        if isinstance(found.get(exclusive), bool):
            strict = found.pop(exclusive)
            if strict and inclusive in found:
                found[exclusive] = found.pop(inclusive)
    if found.pop("nullable", False) is not True:
        return found
    if isinstance(found.get("type"), str):
        found["type"] = [found["type"], "null"]
        if isinstance(found.get("enum"), list) and None not in found["enum"]:
            found["enum"] = [*found["enum"], None]
        return found
    constrained = {key: found.pop(key) for key in ("allOf", "anyOf", "oneOf", "enum", "not") if key in found}
    return {**found, "anyOf": [constrained, {"type": "null"}]} if constrained else found


def _writable(found: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The schema without the properties that a request may not have."""
    properties = given.get("properties")
    if not isinstance(properties, dict) or not isinstance(found.get("properties"), dict):
        return found
    barred = {name for name, each in properties.items() if isinstance(each, dict) and each.get("readOnly") is True}
    if not barred:
        return found
    kept = {name: each for name, each in found["properties"].items() if name not in barred}
    found = {**found, "properties": kept}
    if isinstance(found.get("required"), list):
        found["required"] = [name for name in found["required"] if name not in barred]
    return found
