"""Which rows can find something in an exchange: one walk over its bodies, along the places at which rows begin.

Most rows are about what few exchanges have. Those are found by the walk, not tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from conformance.judge.relations.places import Found, Key, Node, Test, inner_of, places, text_of

Begins = Sequence[frozenset[Node]]
"""The nodes of each of some patterns: there is something at a pattern if there is at one of its nodes."""


Reached = dict["Way", list[Found]]
"""What the ways lead to in an exchange."""


class _Member:
    """The ways on from a member of an object: to the member itself, and by tests of it or of what is in it."""

    __slots__ = ("tested", "ways")

    def __init__(self) -> None:
        self.ways: list[Way] = []
        self.tested: dict[tuple[str, ...], dict[str | None, list[Way]]] = {}
        """By the rest of the path, the ways for each text that is tested for; for None, those for any value."""


class Way:
    """A node, and the ways on from it to places at which rows begin. `ends`: it is such a place itself."""

    __slots__ = ("_by_name", "_others", "ends", "node", "tail")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.tail = node.tail
        self.ends = False
        self._by_name: dict[str, _Member] = {}
        self._others: list[Way] = []

    def add(self, way: Way) -> None:
        """Adds a way on, which begins with the step of its node."""
        step = way.node.step
        if isinstance(step, Key) and step.is_member:
            self._by_name.setdefault(step.name, _Member()).ways.append(way)
        elif isinstance(step, Test) and step.path and not step.absent:
            ways = self._by_name.setdefault(step.path[0], _Member()).tested.setdefault(step.path[1:], {})
            for value in step.values or (None,):
                ways.setdefault(value, []).append(way)
        else:
            self._others.append(way)

    def enter(self, value: Any, at: str, reached: Reached, new: tuple[Node | None, int] = (None, 0)) -> None:
        """Adds a value that the way leads to, and all that its next ways lead to from there.

        Of the values at the node of `new`, items of an array, only those from its number on.
        """
        found = reached.get(self)
        if found is None:
            found = reached[self] = []
        found.append((value, at))
        if isinstance(value, dict):
            members = self._by_name
            for name in members.keys() & value.keys() if members else ():
                inner, on = value[name], members[name]
                for way in on.ways:
                    way.enter(inner, at + way.tail, reached, new)
                for path, ways in on.tested.items():
                    tested = inner_of(inner, path) if path else inner
                    if tested is None:
                        continue
                    for text in (None, text_of(tested)):
                        for way in ways.get(text, ()):
                            way.enter(value, at, reached, new)
        for way in self._others:
            for each, place in way.node.follow([(value, at)], new[1] if way.node is new[0] else 0):
                way.enter(each, place, reached, new)


class Walk:
    """The ways from each root to the places at which the relations of a dialect begin; `nodes`: all on the way."""

    def __init__(self, begins: Iterable[str]) -> None:
        self.ways: dict[Node, Way] = {}
        self.roots: list[Way] = []
        for written in begins:
            for place in places(written):
                self._way(place.node).ends = True
        self.nodes = frozenset(self.ways)

    def _way(self, node: Node) -> Way:
        way = self.ways.get(node)
        if way is None:
            way = self.ways[node] = Way(node)
            if node.parent is None:
                self.roots.append(way)
            else:
                self._way(node.parent).add(way)
        return way


class Index:
    """The relations of a plan by the nodes at which they begin: the number of a rule, and of one of its relations."""

    def __init__(self, found: Iterable[Sequence[Begins] | None]) -> None:
        """Where the relations of each rule begin; those of None are no rows, and always asked."""
        self._others: list[int] = []
        self._by_node: dict[Node, list[tuple[int, int, Begins]]] = {}
        for number, relations in enumerate(found):
            if relations is None:
                self._others.append(number)
            for each, (first, *rest) in enumerate(relations or ()):
                for node in first:
                    self._by_node.setdefault(node, []).append((number, each, rest))

    def possible(self, reached: AbstractSet[Node]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The numbers of the rules to ask, in their order, each with those of its relations."""
        found: dict[int, set[int]] = {number: set() for number in self._others}
        for node in reached:
            for number, each, rest in self._by_node.get(node, ()):
                if not any(map(reached.isdisjoint, rest)):
                    found.setdefault(number, set()).add(each)
        return ((number, tuple(sorted(found[number]))) for number in sorted(found))
