"""Which rows can find something in an exchange: one walk over its bodies, along the places at which rows begin.

Most rows are about what few exchanges have. Those are found by the walk, not tried one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from conformance.judge.relations.places import Found, Key, Node, Test, inner_of, places, text_of

Begins = Sequence[frozenset[Node]]
"""The nodes of each of some patterns: there is something at a pattern if there is at one of its nodes."""


class Way:
    """A node, and the `next` ways from it to places at which rows begin. `ends`: it is such a place itself."""

    __slots__ = ("_by_name", "_by_value", "_others", "ends", "next", "node")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.ends = False
        self.next: list[Way] = []
        self._by_name: dict[str, list[Way]] = {}
        self._by_value: dict[tuple[str, ...], dict[str, list[Way]]] = {}
        self._others: list[Way] = []

    def add(self, way: Way) -> None:
        """Adds a way on, which begins with the step of its node."""
        self.next.append(way)
        step = way.node.step
        if isinstance(step, Key) and step.is_member:
            self._by_name.setdefault(step.name, []).append(way)
        elif isinstance(step, Test) and step.path and step.values and not step.absent:
            for value in step.values:
                self._by_value.setdefault(step.path, {}).setdefault(value, []).append(way)
        else:
            self._others.append(way)

    def reach(self, values: list[Found]) -> dict[Way, list[Found]]:
        """The next ways that may lead to something in some values, each with that."""
        reached = {way: way.node.follow(values) for way in self._others}
        if not self._by_name and not self._by_value:
            return reached
        found: defaultdict[Way, list[Found]] = defaultdict(list, reached)
        named, valued = self._by_name, self._by_value.items()
        for each in values:
            value, at = each
            if not isinstance(value, dict):
                continue
            if named:
                for name, member in value.items():
                    if name in named:
                        for way in named[name]:
                            found[way].append((member, at + way.node.tail))
            for path, ways in valued:
                word = value.get(path[0]) if len(path) == 1 else inner_of(value, path)
                if word is not None:
                    for way in ways.get(text_of(word), ()):
                        found[way].append(each)
        return found


class Walk:
    """The ways from each root to the places at which the relations of a dialect begin; `nodes`: all on the way."""

    def __init__(self, begins: Iterable[str]) -> None:
        self._ways: dict[Node, Way] = {}
        self.roots: list[Way] = []
        for written in begins:
            for place in places(written):
                self._way(place.node).ends = True
        self.nodes = frozenset(self._ways)

    def _way(self, node: Node) -> Way:
        way = self._ways.get(node)
        if way is None:
            way = self._ways[node] = Way(node)
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
