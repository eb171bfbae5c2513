"""The values at the places of relations, read once for each exchange."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter
from typing import Any
from weakref import ref

from conformance.judge.relations.places import Found, Key, Node, Place, Root, Test, places, text_of
from conformance.judge.view import View
from conformance.model.registry import optional_part
from conformance.model.transcript import Malformed

Sided = tuple[Root, Any, str]
"""The root of a value, the value, and its place."""


_MESSAGE = re.compile(r"(?:event/\d+)?(?:/\d+)?")
_Groups = dict[str, list[tuple[int, Found]]]
"""Values by the text of one of their members, each with its number among all."""


class Scan:
    """The values of one exchange by place. What several places begin with is followed once."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._found: dict[Node, list[Found]] = {}
        self._patterns: dict[str, list[Sided]] = {}
        self._grouped: dict[object, _Groups] = {}
        self._notes = hasattr(view, "reads_more")
        self._earlier, self._items, self._history = _repeated(view)

    def at(self, written: str) -> list[Sided]:
        """The values at the places of a pattern, in the order of its alternatives."""
        if self._notes:
            self._note(written)
        found = self._patterns.get(written)
        if found is None:
            all_of = ((place.root, self.of(place)) for place in places(written))
            found = [(root, value, pointer) for root, values in all_of for value, pointer in values]
            self._patterns[written] = found
        return found

    def _note(self, written: str) -> None:
        """A view of the request alone notes that more was read, whoever read it first."""
        if any(place.root not in ("request", "header") for place in places(written)):
            _ = self._view.ok

    def first(self, written: str) -> Sided | None:
        """The first value at the places of a pattern; None if there is none."""
        found = self.at(written)
        return found[0] if found else None

    def of(self, place: Place) -> list[Found]:
        """The values at one place."""
        return self._at(place.node)

    def _at(self, node: Node) -> list[Found]:
        found = self._found.get(node)
        if found is None:
            found = self._found[node] = self._read(node)
        return found

    def _read(self, node: Node) -> list[Found]:
        if node.parent is None:
            return self._roots(node.root)
        before = self._at(node.parent)
        if not before:
            return before
        if not isinstance(node.step, Key):
            return self._tested(node, node.step, before) if node.step is not None else before
        earlier = self._earlier() if node is self._history else None
        if earlier is not None:
            return earlier.history()[: self._items] + node.step.follow(before, self._items)
        return node.step.follow(before)

    def history(self) -> list[Found]:
        """The items of the request's history, with those that it repeats as an earlier request has them."""
        return [] if self._history is None else self._at(self._history)

    def _tested(self, node: Node, test: Test, before: list[Found]) -> list[Found]:
        """Those with one of some values: they are sorted by their value once, whatever values are asked for."""
        if node.group is None or len(before) == 1:
            return test.follow(before)
        groups = self.groups(node, test, before)
        if len(test.values) == 1:
            return [found for _, found in groups.get(test.values[0], ())]
        chosen = [each for value in test.values for each in groups.get(value, ())]
        return [found for _, found in sorted(chosen, key=itemgetter(0))]

    def groups(self, node: Node, test: Test, before: list[Found]) -> _Groups:
        known = self._grouped.get(node.group)
        if known is not None:
            return known
        groups: _Groups = {}
        first = 0
        earlier = self._earlier() if node.parent is self._history else None
        if earlier is not None:
            first = self._items
            for value, found in earlier.groups(node, test, earlier.history()).items():
                kept = [each for each in found if each[0] < first] if found[-1][0] >= first else list(found)
                if kept:
                    groups[value] = kept
        for number in range(first, len(before)):
            value = test.tested(before[number][0])
            if value is not None:
                groups.setdefault(text_of(value), []).append((number, before[number]))
        self._grouped[node.group] = groups
        return groups

    def _roots(self, root: Root) -> list[Found]:
        view = self._view
        if (view.endpoint is not None) is not (root == "beside"):
            return []
        if root in ("client", "server"):
            return messages_of(view, root)
        if root == "header":
            sent = view.exchange.request.headers
            found: dict[str, list[str]] = {}
            for name, value in sent:
                found.setdefault(name.lower(), []).extend(each.strip() for each in value.split(","))
            return [(found, "")]
        if root == "request":
            known = view.exchange.request.body.note is None and not isinstance(view.request, Malformed)
            return [(view.request, "")] if known else []
        if not view.ok or view.exchange.response.body.note is not None:
            return []
        if view.events is not None:
            if root == "events":
                return [([each.json for each in view.events], "event")]
            return [(each.json, each.pointer) for each in view.events] if root == "event" else []
        return (
            [(view.response, "")] if root in ("response", "beside") and not isinstance(view.response, Malformed) else []
        )


def _repeated(view: View) -> tuple[Callable[[], Scan | None], int, Node | None]:
    """A weak reference to the scan of the request that this one repeats, the repeated items of the history, their node.

    Weak, because a run may be long, and each request repeats the one before.
    """
    history = view.dialect.readers.history
    node = None if history is None else places(f"request /{history.key}/*")[0].node
    scan = None if view.repeated is None else view.repeated.earlier.found.get(Scan)
    return (_nothing if scan is None else ref(scan)), 0 if view.repeated is None else view.repeated.items, node


def _nothing() -> None:
    return None


def messages_of(view: View, side: Root) -> list[Found]:
    """The messages of a side, as the dialect's module `both_sides` shows them; none where it has no such module."""
    if messages_of not in view.found:
        module = optional_part(view.dialect.name, "both_sides")
        view.found[messages_of] = {} if module is None else module.messages(view)
    found: dict[Root, list[Found]] = view.found[messages_of]
    return found.get(side, [])


def on_wire(view: View, side: Root, pointer: str) -> str:
    """A place within a message; the message itself where the place is in what the dialect added to it."""
    if side not in ("client", "server"):
        return pointer
    begun = _MESSAGE.match(pointer)
    at = begun[0] if begun is not None else ""
    module = optional_part(view.dialect.name, "both_sides")
    return at if module is not None and pointer[len(at) + 1 :].partition("/")[0] in module.ADDED else pointer


def scan_of(view: View) -> Scan:
    """The scan of an exchange."""
    if Scan not in view.found:
        view.found[Scan] = Scan(view)
    found: Scan = view.found[Scan]
    return found
