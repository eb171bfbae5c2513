"""What several documents together say of one place: their union, since an SDK is newer than its document in places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from devtools.documents.schemas import Spec


@dataclass(frozen=True, slots=True, eq=False)
class Documented:
    """The alternatives of all documents, laid out flat."""

    choices: tuple[Spec, ...]

    @staticmethod
    def of(specs: Iterable[Spec]) -> Documented:
        """What some documents say of the same place."""
        found = {id(choice.schema): choice for each in specs for choice in each.choices()}
        return Documented(tuple(found.values()))

    @property
    def types(self) -> frozenset[str]:
        """The JSON types; empty where anything may stand. What one document has as an integer is one."""
        found = {each.type for each in self.choices}
        if "" in found or not found:
            return frozenset()
        return frozenset(found - {"number"} if "integer" in found else found)

    @property
    def objects(self) -> tuple[Spec, ...]:
        """The objects whose fields are named."""
        return tuple(each for each in self.choices if each.type == "object" and each.fields)

    @property
    def open_objects(self) -> tuple[Spec, ...]:
        """The objects of which the documents say no field."""
        return tuple(each for each in self.choices if each.type == "object" and not each.fields)

    @property
    def forbids_null(self) -> bool:
        """Whether a published document has the field without null; in an SDK's types, None may stand for absent."""
        return "null" not in self.types and not all(each.document.of_sdk for each in self.choices)

    @property
    def words(self) -> tuple[str, ...]:
        """The strings that are listed."""
        found = (word for each in self.choices if each.type == "string" for word in each.schema.get("enum", ()))
        return tuple(dict.fromkeys(map(str, found)))

    @property
    def is_closed(self) -> bool:
        """Whether some document lists all the strings, so that others are none."""
        return any(all("enum" in each.schema for each in listed) for listed in self._by_document("string"))

    @property
    def pattern(self) -> str | None:
        """The pattern of a document that has one for all strings."""
        found = (listed for listed in self._by_document("string") if all("pattern" in each.schema for each in listed))
        return next((str(listed[0].schema["pattern"]) for listed in found), None)

    def bound(self, word: str) -> float | None:
        """A bound such as `minimum`: the widest of the documents that have one for all values of the type."""
        types = _BOUNDED[word]
        stated = (
            [each.schema[word] for each in listed]
            for listed in self._by_document(*types)
            if all(isinstance(each.schema.get(word), (int, float)) for each in listed)
        )
        found = [bound for bounds in stated for bound in bounds]
        return None if not found else min(found) if word in _LOWEST else max(found)

    def _by_document(self, *types: str) -> list[list[Spec]]:
        found: dict[str, list[Spec]] = {}
        for each in self.choices:
            if each.type in types:
                found.setdefault(each.document.name, []).append(each)
        return list(found.values())

    def field_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for each in self.objects for name in each.fields))

    def field(self, name: str) -> Documented:
        """What the documents say of a field of the objects here."""
        return Documented.of(each.within(each.fields[name]) for each in self.objects if name in each.fields)

    def requires(self, name: str) -> bool:
        """Whether every document requires the field, in each kind of object."""
        return all(name in each.schema.get("required", ()) for each in self.objects)

    def may_lack(self, name: str) -> bool:
        """Whether every document lets the field be left out."""
        return not any(name in each.schema.get("required", ()) for each in self.objects)

    @property
    def items(self) -> Documented:
        """What the items of the arrays here may be."""
        return Documented.of(self._of_key("items"))

    @property
    def values(self) -> Documented:
        """What the values of the maps here may be."""
        return Documented.of(self._of_key("additionalProperties"))

    def _of_key(self, key: str) -> Iterator[Spec]:
        yield from (
            each.within(each.schema[key])
            for each in self.choices
            if isinstance(each.schema.get(key), Mapping) and each.schema[key] is not None
        )

    def tags(self, key: str) -> tuple[str, ...]:
        """The strings by which the objects here are told apart under a key."""
        return tuple(dict.fromkeys(word for each in self.objects for word in each.words(key)))

    def tagged(self, key: str, word: str | None) -> Documented:
        """The objects that have that string under the key, or, with None, those that have no list of strings there.

        Where no object has a list of strings there, all are meant.
        """
        if not self.tags(key):
            return self
        if word is None:
            return Documented(tuple(each for each in self.objects if not each.words(key)))
        return Documented(tuple(each for each in self.objects if word in each.words(key)))

    def of_value(self, value: Any) -> Documented:
        """The alternatives that a recorded object or array is meant as."""
        if isinstance(value, list):
            return Documented(tuple(each for each in self.choices if each.type == "array"))
        if not isinstance(value, dict):
            return Documented(())
        return Documented(tuple(each for each in self.choices if each.type == "object" and _is_meant(each, value)))


_NUMBERS = ("integer", "number")
_LOWEST = ("minimum", "exclusiveMinimum", "minLength", "minItems")
_BOUNDED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("minimum", "exclusiveMinimum", "maximum"), _NUMBERS),
    **dict.fromkeys(("minLength", "maxLength"), ("string",)),
    **dict.fromkeys(("minItems", "maxItems"), ("array",)),
    "maxProperties": ("object",),
}
"""The JSON types that each bound is about."""
TAGS = ("type", "role", "object", "method", "mode")
"""The fields by which documents tell objects apart."""


def _is_meant(spec: Spec, value: Mapping[str, Any]) -> bool:
    for key in TAGS:
        words = spec.words(key)
        if words and key in value and value[key] not in words:
            return False
        if words and key not in value and key in spec.schema.get("required", ()):
            return False
    return True
