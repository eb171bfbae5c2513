"""The functions for what a value may be."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from conformance.judge.contract.asking import condition
from conformance.judge.contract.nodes import (
    Anything,
    Array,
    Cases,
    Flag,
    Later,
    Map,
    Node,
    Null,
    Number,
    Others,
    Switch,
    Text,
)
from conformance.judge.contract.relations import Condition
from conformance.judge.contract.rows import tells
from conformance.judge.contract.tell import Tell, Tells

anything: Node = Anything()
null: Node = Null()
boolean: Node = Flag()


def text(least: int = 0, most: int | None = None, pattern: str = "") -> Text:
    """A string: `text(1)` is not empty, `text(1, 64)` has at most 64 characters; `pattern` matches all of it."""
    return Text(least, most, pattern)


def word(*words: str) -> Text:
    """One of some strings: any other is against the contract."""
    return Text(words=words)


def known(*words: str) -> Text:
    """One of some strings, in a list that grows without notice: any other is told as undocumented."""
    return Text(words=words, others="told")


def folded(*words: str) -> Text:
    """One of some strings, in any case: any other is against the contract."""
    return Text(words=words, folded=True)


def number(low: float | None = None, high: float | None = None) -> Number:
    """A number, with its bounds."""
    return Number(low, high)


def integer(low: float | None = None, high: float | None = None) -> Number:
    """An integer, with its bounds."""
    return Number(low, high, whole=True)


def quoted(node: Number) -> Number:
    """A number that may also be written as a string, as JSON for protocol buffers has it."""
    return dataclasses.replace(node, quoted=True)


def array(items: Node, least: int = 0, most: int | None = None, *, unique: bool = False, single: bool = False) -> Array:
    """An array of items, with the bounds of their number."""
    return Array(items, least, most, unique, single)


def mapping(values: Node = anything, keys: Text | None = None, most: int | None = None) -> Map:
    """An object whose keys are not the contract's."""
    return Map(values, keys, most)


def by(key: str, words: Mapping[str, Node], told: Tell | Tells | None = None, *, absent: str | None = None) -> Switch:
    """Objects told apart by the string under a key; any other string is against the contract."""
    return _switch(key, words, told, "refused", absent)


def by_known(key: str, words: Mapping[str, Node], told: Tell | Tells | None = None) -> Switch:
    """As `by`, in a list that grows without notice: any other string is told as undocumented."""
    return _switch(key, words, told, "told", None)


def by_some(
    key: str, words: Mapping[str, Node], told: Tell | Tells | None = None, *, otherwise: Node | None = None
) -> Switch:
    """As `by`, where nothing is said about any other string; or `otherwise` says what an object with one is."""
    return dataclasses.replace(_switch(key, words, told, "silent", None), otherwise=otherwise)


def _switch(
    key: str, words: Mapping[str, Node], told: Tell | Tells | None, others: Others, absent: str | None
) -> Switch:
    return Switch(key, tuple(words.items()), others, absent, tells(told))


def cases(*found: tuple[str | Condition, Node], otherwise: Node, itself: Tell | None = None) -> Cases:
    """Objects told apart by what they have, the first that holds: `cases(("error", FAILURE), otherwise=CHUNK)`.

    `itself`: how it is told that this is no object at all.
    """
    named = tuple((condition(each), node) for each, node in found)
    return Cases(named, otherwise, {} if itself is None else {"itself": itself})


def later(name: str, node: Callable[[], Node]) -> Later:
    """A node that contains itself: `later("schema", lambda: SCHEMA)`."""
    return Later(name, node)
