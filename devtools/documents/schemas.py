"""JSON Schemas of published documents: what they refer to, what they join, and their alternatives laid out flat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

_TYPES: Mapping[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
    dict: "object",
    list: "array",
}
_BY_WORD = {"properties": "object", "additionalProperties": "object", "items": "array"}


class Document:
    """The named schemas of one document. `name` is how it is called where it is cited.

    `of_sdk` says that they are made from the types of an SDK.
    """

    def __init__(self, name: str, definitions: Mapping[str, Schema], *, of_sdk: bool = False) -> None:
        self.name = name
        self.of_sdk = of_sdk
        self.definitions = definitions
        self._plain: dict[int, tuple[Schema, Schema]] = {}
        self._choices: dict[int, tuple[Schema, tuple[Spec, ...]]] = {}

    def spec(self, name: str) -> Spec:
        """What the document says under a name."""
        return Spec(self, self.definitions[name])

    def plain(self, schema: Schema) -> Schema:
        """The schema with what it refers to put in, and its `allOf` merged, one level deep."""
        if "$ref" not in schema and "allOf" not in schema:
            return schema
        if id(schema) not in self._plain:
            self._plain[id(schema)] = schema, self._resolved(schema)
        return self._plain[id(schema)][1]

    def _resolved(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            rest = {key: value for key, value in schema.items() if key not in ("$ref", "description", "title")}
            found = self.plain(self.definitions[schema["$ref"].rpartition("/")[2]])
            return {**found, **rest} if rest else found
        merged: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
        for part in map(self.plain, schema["allOf"]):
            merged = _joined(part, merged)
        return merged

    def choices(self, schema: Schema) -> tuple[Spec, ...]:
        """The alternatives of a schema, unions of unions laid out flat, each of one JSON type."""
        schema = self.plain(schema)  # the same for every reference to it
        if id(schema) not in self._choices:
            self._choices[id(schema)] = schema, tuple(Spec(self, each) for each in self._laid_out(schema))
        return self._choices[id(schema)][1]

    def _laid_out(self, schema: Schema) -> Iterator[Schema]:
        plain = self.plain(schema)
        inner = [*plain.get("anyOf", ()), *plain.get("oneOf", ())]
        outer = {
            key: value for key, value in plain.items() if key in ("properties", "required", "additionalProperties")
        }
        if inner:
            for each in inner:
                of_object = outer and not {"$ref", "type", "anyOf", "oneOf"}.isdisjoint(each)
                for choice in self._laid_out(each) if of_object or not outer else [each]:
                    joins = outer and choice.get("type", "object") == "object"
                    yield _joined(choice, {**outer, "type": "object"}) if joins else choice
        else:
            yield from _of_one_type(plain)
        if plain.get("nullable"):
            yield {"type": "null"}


def _joined(part: Schema, whole: Schema) -> dict[str, Any]:
    properties = {**whole.get("properties", {}), **part.get("properties", {})}
    required = list(dict.fromkeys([*whole.get("required", []), *part.get("required", [])]))
    found = {**part, **whole}
    return {**found, "properties": properties, "required": required} if properties else found


def _of_one_type(schema: Schema) -> Iterator[Schema]:
    if "const" in schema:
        schema = {**schema, "enum": [schema["const"]]}
    if "type" not in schema and "enum" in schema:
        for name in dict.fromkeys(_TYPES[type(each)] for each in schema["enum"]):
            yield {**schema, "type": name, "enum": [each for each in schema["enum"] if _TYPES[type(each)] == name]}
    elif "type" not in schema:
        found = next((name for word, name in _BY_WORD.items() if word in schema), None)
        yield schema if found is None else {**schema, "type": found}
    elif isinstance(schema["type"], list):
        yield from ({**schema, "type": name} for name in schema["type"])
    elif schema["type"] == "string" and None in schema.get("enum", ()):
        yield {**schema, "enum": [each for each in schema["enum"] if each is not None]}
        yield {"type": "null"}
    else:
        yield schema


@dataclass(frozen=True, slots=True, eq=False)
class Spec:
    """What one document says of one place."""

    document: Document
    schema: Schema

    def choices(self) -> tuple[Spec, ...]:
        """The alternatives, each of one JSON type."""
        return self.document.choices(self.schema)

    def within(self, schema: Schema) -> Spec:
        """What the same document says in a part of this."""
        return Spec(self.document, schema)

    @property
    def type(self) -> str:
        """The JSON type of an alternative; empty for any."""
        return str(self.schema.get("type", ""))

    @property
    def fields(self) -> Mapping[str, Schema]:
        """The named fields of an alternative."""
        found: Mapping[str, Schema] = self.schema.get("properties", {})
        return found

    def words(self, field: str) -> tuple[str, ...]:
        """The strings that are listed for a field, by which objects are told apart; none where it takes any."""
        found = (each.schema.get("enum") for each in self.within(self.fields.get(field, {})).choices())
        listed = [words for words in found if words is not None]
        return tuple(word for words in listed for word in words if isinstance(word, str))
