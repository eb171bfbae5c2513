"""The words that describe nodes and values in messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    Object,
    Switch,
    Text,
    Union,
)
from conformance.model.pointer import split

_LONG_LIST = 16
_SHOWN = 12
"""The number of words shown of a long list."""


def types(node: Node) -> tuple[str, ...]:
    """The JSON types that a node allows; `integer` for numbers without a fraction, an empty list for anything."""
    if isinstance(node, Union):
        found = [types(each) for each in node.choices]
        return () if () in found else tuple(dict.fromkeys(name for each in found for name in each))
    if isinstance(node, Later):
        return types(node.node())
    if isinstance(node, Number):
        return ("integer" if node.whole else "number",)
    if isinstance(node, Array):
        return ("array", *types(node.items)) if node.single else ("array",)
    return next((names for form, names in _TYPES if isinstance(node, form)), ())


_TYPES: tuple[tuple[type[Node] | tuple[type[Node], ...], tuple[str, ...]], ...] = (
    (Anything, ()),
    (Null, ("null",)),
    (Flag, ("boolean",)),
    (Text, ("string",)),
    ((Object, Map, Switch, Cases), ("object",)),
)


def described(node: Node) -> str:
    """What a node allows, in short: `integer from 1 to 128`, `string or array`."""
    if isinstance(node, Number):
        return f"{'integer' if node.whole else 'number'} {ranged(node)}".rstrip()
    if isinstance(node, Text) and node.words:
        return listed(node.words)
    if isinstance(node, Flag) and node.only is not None:
        return str(node.only).lower()
    if isinstance(node, Union):
        return " or ".join(dict.fromkeys(described(each) for each in node.choices))
    return " or ".join(types(node)) or "any value"


def amount(low: int, high: int | None, what: str) -> str:
    """`at least one item`, `at most 4 items`, `from 1 to 4 items`."""
    return f"at least one {what}" if (low, high) == (1, None) else f"{between(low or None, high)} {what}s"


def counted(number: int, what: str) -> str:
    """`1 item`, `2 items`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def ranged(node: Number) -> str:
    """The bounds of a number: `from 0 to 2`, `above 0 and at most 1`; empty without bounds."""
    if not (node.open_low or node.open_high):
        return between(node.low, node.high)
    low = between(node.low, None) if not node.open_low or node.low is None else f"above {_plain(node.low)}"
    high = between(None, node.high) if not node.open_high or node.high is None else f"below {_plain(node.high)}"
    return " and ".join(each for each in (low, high) if each)


def between(low: float | None, high: float | None, lead: str = "") -> str:
    """`from 0 to 2`, `exactly 1`, `at least 1`, `at most 4`, or nothing."""
    if low is not None and low == high:
        return f"{lead}exactly {_plain(low)}"
    if low is not None and high is not None:
        return f"{lead}from {_plain(low)} to {_plain(high)}"
    if low is not None:
        return f"{lead}at least {_plain(low)}"
    return "" if high is None else f"{lead}at most {_plain(high)}"


def _plain(bound: float) -> str:
    return str(int(bound)) if float(bound).is_integer() else str(bound)


def listed(words: tuple[str, ...]) -> str:
    """The words, quoted: `"a", "b" or "c"`; of a long list the first ones, and how many more there are."""
    quoted = [f'"{word}"' for word in words]
    if len(quoted) > _LONG_LIST:
        return f"{', '.join(quoted[:_SHOWN])} or one of {len(quoted) - _SHOWN} more"
    *most, last = quoted
    return f"{', '.join(most)} or {last}" if most else last


def named(names: list[str]) -> str:
    """The names as code: `` `a`, `b` and `c` ``."""
    *most, last = (f"`{name}`" for name in names)
    return f"{', '.join(most)} and {last}" if most else last


def subject(pointer: str) -> str:
    """The name of a place in messages."""
    tokens = split(pointer)
    if tokens and tokens[-1].isdecimal():
        owner = next((token for token in reversed(tokens) if not token.isdecimal()), "")
        return f"an item of `{owner}`" if owner else "an item"
    return f"`{tokens[-1]}`" if tokens else "the body"


def present(value: Mapping[str, Any]) -> str:
    """The fields of an object, for messages about missing ones."""
    names = sorted(value)
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"only {named(names[:8])}{more}" if names else "an empty object"
