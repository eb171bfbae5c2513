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


Part = str | Mapping[str, Node] | Citation | Citations
"""A part of a switch: its key, cases by their words, or how violations of it are reported."""


def by(*parts: Part, absent: str | None = None, **words: Node) -> Switch:
    """Objects distinguished by the string under a key, each string with its node; any other breaks the contract.

    `parts`: the key, if it is not `type`; `Citation` or `{kind: Citation}`; and `{word: node}` for words that are not
    Python identifiers.
    """
    return _switch(parts, words, "refused", absent)


def by_known(*parts: Part, **words: Node) -> Switch:
    """Like `by`, in a list that grows without notice: any other string is reported as undocumented."""
    return _switch(parts, words, "reported")


def by_some(*parts: Part, otherwise: Node | None = None, **words: Node) -> Switch:
    """Like `by`, but any other string is not reported; `otherwise` describes an object with such a string."""
    return dataclasses.replace(_switch(parts, words, "silent"), otherwise=otherwise)


def _switch(parts: tuple[Part, ...], words: Mapping[str, Node], others: Others, absent: str | None = None) -> Switch:
    key, found, cited = "type", dict[str, Node](), dict[str, Citation]()
    for part in parts:
        if isinstance(part, str):
            key = part
            continue
        for name, each in {"": part}.items() if isinstance(part, Citation) else part.items():
            if isinstance(each, Citation):
                cited[name] = each
            else:
                found[name] = each
    return Switch(key, tuple({**found, **words}.items()), others, absent, cited)


def cases(*found: tuple[str | Condition, Node], otherwise: Node, itself: Citation | None = None) -> Cases:
    """Objects distinguished by the first condition that is true: `cases(("error", FAILURE), otherwise=CHUNK)`.

    `itself`: how a value that is not an object is reported.
    """
    named = tuple((condition(each), node) for each, node in found)
    return Cases(named, otherwise, {} if itself is None else {"itself": itself})


def later(name: str, node: Callable[[], Node]) -> Later:
    """A node that contains itself: `later("schema", lambda: SCHEMA)`."""
    return Later(name, node)
