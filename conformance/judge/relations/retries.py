"""Requests that are sent again: what they repeat of the request before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.relations.identity import Identity
from conformance.judge.relations.places import path, select, text_of
from conformance.judge.relations.rows import OfPlaces, Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, same


@dataclass(frozen=True, slots=True)
class Repeats(OfPlaces):
    """A request that has an identity at `what` repeats some parts of the request whose reply introduced it.

    The array at `grown` may have one more item, for which the test is true.
    """

    what: str
    to: Identity
    parts: tuple[str, ...]
    grown: tuple[str, str] | None = None

    def hits(self, view: View) -> Iterator[Sided]:
        for _, value, _ in scan_of(view).at(self.what):
            before = next((each for each in reversed(view.earlier) if self.to.here(each, text_of(value))), None)
            if before is None:
                continue
            for part in self.changed(before.request, view.request):
                found = _at(view.request, part)
                message = f"this differs from the request of exchange {before.number}"
                yield "request", Hit(part if found is not None else None, message, None, brief(found))

    def changed(self, before: Any, now: Any) -> Iterator[str]:
        """The parts that two requests do not share."""
        yield from (part for part in self.parts if not same(_at(before, part), _at(now, part)))
        if self.grown is not None:
            at, test = self.grown
            old, new = _at(before, at), _at(now, at)
            if not isinstance(old, list) or not isinstance(new, list):
                return
            more = new[len(old) :]
            allowed = [each for each in more if list(select(each, path(test)))]
            if not same(old, new[: len(old)]) or len(more) > 1 or allowed != more:
                yield at


def _at(value: Any, part: str) -> Any:
    return next((each for each, _ in select(value, path(part))), None)


def repeats(what: str, to: Identity, parts: tuple[str, ...], *, grown: tuple[str, str] | None = None) -> Repeats:
    """A request with an identity of a reply repeats parts of the request of that reply."""
    return Repeats(what, to, parts, grown)
