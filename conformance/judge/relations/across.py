"""Relations between places of one exchange: in the request, in the reply, or between the two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Final

from conformance.judge.relations.described import demanded, described, found_at, subject_of
from conformance.judge.relations.forms import Form
from conformance.judge.relations.places import (
    POSITIONS,
    Key,
    Place,
    Root,
    Test,
    all_places,
    beneath,
    inner_of,
    places,
    shown,
    side_of,
    text_of,
)
from conformance.judge.relations.rows import OfPlaces, Sided
from conformance.judge.relations.scan import Scan, scan_of
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, same


@dataclass(frozen=True, slots=True, init=False)
class Within(OfPlaces):
    """Each value at the places has relations between its fields; if `given`, only with something at those places."""

    READS = ("at", "given")

    at: str
    forms: tuple[Form, ...]
    given: str
    of_any: tuple[Form, ...]
    """The forms that can find something in a value that is neither an object nor an array."""

    def __init__(self, at: str, *forms: Form, given: str = "") -> None:
        object.__setattr__(self, "at", at)
        object.__setattr__(self, "forms", forms)
        object.__setattr__(self, "given", given)
        object.__setattr__(self, "of_any", tuple(each for each in forms if not _first_path(each)))

    @property
    def begins(self) -> Sequence[str]:
        return (" | ".join(_inner(self.at, each) for each in self.forms), *([self.given] if self.given else []))

    def hits(self, view: View) -> Iterator[Sided]:
        if not self.given:
            yield from scan_of(view).judge(self, self.at, self._hits)
        elif scan_of(view).first(self.given) is not None:
            for each in scan_of(view).at(self.at):
                yield from self._hits(each)

    def _hits(self, found: tuple[Root, Any, str]) -> Iterator[Sided]:
        root, value, pointer = found
        for form in self.forms if isinstance(value, (dict, list)) else self.of_any:
            for hit in form.hits(value, pointer):
                yield root, hit


def _omit(pointer: str) -> str:
    name = subject_of(pointer)
    return f"leave {name if name.startswith('`') else 'it'} out"


_OF_REPLY: Final[frozenset[str]] = frozenset({"response", "event", "events"})


@dataclass(frozen=True, slots=True)
class Requires(OfPlaces):
    """What is at the places needs something at others, anywhere in the exchange; `unless` something is elsewhere."""

    READS = ("what", "needed", "unless")

    what: str
    needed: str
    unless: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        found = scan.first(self.what)
        if found is None or scan.first(self.needed) is not None:
            return
        if self.unless and scan.first(self.unless) is not None:
            return
        if not view.ok and all(place.root in _OF_REPLY for place in places(self.needed)):
            return  # a failure has nothing of a reply
        root, value, pointer = found
        needed = described(self.needed, root)
        other = _otherwise(scan, self.needed)
        message = f"{subject_of(pointer)} needs {needed}, which is {'absent' if other is None else brief(other)}"
        here = any(side_of(place.root) == side_of(root) for place in places(self.needed))
        fix = f"add it, or {_omit(pointer)}" if here else _omit(pointer)
        yield root, Hit(pointer, message, needed, brief(value), fix=fix)


def _otherwise(scan: Scan, needed: str) -> Any:
    """What is there in place of one of the values that one place should have; None if nothing is, or of several."""
    [place, *others] = places(needed)
    before, last = place.node.parent, place.steps[-1] if place.steps else None
    if others or before is None or not isinstance(last, Test) or last.absent or not last.values:
        return None
    if place.root == "event" or any(isinstance(step, Key) and step.name in POSITIONS for step in place.steps):
        return None
    found = (inner_of(value, last.path) for value, _ in scan.read(before))
    return next((each for each in found if isinstance(each, (str, int))), None)


@dataclass(frozen=True, slots=True)
class Forbids(OfPlaces):
    """Where there is something at `other`, there is nothing at the places `what`, which are at fault.

    Not `unless` there is something at those places.
    """

    READS = ("what", "other", "unless")
    NEEDS = ("what", "other")

    what: str
    other: str
    unless: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        against = scan.first(self.other)
        if against is None or (self.unless and scan.first(self.unless) is not None):
            return
        for root, value, pointer in scan.at(self.what):
            other = found_at(against[0], against[2]) or described(self.other, against[0])
            other += f", which is {brief(against[1])}" if isinstance(against[1], (bool, int, float)) else ""
            message = f"{subject_of(pointer)} must not come with {other}"
            yield root, Hit(pointer, message, "one of the two", brief(value), fix=_omit(pointer))


@dataclass(frozen=True, slots=True)
class Never(OfPlaces):
    """There is nothing at the places; `instead`: what there may be, in words. Not `unless` there is something else."""

    READS = ("what", "unless")

    what: str
    instead: str = ""
    unless: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        if self.unless and scan_of(view).first(self.unless) is not None:
            return
        for root, value, pointer in scan_of(view).at(self.what):
            demand = f"this must be {self.instead}" if self.instead else ""
            message = demand or f"{subject_of(pointer)} must {demanded(self.what, root)}"
            yield root, Hit(pointer, message, self.instead or "nothing", brief(value))


@dataclass(frozen=True, slots=True)
class Echoes(OfPlaces):
    """Every value at the places repeats the first value at `of`, or the `default` where there is none."""

    READS = ("what", "of")

    what: str
    of: str
    default: Any = None

    @property
    def begins(self) -> Sequence[str]:
        return (self.what, self.of) if self.default is None else (self.what,)

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        found = scan.first(self.of)
        wanted = self.default if found is None or found[1] is None else found[1]
        if wanted is None:
            return
        for root, value, pointer in scan.at(self.what):
            if value is not None and not same(value, wanted):
                there = "the default" if found is None else f"`{found[2]}` of the {side_of(found[0])}"
                message = f"{subject_of(pointer)} differs from {there}, which it must repeat"
                yield root, Hit(pointer, message, brief(wanted), brief(value))


@dataclass(frozen=True, slots=True)
class Bounded(OfPlaces):
    """Every number, and the length of every array, object and text, at the places is at most the number at `by`.

    `below`: it is smaller, as an index is; `least`: it is at least the number. It may be so much `more`. Not `unless`
    there is something at those places.
    """

    READS = ("what", "by", "unless")
    NEEDS = ("what", "by")

    what: str
    by: str
    below: bool = False
    least: bool = False
    more: int = 0
    unless: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        limit = scan.first(self.by)
        bound = None if limit is None else limit[1]
        if limit is None or not isinstance(bound, (int, float)) or isinstance(bound, bool):
            return
        limiting = found_at(limit[0], limit[2])
        if self.unless and scan.first(self.unless) is not None:
            return
        bound += self.more
        for root, value, pointer in scan.at(self.what):
            found = len(value) if isinstance(value, (list, dict, str)) else value
            if not isinstance(found, (int, float)) or isinstance(found, bool):
                continue
            if found < bound if self.least else found > bound or (self.below and found == bound):
                message = f"{shown(found)} is {'less' if self.least else 'more'} than {limiting} allows"
                how = "below" if self.below else "at least" if self.least else "at most"
                yield root, Hit(pointer, message, f"{how} {shown(bound)}", shown(found))


@dataclass(frozen=True, slots=True)
class AtMost(OfPlaces):
    """There are at most so many values at all the places together; `number` can be the place of the number.

    `per`: so many steps of a pointer lead to what has its own count, such as 2 to a message of a request.
    """

    number: int | str
    what: str
    per: int = 0

    @property
    def places(self) -> Sequence[Place]:
        return all_places(self.what, self.number if isinstance(self.number, str) else "")

    def hits(self, view: View) -> Iterator[Sided]:
        limit = scan_of(view).first(self.number) if isinstance(self.number, str) else (None, self.number)
        most = None if limit is None else limit[1]
        if not isinstance(most, int) or isinstance(most, bool) or most < 0:
            return
        counted: dict[tuple[str, ...], list[tuple[Root, str]]] = {}
        for root, _, pointer in scan_of(view).at(self.what):
            counted.setdefault(tuple(pointer.split("/")[1 : self.per + 1]), []).append((root, pointer))
        for found in counted.values():
            if len(found) > most:
                root, pointer = found[most]
                message = f"there are {len(found)} of {described(self.what, root)}"
                yield root, Hit(pointer, message, f"at most {most}", str(len(found)))


@dataclass(frozen=True, slots=True)
class Mentions(OfPlaces):
    """With something at the places, a text at `texts` contains the word, in any case; without a word, what is there.

    `unless`: with something there, the word may be elsewhere.
    """

    READS = ("what", "texts", "unless")

    what: str
    word: str
    texts: str
    unless: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        found = scan.at(self.what) if not self.word else scan.at(self.what)[:1]
        if not found or (self.unless and scan.first(self.unless) is not None):
            return
        texts = [text.lower() for _, text, _ in scan.at(self.texts) if isinstance(text, str)]
        for root, value, pointer in found:
            word = self.word or text_of(value)
            if not any(word.lower() in text for text in texts):
                yield root, Hit(pointer, f"no text contains the word `{word}`", word, "no such word")


def _inner(at: str, form: Form) -> str:
    """The places within those of a pattern without which a form finds nothing: those of its first path."""
    return beneath(at, _first_path(form))


def _first_path(form: Form) -> str:
    """The first field of a form, if that is a path within the value: without something there, it finds nothing."""
    first = getattr(form, fields(form)[0].name)  # type: ignore[arg-type]
    return first if isinstance(first, str) else ""
