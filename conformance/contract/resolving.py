"""Resolves a contract for one situation: removes rows that do not apply, and applies the side's policy for null."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from conformance.contract.citation import Side
from conformance.contract.nodes import (
    Anything,
    Array,
    Cases,
    Field,
    Later,
    Map,
    Node,
    Null,
    Object,
    Switch,
    Text,
    Union,
    inside,
)
from conformance.contract.situation import Situation, When

_Made = TypeVar("_Made")


def every(node: Node) -> Iterator[Node]:
    """A node and all nodes in it, each once, however often it occurs."""
    seen: dict[int | str, Node] = {}
    waiting = [node]
    while waiting:
        each = waiting.pop()
        key = each.name if isinstance(each, Later) else id(each)
        if key in seen:
            continue
        seen[key] = each
        if isinstance(each, Later):
            waiting.append(each.node())
        else:
            yield each
            waiting.extend(inside(each))


def whens(node: Node) -> list[When]:
    """All conditions of a contract, each once."""
    found: dict[When, None] = {}
    for each in every(node):
        if isinstance(each, Object):
            rows = [row for field in each.fields for row in (field, *field.others)]
            asked = [*(row.only for row in rows), *(row.unless for row in rows), *(rel.only for rel in each.relations)]
            asked += [each.closed] if isinstance(each.closed, When) else []
            found |= dict.fromkeys(one for one in asked if one is not None)
    return list(found)


class Resolver:
    """Makes the tree for one situation and side."""

    def __init__(self, situation: Situation, side: Side) -> None:
        self._situation = situation
        self._side = side
        self._later: dict[str, Later] = {}
        self._resolved: dict[int, tuple[Node, Node]] = {}

    def node(self, node: Node) -> Node:
        """The node with everything in it resolved; a node that occurs several times stays one object."""
        if id(node) not in self._resolved:
            self._resolved[id(node)] = node, self._node(node)
        return self._resolved[id(node)][1]

    def _node(self, node: Node) -> Node:
        if isinstance(node, Object):
            fields = tuple(row for each in node.fields for row in self._rows(each))
            relations = tuple(each for each in node.relations if self._asked(each.only))
            closed = self._asked(node.closed) if isinstance(node.closed, When) else node.closed
            return _with(node, fields=fields, relations=relations, closed=closed)
        if isinstance(node, Array):
            return _with(node, items=self.node(node.items))
        if isinstance(node, Map):
            return _with(node, values=self.node(node.values))
        if isinstance(node, Union):
            return Union(tuple(self.node(each) for each in node.choices))
        if isinstance(node, Switch):
            found = tuple((word, _tagged(self.node(each), node.key, word)) for word, each in node.cases)
            otherwise = None if node.otherwise is None else self.node(node.otherwise)
            null = self._side == "request" and node.absent is not None
            return _with(node, cases=found, otherwise=otherwise, null=null)
        if isinstance(node, Cases):
            within = tuple((each, self.node(one)) for each, one in node.cases)
            return _with(node, cases=within, otherwise=self.node(node.otherwise))
        return self._named(node) if isinstance(node, Later) else node

    def _named(self, later: Later) -> Later:
        if later.name not in self._later:
            made: list[Node] = []

            def once() -> Node:
                if not made:
                    made.append(self.node(later.node()))
                return made[0]

            self._later[later.name] = Later(later.name, once)
        return self._later[later.name]

    def _asked(self, only: When | None) -> bool:
        return only is None or only.holds(self._situation)

    def _rows(self, field: Field) -> Iterator[Field]:
        row = next((each for each in (field, *field.others) if self._asked(each.only)), None)
        if row is None:
            return
        waived = row.unless is not None and row.unless.holds(self._situation)
        presence = "may" if waived else row.presence
        node = self.node(row.node)
        null = row.null
        if null is None:
            null = (presence == "may" and self._side == "request") or takes_null(node)
        yield _with(row, node=node, presence=presence, null=null, others=())


def _with(node: _Made, /, **changes: object) -> _Made:
    """The node with other values: itself if it has them, else one made without `__init__`, of which there are many."""
    if all(_is_same(getattr(node, name), each) for name, each in changes.items()):
        return node
    made: _Made = object.__new__(type(node))
    for name in node.__slots__:  # type: ignore[attr-defined]
        object.__setattr__(made, name, changes[name] if name in changes else getattr(node, name))
    return made


def _is_same(one: object, other: object) -> bool:
    """Whether two values are the same object, or tuples of the same objects: a node has no equal one."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return one is other


def _tagged(case: Node, key: str, word: str) -> Node:
    """The case of a switch: if it is closed, it also allows the key by which it was chosen."""
    if not isinstance(case, Object) or not case.closed or any(row.name == key for row in case.fields):
        return case
    row = Field(Text(words=(word,)), "may", key, null=False)
    return _with(case, fields=(row, *case.fields))


def takes_null(node: Node) -> bool:
    """Whether a node itself allows null."""
    return isinstance(node, (Anything, Null)) or (isinstance(node, Union) and any(map(takes_null, node.choices)))
