"""The values at the places of relations, read once for each exchange."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from weakref import ref

from conformance.judge.recorded import Excerpt
from conformance.judge.relations.places import (
    SECTIONS,
    Found,
    Node,
    Place,
    Root,
    in_body,
    is_history,
    is_in_history,
    is_setting,
    keys_of,
    places,
)
from conformance.judge.relations.sections import section, whole
from conformance.judge.relations.walk import Known, Reached, Walk
from conformance.judge.view import View, held
from conformance.model.exchange import Lack
from conformance.model.finding import Hit
from conformance.model.pointer import item_of
from conformance.model.registry import optional_part
from conformance.model.transcript import Malformed

Sided = tuple[Root, Any, str]
"""The root of a value, the value, and its place."""
_IN_EXCHANGE = re.compile(r"(`)(?:reply|sent)\.|( )/(?:reply|sent)(?=/)")
"""What the engine puts before the members and the places of a body."""
_MESSAGE = re.compile(r"(?:event/\d+)?(?:/\d+)?")
_OF_ALONE = frozenset({"request", "header", "history", "answered", "tools", "sent"})
"""The roots that a request by itself has."""
_ALL: dict[str, dict[str, Any]] = {"*": {}}
SidedHit = tuple[Root, Hit]
"""A hit, and the root of its place."""
_Index = dict[str, list[Found]]
"""Values by a key of theirs."""


class Scan:
    """The values of one exchange by place. What several places begin with is followed once.

    A request of a conversation repeats the history of an earlier one. Of what lies there, only the new part is read and
    judged; the rest is as the scan of that request has it.
    """

    def __init__(self, view: View) -> None:
        self._viewed = ref(view)
        self._history = None if view.dialect.readers.history is None else view.dialect.readers.history.key
        self.found: dict[Node, list[Found]] = {}
        self._patterns: dict[str, list[Sided]] = {}
        self.indexes: dict[tuple[Node, str], _Index] = {}
        self._counts: dict[Node, int] = {}
        self.faulty: dict[int, list[Sided]] = {}
        self.walked: frozenset[Node] = frozenset()
        self._notes = hasattr(view, "reads_more")
        self._earlier, self._items = _repeated(view)

    @property
    def _view(self) -> View:
        return held(self._viewed)

    def walk(self, walk: Walk) -> frozenset[Node]:
        """The places at which rows begin that have something. The other ones of the walk have nothing."""
        reached: Reached = {}
        earlier, known = self._earlier(), Known()
        if earlier is not None and earlier.walked is walk.nodes and self._history is not None:
            known = walk.known(self._history, self._items)
        for way in walk.roots:
            for found in self.read(way.node):
                way.enter(found, reached, known)
        if earlier is not None and known.histories:
            self._add_repeated(earlier, walk, reached, known)
        self.found.update((way.node, found) for way, found in reached.items())
        self.walked = walk.nodes
        return frozenset(way.node for way in reached if way.ends)

    def _add_repeated(self, earlier: Scan, walk: Walk, reached: Reached, known: Known) -> None:
        """Adds what the earlier request has in its settings, and in the items of the history that this one repeats."""
        for node, found in list(earlier.found.items()):
            way = walk.ways.get(node)
            if way is None or not found:
                continue
            if way in known.settings:
                reached[way] = found
            elif self._is_below(node) and (kept := found[: self._kept(node)]):
                reached[way] = kept + reached.get(way, [])

    def at(self, written: str) -> list[Sided]:
        """The values at the places of a pattern, in the order of its alternatives."""
        if self._notes:
            self._note(written)
        found = self._patterns.get(written)
        if found is None:
            found = []
            for place in places(written):
                if values := self.of(place):
                    found += [(place.root, value, pointer) for value, pointer in values]
            self._patterns[written] = found  # at the end: what the source does not have ends it before
        return found

    def _note(self, written: str) -> None:
        """A view of the request alone notes that more was read, whoever read it first."""
        if any(place.root not in _OF_ALONE for place in places(written)):
            _ = self._view.ok

    def first(self, written: str) -> Sided | None:
        """The first value at the places of a pattern; None if there is none."""
        found = self.at(written)
        return found[0] if found else None

    def of(self, place: Place) -> list[Found]:
        """The values at one place."""
        return self.read(place.node) if self.read(place.top) else []

    def index(self, place: Place, by: str = "") -> _Index:
        """The values at a place by their keys: the texts at `by` in them, or their own."""
        known = self.indexes.get((place.node, by))
        if known is not None:
            return known
        index, first = {}, 0
        added: dict[str, list[Found]] = {}  # lists of its own: the others are those of the earlier scan
        earlier = self._earlier_of(place.node)
        if earlier is not None and (place.node, by) in earlier.indexes:
            index, first = earlier.indexes[place.node, by].copy(), self._kept(place.node)
            left = {each for value, _ in earlier.read(place.node)[first:] for each, _ in keys_of(value, by, "")}
            added = {key: [each for each in index[key] if self._repeats(each[1])] for key in left}
        for found in itertools.islice(self.read(place.node), first, None):
            for key, _ in keys_of(found[0], by, found[1]):
                if key not in added:
                    added[key] = list(index.get(key, ()))
                added[key].append(found)
        index.update(added)
        self.indexes[place.node, by] = index
        return index

    def judge(
        self, owner: object, written: str, hits: Callable[[Sided], Iterable[SidedHit] | None]
    ) -> Iterator[SidedHit]:
        """The hits of each value at the places of a pattern, for a relation whose other values are only added to.

        A value without hits has none in a request that repeats it, and is not judged again there. It is if the hits
        are None: nothing was found that it belongs to.
        """
        faulty: list[Sided] = []
        for each in self._unsettled(id(owner), written):
            found = hits(each)
            found = found if found is None else list(found)
            if found is None or found:
                faulty.append(each)
            yield from found or ()
        self.faulty[id(owner)] = faulty

    def _unsettled(self, owner: int, written: str) -> Sequence[Sided]:
        earlier = self._earlier()
        if earlier is None or owner not in earlier.faulty:
            return self.at(written)
        found = [each for each in earlier.faulty[owner] if each[0] == "request" and self._repeats(each[2])]
        for place in places(written):
            if self._history is not None and is_setting(place.node, self._history):
                continue
            first = self._kept(place.node) if self._is_below(place.node) else 0
            found += ((place.root, *each) for each in itertools.islice(self.read(place.node), first, None))
        return found

    def read(self, node: Node) -> list[Found]:
        """The values at the place of a node."""
        found = self.found.get(node)
        if found is None:
            if node in self.walked:
                return []
            found = self.found[node] = self._read(node)
        return found

    def _read(self, node: Node) -> list[Found]:
        if node.parent is None:
            return self._roots(node.root)
        before = self.read(node.parent)
        earlier = self._earlier_of(node) if before else None
        if earlier is None:
            return node.follow(before)
        is_all = self._history is not None and is_history(node, self._history)
        first, new = (self._items, before) if is_all else (0, before[self._kept(node.parent) :])
        return earlier.read(node)[: self._kept(node)] + node.follow(new, first)

    def _earlier_of(self, node: Node) -> Scan | None:
        """The scan of the request that this one repeats, if it has read the same place in the history."""
        earlier = self._earlier()
        if earlier is None or not (node in earlier.found or node in earlier.walked):
            return None
        return earlier if self._is_below(node) else None

    def _is_below(self, node: Node) -> bool:
        return self._history is not None and is_in_history(node, self._history)

    def _kept(self, node: Node) -> int:
        """How many of the values that the earlier scan has at a place in the history lie in the repeated items."""
        number = self._counts.get(node)
        if number is None:
            earlier = self._earlier()
            found = [] if earlier is None else earlier.read(node)
            number = len(found)
            while number and not self._repeats(found[number - 1][1]):
                number -= 1
            self._counts[node] = number
        return number

    def _repeats(self, pointer: str) -> bool:
        """Whether the earlier request has the same at a place: in the repeated items, or outside the history."""
        key = self._history
        item = None if key is None else item_of(pointer, key)
        if item is None:
            return key is not None and pointer not in ("", f"/{key}")
        return item < self._items

    def _roots(self, root: Root) -> list[Found]:
        view = self._view
        if root == "exchange":
            return [(whole(view), "")]
        if view.endpoint is not None and not (root == "response" and view.delivers):
            return []
        if root in SECTIONS:
            found = section(view, root)
            return [] if found is None else [(found, "")]
        if root in ("client", "server"):
            return messages_of(view, root)
        if root == "header":
            sent = view.exchange.request.headers
            values: dict[str, list[str]] = {}
            for name, value in sent:
                values.setdefault(name.lower(), []).extend(each.strip() for each in value.split(","))
            return [(Excerpt(values, {}) if "headers" in view.exchange.lacks else values, "")]
        if root == "request":
            known = view.exchange.request.body.note is None and not isinstance(view.request, Malformed)
            return [(view.request, "")] if known else []
        if not view.ok or view.exchange.response.body.note is not None:
            return []
        if view.events is not None:
            if root == "events":
                return [([each.json for each in view.events], "event")]
            return [(each.json, each.pointer) for each in view.events] if root == "event" else []
        return [(view.response, "")] if root == "response" and not isinstance(view.response, Malformed) else []


def _repeated(view: View) -> tuple[Callable[[], Scan | None], int]:
    """A weak reference to the scan of the request that this one repeats, and the repeated items of the history.

    Weak, because a run may be long, and each request repeats the one before.
    """
    scan = None if view.repeated is None else view.repeated.earlier.found.get(Scan)
    return (_nothing if scan is None else ref(scan)), 0 if view.repeated is None else view.repeated.items


def _nothing() -> None:
    return None


def messages_of(view: View, side: Root) -> list[Found]:
    """The messages of a side, as the dialect's module `both_sides` shows them; none where it has no such module."""
    if messages_of not in view.found:
        module = optional_part(view.dialect.name, "both_sides")
        found = {} if module is None else module.messages(view.plain)
        lacks = view.exchange.lacks & {"headers", "status"}
        view.found[messages_of] = found if not lacks else {root: _partial(each, lacks) for root, each in found.items()}
    messages: dict[Root, list[Found]] = view.found[messages_of]
    return messages.get(side, [])


