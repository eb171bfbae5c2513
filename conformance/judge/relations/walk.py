"""Which rows can find something in an exchange: one walk over its bodies, along the places at which rows begin.

Most rows are about what few exchanges have. Those are found by the walk, not tried one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from conformance.judge.relations.places import (
    POSITIONS,
    Found,
    Key,
    Node,
    Test,
    inner_of,
    is_history,
    is_setting,
    places,
    text_of,
)
from conformance.model.pointer import join

Begins = Sequence[frozenset[Node]]
"""The nodes of each of some patterns: there is something at a pattern if there is at one of its nodes."""


Reached = dict["Way", list[Found]]
"""What the ways lead to in an exchange."""


class Known(NamedTuple):
    """What need not be walked: the ways to other members than the history, and of the `histories` the first `items`."""

    settings: AbstractSet[Way] = frozenset()
    histories: AbstractSet[Way] = frozenset()
    items: int = 0


_NOTHING = Known()


class _Member:
    """The ways on from a member of an object: to the member itself, and by tests of it or of what is in it."""

    __slots__ = ("tested", "ways")

    def __init__(self) -> None:
        self.ways: list[Way] = []
        self.tested: dict[tuple[str, ...], dict[str | None, list[Way]]] = {}
        """By the rest of the path, the ways for each text that is tested for; for None, those for any value."""


class Way:
    """A node, and the ways on from it to places at which rows begin.

    `ends`: it is such a place itself; `leads`: it has ways on.
    """

    __slots__ = ("_by_name", "_items", "_lacking", "_others", "ends", "leads", "node", "tail")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.tail = node.tail
        self.ends = self.leads = False
        self._by_name: dict[str, _Member] = {}
        self._items: list[Way] = []
        self._lacking: list[tuple[str, tuple[str, ...], Way]] = []
        """The ways to what lacks a member, or has it without one of some values."""
        self._others: list[Way] = []

    def add(self, way: Way) -> None:
        """Adds a way on, which begins with the step of its node."""
        step = way.node.step
        self.leads = True
        if isinstance(step, Key) and step.is_member:
            self._by_name.setdefault(step.name, _Member()).ways.append(way)
        elif isinstance(step, Test) and step.path and not step.absent:
            ways = self._by_name.setdefault(step.path[0], _Member()).tested.setdefault(step.path[1:], {})
            for value in step.values or (None,):
                ways.setdefault(value, []).append(way)
        elif isinstance(step, Test) and len(step.path) == 1 and step.path[0] not in POSITIONS:
            self._lacking.append((step.path[0], step.values, way))
        elif step == Key("*"):
            self._items.append(way)
        else:
            self._others.append(way)

    def enter(self, found: Found, reached: Reached, known: Known = _NOTHING) -> None:
        """Adds a value that the way leads to, and all that its next ways lead to from there, but what is known."""
        values = reached.get(self)
        if values is None:
            reached[self] = [found]
        else:
            values.append(found)
        if not self.leads:
            return
        value, at = found
        settings = known.settings
        is_object = isinstance(value, dict)
        if is_object and self._by_name:
            members = self._by_name
            for name in members.keys() & value.keys():
                inner, on = value[name], members[name]
                for way in on.ways:
                    if way not in settings:
                        way.enter((inner, at + way.tail), reached, known)
                for path, ways in on.tested.items():
                    tested = inner_of(inner, path) if path else inner
                    if tested is None:
                        continue
                    for way in ways.get(None, ()):
                        way.enter(found, reached, known)
                    if (text := text_of(tested)) in ways:
                        for way in ways[text]:
                            way.enter(found, reached, known)
        for name, wrong, way in self._lacking:
            there = value.get(name) if is_object else None
            if there is None or (wrong and text_of(there) not in wrong):
                way.enter(found, reached, known)
        for way in self._items:
            if way in settings:
                continue
            if is_object:
                for name, inner in value.items():
                    way.enter((inner, join(at, name)), reached, known)
            elif isinstance(value, list):
                for number in range(known.items if way in known.histories else 0, len(value)):
                    way.enter((value[number], f"{at}/{number}"), reached, known)
        for way in self._others:
            if way not in settings:
                for each in way.node.follow([found]):
                    way.enter(each, reached, known)


class Walk:
    """The ways from each root to the places at which the relations of a dialect begin; `nodes`: all on the way."""

    def __init__(self, begins: Iterable[str]) -> None:
        self.ways: dict[Node, Way] = {}
        self.roots: list[Way] = []
        for written in begins:
            for place in places(written):
                self._way(place.node).ends = True
        self.nodes = frozenset(self.ways)
        self._repeated: dict[str, Known] = {}

    def known(self, history: str, items: int) -> Known:
        """What need not be walked in a request that repeats the settings, and the first items of the history."""
        if history not in self._repeated:
            settings = frozenset(way for node, way in self.ways.items() if is_setting(node, history))
            histories = frozenset(way for node, way in self.ways.items() if is_history(node, history))
            self._repeated[history] = Known(settings, histories)
        return self._repeated[history]._replace(items=items)

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
