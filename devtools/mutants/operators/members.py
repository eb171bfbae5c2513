"""Faults at any place of a JSON value: a member missing, renamed, of another type, empty, or encoded differently."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from conformance.model import jsontext
from conformance.model.exchange import Exchange
from devtools.mutants.operator import Fault, operator
from devtools.mutants.subject import Subject, text_of
from devtools.mutants.tree import Node

_WORD = re.compile(r"[\w.:/-]{1,80}")


def fault(node: Node, made: Callable[[], Exchange]) -> Fault:
    """A fault at a node."""
    return Fault(node.tree.side, node.place, node.pattern, made, node)


def put(node: Node, value: Any) -> Fault:
    """The fault of giving a node another value."""
    return Fault(node.tree.side, node.place, node.pattern, partial(node.put, value), node, value)


def members(subject: Subject) -> Iterator[Node]:
    """The places of a contract that are members of an object."""
    return (node for node in subject.contract if isinstance(node.key, str))


@operator("drop-key")
def drop_key(subject: Subject) -> Iterator[Fault]:
    """A member is left out."""
    for node in members(subject):
        yield fault(node, node.drop)


@operator("rename-key")
def rename_key(subject: Subject) -> Iterator[Fault]:
    """A member has another name."""
    for node in members(subject):
        yield fault(node, partial(_renamed, node, f"{node.key}_"))


@operator("case-key")
def case_key(subject: Subject) -> Iterator[Fault]:
    """A member's name is written in another case: `toolCalls` for `tool_calls`, `Name` for `name`."""
    for node in members(subject):
        other = other_case(str(node.key))
        if other != node.key and other not in node.holder:
            yield fault(node, partial(_renamed, node, other))


def other_case(name: str) -> str:
    """Camel case for snake case, the reverse, and a capital for a single word."""
    if "_" in name.strip("_"):
        head, *rest = name.split("_")
        return head + "".join(word[:1].upper() + word[1:] for word in rest)
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: "_" + match[1].lower(), name)
    return snake if snake != name else name[:1].upper() + name[1:]


def _renamed(node: Node, name: str) -> Exchange:
    return node.holder_as({name if key == node.key else key: value for key, value in node.holder.items()})


@operator("null")
def null(subject: Subject) -> Iterator[Fault]:
    """A value is null."""
    for node in subject.contract:
        if node.value is not None:
            yield put(node, None)


@operator("retype")
def retype(subject: Subject) -> Iterator[Fault]:
    """A value is of another JSON type."""
    for node in subject.contract:
        yield put(node, other_type(node.value))


def other_type(value: Any) -> Any:
    """A plausible value of another type: a number as text, an object in an array."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    return 7 if isinstance(value, str) else [value] if isinstance(value, dict) else {"items": value}


@operator("empty")
def empty(subject: Subject) -> Iterator[Fault]:
    """A word, an array or an object is empty. Free text may be empty."""
    for node in subject.contract:
        said = isinstance(node.value, str) and (node.tree.place, node.value) in subject.said
        if node.value and isinstance(node.value, (str, list, dict)) and not said:
            yield put(node, type(node.value)())


@operator("encode")
def encode(subject: Subject) -> Iterator[Fault]:
    """An object or an array is written as JSON text."""
    for node in subject.contract:
        if isinstance(node.value, (dict, list)):
            yield put(node, text_of(node.value))


@operator("decode")
def decode(subject: Subject) -> Iterator[Fault]:
    """JSON text is written as its object or array."""
    for node in subject.contract:
        value = json_in(node.value)
        if value is not None:
            yield put(node, value)


@operator("encode-twice")
def encode_twice(subject: Subject) -> Iterator[Fault]:
    """JSON text is written as JSON text again."""
    for node in subject.contract:
        if json_in(node.value) is not None:
            yield put(node, text_of(node.value))


def json_in(value: Any) -> Any:
    """The object or array whose JSON text a string is; None for any other value."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return None
    found = jsontext.parse(value)
    return found if isinstance(found, (dict, list)) else None


@operator("alter")
def alter(subject: Subject) -> Iterator[Fault]:
    """A word, a number or a boolean has another value. Free text is left unchanged."""
    for node in subject.contract:
        if isinstance(node.value, bool):
            yield put(node, not node.value)
        elif isinstance(node.value, (int, float)):
            yield put(node, node.value + 1)
        elif isinstance(node.value, str) and _is_word(subject, node):
            yield put(node, f"{node.value}x")


def _is_word(subject: Subject, node: Node) -> bool:
    return bool(_WORD.fullmatch(node.value)) and (node.tree.place, node.value) not in subject.said


class _Doubled(dict[str, Any]):
    """An object encoded with one member twice, first as null: the encoder calls `items`."""

    def __init__(self, members: dict[str, Any], key: str) -> None:
        super().__init__(members)
        self._key = key

    def items(self) -> Any:
        """The members, with the doubled one first."""
        return [(self._key, None), *super().items()]


@operator("duplicate-key")
def duplicate_key(subject: Subject) -> Iterator[Fault]:
    """A member occurs twice, with two values."""
    for node in members(subject):
        if node.value is not None:
            yield fault(node, partial(node.holder_as, _Doubled(node.holder, str(node.key))))
