"""Reading an SDK's Python types: which JSON values an annotation stands for, and the fields of its records.

A record is a TypedDict or a pydantic model. Nothing here knows an SDK: the types are handed in.
"""

from __future__ import annotations

import collections.abc
import datetime as dt
import enum
import os
import sys
import types
import typing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import typing_extensions

_SCALARS: dict[Any, str] = {
    str: "string",
    bytes: "string",  # base64 on the wire
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
    dt.datetime: "string",
}
_LISTS = {list, tuple, set, collections.abc.Iterable, collections.abc.Sequence, collections.abc.MutableSequence}
_MAPS = {dict, collections.abc.Mapping, collections.abc.MutableMapping}
_REQUIRED = {typing.Required, typing_extensions.Required}
_MARKS = _REQUIRED | {typing.NotRequired, typing_extensions.NotRequired}
_FILES = {os.PathLike, typing.IO}
"""What the SDK reads from disk and sends as base64 text."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The JSON values of an annotation, by JSON type: scalars by name, arrays by their items, objects by their records.

    `items` and `values` are annotations, None where the annotation has no array and no map. `words` are the
    literals, if all its strings are literal; `enumerated` says that some strings are members of an enumeration.
    """

    scalars: frozenset[str]
    items: tuple[Any, ...] | None
    values: tuple[Any, ...] | None
    records: tuple[type, ...]
    words: tuple[str, ...]
    anything: bool = False
    enumerated: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record: its annotations (several where records were merged), and whether it must be there."""

    annotations: tuple[Any, ...]
    required: bool


def shape_of(annotations: Iterable[Any]) -> Shape:
    """What the annotations, taken as a union, stand for.

    Raises:
        TypeError: an annotation is of a kind that the reader does not know.
    """
    scalars: set[str] = set()
    items: list[Any] = []
    values: list[Any] = []
    records: list[type] = []
    words: list[str] = []
    arrays = maps = free = anything = enumerated = False
    for each in _members(annotations):
        origin, arguments = typing.get_origin(each), typing.get_args(each)
        if each is Any or each is object:
            anything = True
        elif origin is typing.Literal or origin is typing_extensions.Literal:
            scalars |= {_SCALARS[type(value)] for value in arguments}
            words += [value for value in arguments if isinstance(value, str)]
        elif (origin or each) in _LISTS:
            arrays = True
            items += arguments[:1] or [Any]
        elif (origin or each) in _MAPS:
            maps = True
            values += arguments[1:] or [Any]
        elif (origin or each) in _FILES or _is_text(each):
            scalars.add("string")
            free = True
            enumerated = enumerated or (isinstance(each, type) and issubclass(each, enum.Enum))
        elif isinstance(each, type) and is_record(each):
            records += [] if each in records else [each]
        elif each in _SCALARS:
            scalars.add(_SCALARS[each])
            free = free or _SCALARS[each] == "string"
        else:
            raise TypeError(f"an annotation that the type reader does not know: {each!r}")
    return Shape(
        scalars=frozenset(scalars),
        items=tuple(items) if arrays else None,
        values=tuple(values) if maps else None,
        records=tuple(records),
        words=() if free else tuple(dict.fromkeys(words)),
        anything=anything,
        enumerated=enumerated,
    )


def _members(annotations: Iterable[Any]) -> Iterator[Any]:
    """The annotations without their wrappings: unions taken apart, marks and notes taken off."""
    for each in annotations:
        origin, arguments = typing.get_origin(each), typing.get_args(each)
        if origin is typing.Union or origin is types.UnionType:
            yield from _members(arguments)
        elif origin is typing.Annotated or origin in _MARKS:
            yield from _members(arguments[:1])
        elif isinstance(each, typing_extensions.TypeAliasType):
            yield from _members([each.__value__])
        elif isinstance(each, typing.TypeVar):
            yield from _members([each.__bound__ or Any])
        else:
            yield each


def _is_text(annotation: Any) -> bool:
    """Whether it is a class of Python's for what is a string on the wire: an enumeration, a URL."""
    if not isinstance(annotation, type):
        return False
    return issubclass(annotation, enum.Enum) or annotation.__module__ == "pydantic.networks"


def is_record(annotation: Any) -> bool:
    """Whether it is a TypedDict or a pydantic model."""
    return typing_extensions.is_typeddict(annotation) or hasattr(annotation, "model_fields")


@cache
def fields_of(record: type) -> dict[str, Field]:
    """The fields of a record by the names that they have on the wire.

    A model's field with a text for its default is one that the program may leave out and the wire always has.
    """
    if hasattr(record, "model_fields"):
        return {
            field.serialization_alias or field.alias or name: Field(
                (_resolved(field.annotation, record),), field.is_required() or isinstance(field.default, str)
            )
            for name, field in record.model_fields.items()
            if not field.exclude
        }
    usual: frozenset[str] = record.__required_keys__  # type: ignore[attr-defined]
    hints = typing_extensions.get_type_hints(record, include_extras=True)
    return {_alias(hint) or name: Field((hint,), _must(hint, usual=name in usual)) for name, hint in hints.items()}


def _resolved(annotation: Any, record: type) -> Any:
    """The annotation itself, where the model's module names it before it is defined."""
    if not isinstance(annotation, typing.ForwardRef):
        return annotation
    return typing_extensions.evaluate_forward_ref(annotation, globals=vars(sys.modules[record.__module__]))


def _must(annotation: Any, *, usual: bool) -> bool:
    """Whether a TypedDict's field is required: by its mark, which the class itself does not see in postponed text."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _must(typing.get_args(annotation)[0], usual=usual)
    return origin in _REQUIRED if origin in _MARKS else usual


def _alias(annotation: Any) -> str | None:
    """The name on the wire, where a TypedDict's field is annotated with one."""
    notes = getattr(annotation, "__metadata__", ())
    return next((note.alias for note in notes if getattr(note, "alias", None)), None)


def merged(records: Iterable[type]) -> dict[str, Field]:
    """The fields of all the records as those of one: a field is required where every record requires it."""
    every = [fields_of(record) for record in records]
    names = dict.fromkeys(name for each in every for name in each)
    return {
        name: Field(
            tuple(annotation for each in every if name in each for annotation in each[name].annotations),
            all(name in each and each[name].required for each in every),
        )
        for name in names
    }


def words_of(record: type, name: str) -> tuple[str, ...]:
    """The words that a record's field can hold, if it is a field of literal words."""
    field = fields_of(record).get(name)
    return shape_of(field.annotations).words if field else ()
