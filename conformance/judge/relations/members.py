"""Relations between the members of one value: what needs what, what excludes what, which words come before which."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from conformance.judge.relations.forms import Form, named
from conformance.judge.relations.places import path, select
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief


@dataclass(frozen=True, slots=True)
class Needs:
    what: str
    needed: str
    known: str
    wanted: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        if any(each is not None and each is not False for each, _ in select(value, path(self.needed))):
            return
        if self.known and not any(each is not None for each, _ in select(value, path(self.known))):
            return
        for found, place in select(value, path(self.what), at):
            if found is not None:
                wanted = self.wanted or named(self.needed)
                yield Hit(place, f"{named(self.what)} needs {wanted}, which is absent", wanted, brief(found))


def needs(what: str, needed: str, *, known: str = "", wanted: str = "") -> Form:
    """A field comes only with another one, neither null nor false; with `known`, where that has something.

    `wanted`: the other one in words.
    """
    return Needs(what, needed, known, wanted)


@dataclass(frozen=True, slots=True)
class AtLeast:
    what: str
    least: str
    order: Sequence[str]

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        least = [each for each, _ in select(value, path(self.least)) if each in self.order]
        for found, place in select(value, path(self.what), at) if least else ():
            if found in self.order and self.order.index(found) < self.order.index(least[0]):
                message = f"{named(self.what)} is below {named(self.least)}"
                yield Hit(place, message, f"at least {least[0]}", brief(found))


def at_least(what: str, least: str, order: Sequence[str]) -> Form:
    """A word does not come before another one in an order."""
    return AtLeast(what, least, tuple(order))


@dataclass(frozen=True, slots=True)
class Excludes:
    what: str
    others: tuple[str, ...]

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        there = [each for each in self.others if any(found is not None for found, _ in select(value, path(each)))]
        for found, place in select(value, path(self.what), at) if there else ():
            if found is not None:
                message = f"{named(self.what)} must not come with {named(there[0])}"
                yield Hit(place, message, "one of the two", brief(found))


def excludes(what: str, *others: str) -> Form:
    """A field does not come with any of the others."""
    return Excludes(what, others)


@dataclass(frozen=True, slots=True)
class Matches:
    what: str
    pattern: str
    form: str
    where: Callable[..., bool] | None

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        for found, place in select(value, path(self.what), at):
            match = re.fullmatch(self.pattern, found, re.DOTALL) if isinstance(found, str) else None
            known = match is not None and (self.where is None or self.where(*match.groups()))
            if isinstance(found, str) and not known:
                yield Hit(place, f"{named(self.what)} is not {self.form}", self.form, brief(found))


def matches(what: str, pattern: str, form: str, *, where: Callable[..., bool] | None = None) -> Form:
    """A text has a form: that of a regular expression, and in words; `where` is true of its groups."""
    return Matches(what, pattern, form, where)
