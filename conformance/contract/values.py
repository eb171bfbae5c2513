"""The functions that describe values."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from conformance.contract.asking import condition
from conformance.contract.citation import Citation, Citations
from conformance.contract.nodes import (
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
from conformance.contract.relations import Condition
from conformance.contract.rows import citations

anything: Node = Anything()
null: Node = Null()
boolean: Node = Flag()


def text(least: int = 0, most: int | None = None, pattern: str = "") -> Text:
    """A string: `text(1)` is not empty, `text(1, 64)` has at most 64 characters; `pattern` matches all of it."""
    return Text(least, most, pattern)


def word(*words: str) -> Text:
    """One of these strings: any other breaks the contract."""
    return Text(words=words)


def known(*words: str) -> Text:
    """One of these strings, in a list that grows without notice: any other is reported as undocumented."""
    return Text(words=words, others="reported")


def folded(*words: str) -> Text:
    """One of these strings, in any case: any other breaks the contract."""
    return Text(words=words, folded=True)


def number(low: float | None = None, high: float | None = None) -> Number:
    """A number, with its bounds."""
    return Number(low, high)


def integer(low: float | None = None, high: float | None = None) -> Number:
    """An integer, with its bounds."""
    return Number(low, high, whole=True)


def quoted(node: Number) -> Number:
    """A number that may also be written as a string, as in JSON for protocol buffers."""
    return dataclasses.replace(node, quoted=True)


def array(items: Node, least: int = 0, most: int | None = None, *, unique: bool = False, single: bool = False) -> Array:
    """An array of items, with the bounds of their number."""
    return Array(items, least, most, unique, single)


def mapping(values: Node = anything, keys: Text | None = None, most: int | None = None) -> Map:
    """An object with keys of the client's choice."""
    return Map(values, keys, most)


def by(
    key: str, words: Mapping[str, Node], citation: Citation | Citations | None = None, *, absent: str | None = None
) -> Switch:
    """Objects distinguished by the string under a key; any other string breaks the contract."""
    return _switch(key, words, citation, "refused", absent)


def by_known(key: str, words: Mapping[str, Node], citation: Citation | Citations | None = None) -> Switch:
    """Like `by`, in a list that grows without notice: any other string is reported as undocumented."""
    return _switch(key, words, citation, "reported", None)


def by_some(
    key: str, words: Mapping[str, Node], citation: Citation | Citations | None = None, *, otherwise: Node | None = None
) -> Switch:
    """Like `by`, but any other string is not reported; `otherwise` describes an object with such a string."""
    return dataclasses.replace(_switch(key, words, citation, "silent", None), otherwise=otherwise)


def _switch(
    key: str, words: Mapping[str, Node], citation: Citation | Citations | None, others: Others, absent: str | None
) -> Switch:
    return Switch(key, tuple(words.items()), others, absent, citations(citation))


def cases(*found: tuple[str | Condition, Node], otherwise: Node, itself: Citation | None = None) -> Cases:
    """Objects distinguished by the first condition that is true: `cases(("error", FAILURE), otherwise=CHUNK)`.

    `itself`: how a value that is not an object is reported.
    """
    named = tuple((condition(each), node) for each, node in found)
    return Cases(named, otherwise, {} if itself is None else {"itself": itself})


def later(name: str, node: Callable[[], Node]) -> Later:
    """A node that contains itself: `later("schema", lambda: SCHEMA)`."""
    return Later(name, node)
