"""Values that a node allows, and values that break it in one way: for examples of rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from conformance.contract.citation import Kind
from conformance.contract.nodes import (
    Array,
    Cases,
    Field,
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
from conformance.contract.relations import Condition

_TRIED = ("a", "A1", "a1", "0", "2026-01-01", "a-b", "a.b", "a/b", "https://example.com")
_OTHERS: tuple[Any, ...] = (7, "text", {}, [], True)


def sample(node: Node, depth: int = 0) -> Any:
    """A small value that the node allows, apart from relations between fields."""
    if isinstance(node, Text):
        fitting = (each for each in _TRIED if not node.pattern or re.fullmatch(node.pattern, each))
        return node.words[0] if node.words else next(fitting, "a").ljust(node.least, "x")
    if isinstance(node, Number):
        bound = node.low if node.low is not None else node.high
        value = 1 if bound is None else bound
        return int(value) if float(value).is_integer() else value
    if isinstance(node, Flag):
        return True if node.only is None else node.only
    if isinstance(node, Array):
        return [sample(node.items, depth + 1)] * max(node.least, 1)
    if isinstance(node, Object):
        return {row.name: sample(row.node, depth + 1) for row in node.fields if row.presence == "need"}
    if isinstance(node, Switch):
        word, case = node.cases[0]
        return {node.key: word, **sample(case, depth + 1)}
    if isinstance(node, Cases):
        return sample(node.otherwise, depth)
    if isinstance(node, Later):
        return sample(node.node(), depth + 1) if depth < 6 else {}
    if isinstance(node, Union):
        return sample(node.choices[0], depth)
    return {} if isinstance(node, Map) else None if isinstance(node, Null) else "text"


def meeting(condition: Condition, owner: Object) -> Any:
    """A value with which an object's field fulfils the condition."""
    if condition.values is not None:
        return condition.values[0]
    if condition.over is not None:
        return int(condition.over) + 1
    if condition.item is not None:
        return [condition.item]
    row = next((each for each in owner.fields if each.name == condition.name), None)
    return sample((row, *row.others)[-1].node) if row is not None else "text"


def grown(node: Node, path: Sequence[str]) -> Any:
    """A sample of the node with a value at the path, in which `*` is one item.

    Raises:
        LookupError: the node has no such path.
    """
    if not path:
        return sample(node)
    name, *rest = path
    for choice in _choices(node):
        for child in children(choice, name):
            try:
                value = grown(child, rest)
            except LookupError:
                continue
            if name == "*":
                return {"key": value} if isinstance(choice, Map) else [value]
            return {**sample(choice), name: value}
    raise LookupError(name)


def children(node: Node, name: str) -> Iterator[Node]:
    """The nodes directly under a name, or under `*`."""
    for choice in _choices(node):
        if isinstance(choice, (Array, Map)) and name == "*":
            yield choice.items if isinstance(choice, Array) else choice.values
        elif isinstance(choice, Object):
            rows = (each for row in choice.fields for each in (*reversed(row.others), row))
            yield from (row.node for row in rows if row.name == name)


def _choices(node: Node) -> Iterator[Node]:
    """The alternatives of a node: the choices of a union, or the cases of a switch with their word as a field."""
    if isinstance(node, Later):
        yield from _choices(node.node())
    elif isinstance(node, Union):
        for each in node.choices:
            yield from _choices(each)
    elif isinstance(node, Cases):
        for case in (node.otherwise, *(each for _, each in node.cases)):
            yield from _choices(case)
    elif isinstance(node, Switch):
        for word, case in node.cases:
            tag = Field(Text(words=(word,)), "need", node.key)
            for each in _choices(case):
                yield replace(each, fields=(tag, *each.fields)) if isinstance(each, Object) else each
    else:
        yield node


def breaking(kind: Kind, node: Node | None) -> Iterator[Any]:
    """Values that break the node in this way, the likeliest first; some may not break it."""
    for each in node.choices if isinstance(node, Union) else (node,):
        yield from _breaking(kind, each)


def _breaking(kind: Kind, node: Node | None) -> Iterator[Any]:
    if kind == "type":
        yield from _OTHERS
        yield None
    elif kind == "null":
        yield None
    elif kind == "value":
        yield not node.only if isinstance(node, Flag) else "unheard-of"
    elif kind == "empty":
        yield from ("", [])
    elif kind == "range" and isinstance(node, Number):
        yield from (bound for bound in (_below(node.low), _above(node.high)) if bound is not None)
    elif kind == "length" and isinstance(node, Text):
        yield "x" * ((node.most or 0) + 1)
        yield "x" * max(node.least - 1, 0)
    elif kind == "pattern":
        yield from ("not valid!", "", "x" * 300)
    elif kind == "count" and isinstance(node, Array):
        yield [sample(node.items)] * ((node.most or 0) + 1)
        yield [sample(node.items)] * max(node.least - 1, 0)
    elif kind == "count" and isinstance(node, Map):
        yield {f"key_{number}": sample(node.values) for number in range((node.most or 0) + 1)}
    elif kind == "duplicate" and isinstance(node, Array):
        yield [sample(node.items)] * 2
    elif kind in ("deprecated", "unknown") and node is not None:
        yield sample(node)


def _below(low: float | None) -> float | None:
    return None if low is None else _tidy(low - 1)


def _above(high: float | None) -> float | None:
    return None if high is None else _tidy(high + 1)


def _tidy(value: float) -> float:
    return int(value) if float(value).is_integer() else value
