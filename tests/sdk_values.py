"""JSON values that an SDK's types stand for, and values that they do not: each field and each union member once.

Written apart from `devtools.wire.typereader`, so that the one is a check on the other.
"""

from __future__ import annotations

import collections.abc
import datetime as dt
import enum
import os
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import typing_extensions

Embed = Callable[[Any], Any]

EXAMPLES: Mapping[str, Any] = {
    "string": "x",
    "integer": 7,
    "number": 0.5,
    "boolean": True,
    "null": None,
    "array": [{"x": 1}],
    "object": {"x": 1},
}
_TEXT = "2026-11-20T00:00:00Z"
_SCALARS: Mapping[Any, tuple[str, Any]] = {
    str: ("string", "x"),
    bytes: ("string", "eA=="),
    int: ("integer", 7),
    float: ("number", 0.5),
    bool: ("boolean", True),
    type(None): ("null", None),
    dt.datetime: ("string", _TEXT),
    os.PathLike: ("string", "eA=="),
    typing.IO: ("string", "eA=="),
}
_LISTS = (list, collections.abc.Iterable, collections.abc.Sequence)


@dataclass(frozen=True, slots=True)
class Sample:
    """A whole body; `label` names the field that it is about, `kind` the JSON type of the value there.

    `fits` says whether the SDK's types have such a value there.
    """

    label: str
    pointer: str
    kind: str
    fits: bool
    body: Any


@dataclass
class Sampler:
    """Walks types from a root; a record is taken apart where it is first met.

    `always` are fields, `Record.field`, that the wire has and the SDK could do without, with a value each; `never`
    are fields that an SDK has for its user alone.
    """

    always: Mapping[str, Any] = field(default_factory=dict)
    never: frozenset[str] = frozenset()
    seen: set[type] = field(default_factory=set)

    def record(self, record: type, embed: Embed = lambda value: value, at: str = "") -> Iterator[Sample]:
        """All samples of a record's fields, each in the smallest such record."""
        self.seen.add(record)
        base = self.smallest(record)
        for name, (annotation, _) in fields(record).items():
            if f"{record.__name__}.{name}" in self.never:
                continue

            def put(value: Any, name: str = name) -> Any:
                return embed({**base, name: value})

            yield from self.annotation(annotation, put, f"{at}/{name}", f"{record.__name__}.{name}")

    def annotation(self, annotation: Any, embed: Embed, at: str, label: str) -> Iterator[Sample]:
        """All samples of what may stand at one place, and one of each JSON type that may not."""
        kinds: set[str] = set()
        for member in members(annotation):
            origin, arguments = typing.get_origin(member), typing.get_args(member)
            if member in (Any, object):
                return
            if (origin or member) in _LISTS:
                kinds.add("array")
                item = arguments[0] if arguments else Any
                yield Sample(label, at, "array", True, embed([]))
                yield from self.annotation(item, lambda value: embed([value]), f"{at}/0", f"{label}[]")
            elif (origin or member) in (dict, collections.abc.Mapping):
                kinds.add("object")
                yield Sample(label, at, "object", True, embed({}))
                yield from self.annotation(
                    arguments[1] if arguments else Any, lambda value: embed({"k": value}), f"{at}/k", f"{label}{{}}"
                )
            elif is_record(member):
                kinds.add("object")
                yield Sample(label, at, "object", True, embed(self.smallest(member)))
                if member not in self.seen:
                    yield from self.record(member, embed, at)
            else:
                for kind, value in values(member):
                    kinds.add(kind)
                    yield Sample(label, at, kind, True, embed(value))
        if "number" in kinds:
            kinds.add("integer")
        if any(isinstance(member, type) and issubclass(member, enum.Enum) for member in members(annotation)):
            label = f"{label} (enumeration)"
        for kind, value in EXAMPLES.items():
            if kind not in kinds:
                yield Sample(label, at, kind, False, embed(value))

    def smallest(self, record: type) -> dict[str, Any]:
        """The record with nothing but what it must have."""
        return {
            name: self.small(annotation) if required else self.always[f"{record.__name__}.{name}"]
            for name, (annotation, required) in fields(record).items()
            if required or f"{record.__name__}.{name}" in self.always
        }

    def small(self, annotation: Any) -> Any:
        """One small value: a scalar where one is possible, and lists of one."""
        choices = list(members(annotation))
        if Any in choices or object in choices:
            return "x"
        for member in choices:
            if typing.get_origin(member) in (typing.Literal, typing_extensions.Literal) or member in _SCALARS:
                return next(value for _, value in values(member))
        member = choices[0]
        origin, arguments = typing.get_origin(member), typing.get_args(member)
        if (origin or member) in _LISTS:
            return [self.small(arguments[0])]
        if (origin or member) in (dict, collections.abc.Mapping):
            return {}
        return self.smallest(member) if is_record(member) else next(value for _, value in values(member))


def values(member: Any) -> Iterator[tuple[str, Any]]:
    """The JSON types and values of a scalar."""
    origin = typing.get_origin(member)
    if origin in (typing.Literal, typing_extensions.Literal):
        for value in typing.get_args(member):
            yield _SCALARS[type(value)][0], value
    elif (origin or member) in _SCALARS:
        yield _SCALARS[origin or member]
    elif issubclass(member, enum.Enum):
        yield "string", next(iter(member)).value
    elif member.__module__ == "pydantic.networks":
        yield "string", "file:///x"
    elif issubclass(member, PurePath):
        yield "string", "x"
    else:
        raise TypeError(f"no value is known for {member!r}")


def members(annotation: Any) -> Iterator[Any]:
    """The members of a union, or the annotation alone; without its wrappings."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        for each in arguments:
            yield from members(each)
    elif origin in (typing.Annotated, typing.Required, typing.NotRequired):
        yield from members(arguments[0])
    else:
        yield annotation


def is_record(member: Any) -> bool:
    return typing_extensions.is_typeddict(member) or hasattr(member, "__pydantic_fields__")


def fields(record: type) -> dict[str, tuple[Any, bool]]:
    """Each field's annotation, and whether the wire has it always."""
    if typing_extensions.is_typeddict(record):
        hints = typing_extensions.get_type_hints(record, include_extras=True)
        return {_alias(hint) or name: (hint, _required(hint, record, name)) for name, hint in hints.items()}
    return {
        each.alias or name: (_defined(each.annotation, record), each.is_required() or isinstance(each.default, str))
        for name, each in record.model_fields.items()  # type: ignore[attr-defined]
        if not each.exclude
    }


def _alias(hint: Any) -> str | None:
    return next((note.alias for note in getattr(hint, "__metadata__", ()) if getattr(note, "alias", None)), None)


def _required(hint: Any, record: Any, name: str) -> bool:
    text = str(hint)
    if text.startswith("typing.Annotated["):
        text = text.removeprefix("typing.Annotated[")
    if text.startswith(("typing.Required[", "typing_extensions.Required[")):
        return True
    return not text.startswith(("typing.NotRequired[", "typing_extensions.NotRequired[")) and (
        name in record.__required_keys__
    )


def _defined(annotation: Any, record: type) -> Any:
    if isinstance(annotation, typing.ForwardRef):
        return typing_extensions.evaluate_forward_ref(annotation, globals=vars(sys.modules[record.__module__]))
    return annotation