def _partial(messages: list[Found], lacks: frozenset[Lack]) -> list[Found]:
    """The messages of an exchange without status or headers, whose absence then proves nothing."""
    hidden: frozenset[str] = lacks | ({"session"} if "headers" in lacks else set())

    def shown(message: dict[str, Any]) -> Excerpt:
        inner = {"asked": shown(message["asked"])} if "asked" in message else {}
        if "headers" in lacks and "headers" in message:
            inner["headers"] = Excerpt(message["headers"], {})
        return Excerpt({**message, **inner}, _ALL, hidden)

    return [(shown(each), at) for each, at in messages]


def on_wire(view: View, side: Root, pointer: str) -> tuple[Root, str]:
    """The root and the place on the wire; of a message, itself where the place is in what the dialect added to it."""
    if side == "exchange":
        return in_body(pointer)
    if side not in ("client", "server"):
        return side, pointer
    begun = _MESSAGE.match(pointer)
    at = begun[0] if begun is not None else ""
    module = optional_part(view.dialect.name, "both_sides")
    added = module is not None and pointer[len(at) + 1 :].partition("/")[0] in module.ADDED
    return side, at if added else pointer


def in_words(view: View, side: Root, hit: Hit) -> Hit:
    """A hit as people read it: without the names that the engine, or the dialect, gives to what it adds."""
    module = optional_part(view.dialect.name, "both_sides") if side in ("client", "server") else None
    if side == "exchange":
        return replace(hit, message=_IN_EXCHANGE.sub(r"\1\2", hit.message))
    if module is None:
        return hit
    return replace(hit, message=module.in_words(hit.message), expected=hit.expected and module.in_words(hit.expected))


def scan_of(view: View) -> Scan:
    """The scan of an exchange."""
    if Scan not in view.found:
        view.found[Scan] = Scan(view)
    found: Scan = view.found[Scan]
    return found
