"""JSON Schemas (2020-12) from an SDK's types, as open as the wire is.

Unknown fields stay legal. Words stay open, discriminators too: what carries an unknown `type` is not judged, a known
one is held to its shape by `if` and `then`. No word is empty. Records that share a `type`, or that have none, are
merged into one: a field that any of them knows has the JSON type that one of them gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from conformance.wire.typereader import Field, Shape, fields_of, merged, shape_of, words_of

Schema = dict[str, Any]
Names = Mapping[frozenset[type], tuple[str, ...]]
Company = Mapping[type, tuple[type, ...]]

_ORDER = ("string", "integer", "number", "boolean", "null")
_NUMERIC = {"integer": "^-?[0-9]+$", "number": r"^(-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?|NaN|-?Infinity)$"}
_DISCRIMINATORS = ("type", "role", "method")
# fmt: off
_LEADING = frozenset((
    "data", "encrypted_index", "file_data", "file_id", "file_url", "fileUri", "image_url", "media_type", "mimeType",
    "model", "name", "server_name", "uri", "url",
))
# fmt: on
"""Fields that hold what somebody else has to open, lead to it or name it: where there is nothing, they are left out."""


class Builder:
    """Builds the schemas of one file; `defs` are its `$defs`, one for each record and each named union.

    `unions` gives names, the best first, for unions by their records.
    `requires` says whether the SDK's word counts for what is required: for what is sent, not for what comes back.
    A union that holds a record of `company` holds those beside it as well.
    `proto` is for JSON that stands for protocol buffers (the ProtoJSON of protobuf.dev): members of enumerations are
    names or numbers; and what is sent may have its fields in snake_case too, and its numbers as strings.
    """

    def __init__(
        self,
        unions: Names,
        *,
        requires: bool,
        company: Company | None = None,
        proto: bool = False,
    ) -> None:
        self.defs: dict[str, Schema] = {}
        self._unions = unions
        self._requires = requires
        self._company = company or {}
        self._proto = proto
        self._names: dict[Any, str] = {}

    def body(self, annotations: tuple[Any, ...]) -> Schema:
        """The schema of a whole body: where there is one record only, the body is that, whatever its `type` says."""
        shape = shape_of(annotations)
        return self._reference(shape.records) if len(shape.records) == 1 else self.schema(*annotations)

    def schema(self, *annotations: Any) -> Schema:
        """The schema of the annotations, taken as a union."""
        shape = shape_of(annotations)
        if shape.anything:
            return {}
        choices: list[Schema] = []
        if shape.items is not None:
            items = self.schema(*shape.items)
            choices.append({"type": "array", "items": items} if items else {"type": "array"})
        if shape.records or shape.values is not None:
            choices.append(self._object(shape))
        if shape.scalars:
            choices.insert(0, self._scalars(shape))
        return choices[0] if len(choices) == 1 else {"anyOf": choices}

    def record(self, fields: Mapping[str, Field]) -> Schema:
        """The schema of an object with these fields."""
        properties: Schema = {}
        required = []
        for name, field in fields.items():
            spelled = [name, *({_snake(name)} - {name} if self._proto and self._requires else ())]
            properties |= {each: _filled(name, self.schema(*field.annotations)) for each in spelled}
            if field.required and self._requires:
                required.append(name)
        return {"type": "object", "properties": properties, **({"required": required} if required else {})}

    def _scalars(self, shape: Shape) -> Schema:
        types = shape.scalars - {"integer"} if "number" in shape.scalars else shape.scalars
        numeric = types & {"integer", "number"}
        pattern: Schema = {}
        if self._proto and shape.enumerated:
            types |= {"integer"}
        elif self._proto and self._requires and numeric and "string" not in types:
            types |= {"string"}
            pattern = {"pattern": _NUMERIC["number" if "number" in numeric else "integer"]}
        found = [each for each in _ORDER if each in types]
        filled = {"minLength": 1} if _is_word(shape) else {}
        return {"type": found[0] if len(found) == 1 else found, **pattern, **filled}

    def _object(self, shape: Shape) -> Schema:
        if not shape.records:
            values = self.schema(*(shape.values or ()))
            return {"type": "object", **({"additionalProperties": values} if values else {})}
        if shape.values is not None:
            return {"type": "object", "properties": self.record(merged(shape.records))["properties"]}
        discriminator = _discriminator(shape.records)
        if discriminator is None:
            return self._reference(shape.records)
        records = shape.records
        if len(records) > 1:
            records += tuple(beside for each in records for beside in self._company.get(each, ()))
        names = self._unions.get(frozenset(shape.records), ())
        if not names:
            return self._union(records, discriminator)
        return self._defined(frozenset(records), names, lambda: self._union(records, discriminator))

    def _union(self, records: tuple[type, ...], key: str) -> Schema:
        """Records that a discriminator tells apart."""
        groups: dict[tuple[type, ...], list[str | None]] = {}
        for word in dict.fromkeys(
            word for record in records for word in (*words_of(record, key), *_absent(record, key))
        ):
            group = tuple(each for each in records if word in (*words_of(each, key), *_absent(each, key)))
            groups.setdefault(group, []).append(word)
        cases = [_case(key, words, self._reference(group)) for group, words in groups.items()]
        absent = any(None in words for words in groups.values())
        union = {
            "type": "object",
            "properties": {key: {"type": ["string", "null"] if absent else "string", "minLength": 1}},
            **({} if absent else {"required": [key]}),
        }
        return {**union, **cases[0]} if len(cases) == 1 else {**union, "allOf": cases}

    def _reference(self, records: tuple[type, ...]) -> Schema:
        """A `$ref` to the definition of the records merged, which is made if it is not there yet."""
        names = dict.fromkeys(record.__name__ for record in records)
        alike = len({name.removeprefix("Beta").removesuffix("Param") for name in names}) == 1
        plain = next(iter(names)) if alike else "+".join(names)
        qualified = "+".join(f"{record.__module__.rpartition('.')[2]}.{record.__name__}" for record in records)
        return self._defined(
            records,
            (*self._unions.get(frozenset(records), ()), plain, qualified),
            lambda: self.record(fields_of(records[0]) if len(records) == 1 else merged(records)),
        )

    def _defined(self, key: Any, names: Iterable[str], make: Callable[[], Schema]) -> Schema:
        """A `$ref` to the definition that goes by the key, which is made under the first free name if there is none."""
        if key not in self._names:
            name = self._names[key] = next(name for name in names if name not in self.defs)
            self.defs[name] = {}
            self.defs[name] = make()
        return {"$ref": f"#/$defs/{self._names[key]}"}


def _filled(name: str, schema: Schema) -> Schema:
    """The schema of a field, whose text is not empty where it leads somewhere."""
    leads = name in _LEADING and schema.get("type") in ("string", ["string", "null"])
    return {**schema, "minLength": 1} if leads else schema


def _is_word(shape: Shape) -> bool:
    """Whether its strings are words of an enumeration: an open one can have a new word, but not an empty one."""
    return shape.enumerated or bool(shape.words and "" not in shape.words)


def unified(defs: Mapping[str, Schema]) -> dict[str, Schema]:
    """The definitions without repetition: `module.Name` gives way to a `Name`, or another, that says the same."""
    while True:
        twins: dict[str, str] = {}
        for name in defs:
            tail = name.rpartition(".")[2]
            alike = [each for each in (tail, *defs) if each.rpartition(".")[2] == tail and defs.get(each) == defs[name]]
            if alike[0] != name and "+" not in name:
                twins[name] = alike[0]
        if not twins:
            return dict(defs)
        renamed = {f"#/$defs/{name}": f"#/$defs/{plain}" for name, plain in twins.items()}
        defs = {name: _redirected(schema, renamed) for name, schema in defs.items() if name not in twins}


def reachable(defs: Mapping[str, Schema], root: str) -> dict[str, Schema]:
    """The definitions that the root leads to, and the root."""
    found: dict[str, Schema] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = defs[name]
            waiting += _references(defs[name])
    return found


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].removeprefix("#/$defs/")
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)


def _redirected(value: Any, renamed: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {
            key: renamed.get(each, each) if key == "$ref" and isinstance(each, str) else _redirected(each, renamed)
            for key, each in value.items()
        }
    return [_redirected(each, renamed) for each in value] if isinstance(value, list) else value


def _discriminator(records: tuple[type, ...]) -> str | None:
    """The field by whose words the records are told apart: all but one of them have it (or the only one has `type`)."""
    for key in _DISCRIMINATORS[:1] if len(records) == 1 else _DISCRIMINATORS:
        telling = [record for record in records if words_of(record, key)]
        if len(telling) >= max(1, len(records) - 1) and len({words_of(each, key) for each in telling}) > (
            len(records) > 1
        ):
            return key
    return None


def _absent(record: type, key: str) -> tuple[None, ...]:
    """`None` where the record may come without the discriminator."""
    field = fields_of(record).get(key)
    return () if field is not None and field.required else (None,)


def _case(key: str, words: list[str | None], then: Schema) -> Schema:
    known = [word for word in words if word is not None]
    const = {"const": known[0]} if len(known) == 1 else {"enum": known}
    named: Schema = {"properties": {key: const}, "required": [key]}
    if len(known) == len(words):
        return {"if": named, "then": then}
    unnamed: Schema = {"properties": {key: {"type": "null"}}}
    return {"if": {"anyOf": [named, unnamed]} if known else unnamed, "then": then}


def _snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)
