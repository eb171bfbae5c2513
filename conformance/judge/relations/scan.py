"""The values at the places of relations, read once for each exchange."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.relations.places import Found, Place, Root, Step, Test, places, text_of
from conformance.judge.view import View
from conformance.model.transcript import Malformed

Sided = tuple[Root, Any, str]
"""The root of a value, the value, and its place."""


class Scan:
    """The values of one exchange by path. What several paths begin with is followed once."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._found: dict[tuple[Root, tuple[Step, ...]], list[Found]] = {}
        self._grouped: dict[tuple[Root, tuple[Step, ...], tuple[str, ...]], dict[str, list[tuple[int, Found]]]] = {}

    def at(self, written: str) -> Iterator[Sided]:
        """The values at the places of a pattern, in the order of its alternatives."""
        for place in places(written):
            for value, pointer in self.of(place):
                yield place.root, value, pointer

    def first(self, written: str) -> Sided | None:
        """The first value at the places of a pattern; None if there is none."""
        return next(self.at(written), None)

    def of(self, place: Place) -> list[Found]:
        """The values at one place."""
        return self._follow(place.root, place.steps)

    def _follow(self, root: Root, steps: tuple[Step, ...]) -> list[Found]:
        key = root, steps
        if key not in self._found:
            if not steps:
                self._found[key] = self._roots(root)
            elif isinstance(steps[-1], Test) and steps[-1].values and not steps[-1].absent:
                self._found[key] = self._with(root, steps[:-1], steps[-1])
            else:
                last = steps[-1]
                self._found[key] = [each for found in self._follow(root, steps[:-1]) for each in last.follow(found)]
        return self._found[key]

    def _with(self, root: Root, before: tuple[Step, ...], test: Test) -> list[Found]:
        """Those with one of some values; they are sorted by the value once, whatever the number of values asked for."""
        key = root, before, test.path
        if key not in self._grouped:
            groups: dict[str, list[tuple[int, Found]]] = {}
            for number, found in enumerate(self._follow(root, before)):
                value = found[0]
                for name in test.path:
                    value = value.get(name) if isinstance(value, dict) else None
                if value is not None:
                    groups.setdefault(text_of(value), []).append((number, found))
            self._grouped[key] = groups
        chosen = [each for value in test.values for each in self._grouped[key].get(value, ())]
        return [found for _, found in (chosen if len(test.values) == 1 else sorted(chosen, key=lambda each: each[0]))]

    def _roots(self, root: Root) -> list[Found]:
        view = self._view
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
        return [(view.response, "")] if root == "response" and not isinstance(view.response, Malformed) else []


def scan_of(view: View) -> Scan:
    """The scan of an exchange."""
    if Scan not in view.found:
        view.found[Scan] = Scan(view)
    found: Scan = view.found[Scan]
    return found
