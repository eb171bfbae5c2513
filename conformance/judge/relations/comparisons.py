"""Relations between values of any kind within one value: presence, sameness, difference, membership, order."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from conformance.judge.relations.described import either
from conformance.judge.relations.forms import Form, any_of, listed, named, number_at
from conformance.judge.relations.places import path, select, shown
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, canonical


@dataclass(frozen=True, slots=True)
class Has:
    fields: tuple[str, ...]

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        for each in self.fields:
            if all(found in (None, "") for found, _ in select(value, path(each))):
                yield Hit(at, f"{named(each)} is missing", named(each), "nothing")


def has(*fields: str) -> Form:
    """Each of the fields has a value: neither null nor an empty text."""
    return Has(fields)


@dataclass(frozen=True, slots=True)
class Differ:
    one: str
    other: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        taken = {canonical(each) for each, _ in select(value, path(self.one)) if each not in (None, "")}
        for found, place in select(value, path(self.other), at):
            if canonical(found) in taken:
                yield Hit(place, f"{named(self.other)} is the same as {named(self.one)}", "another value", brief(found))


def differ(one: str, other: str) -> Form:
    """Two fields have different values; the second is at fault."""
    return Differ(one, other)


@dataclass(frozen=True, slots=True)
class Constant:
    what: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        first: tuple[Any, str] | None = None
        for each, place in select(value, path(self.what), at):
            first = first or (each, place)
            if not jsontext.same(each, first[0]):
                yield Hit(place, f"{named(self.what)} was different at {first[1]}", brief(first[0]), brief(each))


def constant(what: str) -> Form:
    """All values at a path are the same."""
    return Constant(what)


@dataclass(frozen=True, slots=True)
class NotLess:
    what: str
    than: str
    plus: float = 0

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        found, least = list(select(value, path(self.what), at)), list(select(value, path(self.than)))
        if len(found) != 1 or len(least) != 1:
            return
        more, less = measure(found[0][0]), measure(least[0][0])
        if more is not None and less is not None and more + self.plus < less:
            by = f" by more than {shown(self.plus)}" if self.plus else ""
            message = f"{named(self.what)} is less than {named(self.than)}{by}"
            yield Hit(found[0][1], message, f"{brief(least[0][0])} or more", brief(found[0][0]))


def measure(value: Any) -> float | None:
    """A number; of a text, the seconds of a duration (`1.5s`) or of a time (RFC 3339)."""
    if not isinstance(value, str):
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    duration = re.fullmatch(r"(-?\d+(?:\.\d+)?)s", value)
    if duration:
        return float(duration[1])
    try:
        found = dt.datetime.fromisoformat(value)
    except ValueError:
        return None
    return found.timestamp() if found.tzinfo is not None else None


def not_less(what: str, than: str, *, plus: float = 0) -> Form:
    """A number, a duration or a time is at least another one; or it would be, with so much added."""
    return NotLess(what, than, plus)


_BETWEEN = 2.0
"""Seconds that may lie between two readings of one clock."""


@dataclass(frozen=True, slots=True)
class Lasts:
    begin: str
    end: str
    seconds: str | float

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        begun, lasts = self._one(value, self.begin), self.seconds
        wanted = self._one(value, lasts) if isinstance(lasts, str) else lasts
        if begun is None or wanted is None:
            return
        for found, place in select(value, path(self.end), at):
            ended = measure(found)
            if ended is not None and abs(ended - begun - wanted) > _BETWEEN:
                message = f"{named(self.end)} is {shown(ended - begun)} seconds after {named(self.begin)}"
                yield Hit(place, message, f"{shown(wanted)} seconds after it", brief(found))

    @staticmethod
    def _one(value: Any, where: str) -> float | None:
        found = list(select(value, path(where)))
        return measure(found[0][0]) if len(found) == 1 else None


def lasts(begin: str, end: str, seconds: str | float) -> Form:
    """A time comes so many seconds after another one: a number, or a number or a duration at a path."""
    return Lasts(begin, end, seconds)


@dataclass(frozen=True, slots=True)
class Shorter:
    holders: str
    texts: tuple[str, ...]
    limit: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        limit = number_at(value, self.limit)
        for holder, place in select(value, path(self.holders), at) if limit is not None else ():
            found = [text for each in self.texts for text, _ in select(holder, path(each)) if isinstance(text, str)]
            length = sum(map(len, found))
            if limit is not None and length > limit:
                message = f"{listed(self.texts)} has {length} characters, more than {named(self.limit)}"
                yield Hit(place, message, f"at most {shown(limit)}", str(length))


def shorter(holders: str, *texts: str, limit: str) -> Form:
    """The texts of each holder have together at most as many characters as a number."""
    return Shorter(holders, texts, limit)


@dataclass(frozen=True, slots=True)
class Contains:
    of: str
    what: str
    blamed: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        place = next((place for _, place in select(value, path(self.blamed), at)), at)
        there = {canonical(each) for each, _ in select(value, path(self.what))}
        # What one path leads to may hold what another one does.
        holders = (dict, list) if " | " in self.of else ()
        for wanted, _ in any_of(value, self.of):
            if wanted is not None and not isinstance(wanted, holders) and canonical(wanted) not in there:
                of = either(named(each, many=True) for each in self.of.split(" | "))
                message = f"{brief(wanted)} of {of} is not among {named(self.what, many=True)}"
                yield Hit(place, message, f"{brief(wanted)} among {named(self.what, many=True)}", "nothing")


def contains(what: str, of: str, *, blamed: str = "") -> Form:
    """All values at a path, or at several, are among those at another; at fault is the whole, or what is `blamed`."""
    return Contains(of, what, blamed)


@dataclass(frozen=True, slots=True)
class Before:
    what: str
    others: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        first = next((place for _, place in select(value, path(self.others), at)), None)
        for _, place in select(value, path(self.what), at) if first is not None else ():
            if first is not None and _order(place) > _order(first):
                yield Hit(place, f"{named(self.what)} comes after {named(self.others)}", f"before {first}", "after it")


def _order(pointer: str) -> list[int]:
    return [int(token) for token in pointer.split("/") if token.isdecimal()]


def before(what: str, others: str) -> Form:
    """All items at a path of an array come before those at another."""
    return Before(what, others)


@dataclass(frozen=True, slots=True)
class SameOrder:
    what: str
    others: str
    reverse: bool

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        others = sorted(any_of(value, self.others), key=lambda each: _order(each[1]))
        known = {text: number for number, text in enumerate(_single(others)) if text}
        found = list(select(value, path(self.what), at))
        placed = [(known[text], each) for text, each in zip(_single(found), found, strict=True) if text in known]
        for (before, _), (after, (each, place)) in pairwise(placed):
            if after > before if self.reverse else after < before:
                order = "the reverse order" if self.reverse else "the order"
                of = named(self.others.partition(" | ")[0])
                yield Hit(place, f"{named(self.what)} is not in {order} of {of}", f"{order} of these", brief(each))
                return


def _single(found: list[tuple[Any, str]]) -> list[str]:
    """The canonical text of each value that is there only once; nothing for the others."""
    texts = [canonical(each) for each, _ in found]
    times = Counter(texts)
    return [text if times[text] == 1 else "" for text in texts]


def same_order(what: str, others: str, *, reverse: bool = False) -> Form:
    """Those values at a path that are at others, too, come in the order that they have there, or in the `reverse`."""
    return SameOrder(what, others, reverse)


@dataclass(frozen=True, slots=True)
class Decreases:
    what: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        found = [each for each in select(value, path(self.what), at) if isinstance(each[0], (int, float))]
        for (before, _), (after, place) in pairwise(found):
            if after > before:
                yield Hit(
                    place, f"{shown(after)} comes after {shown(before)}", f"at most {shown(before)}", shown(after)
                )
                return


def decreases(what: str) -> Form:
    """No number at a path is larger than the one before."""
    return Decreases(what)
