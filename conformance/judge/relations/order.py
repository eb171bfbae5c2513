"""Relations of order: what comes before or after what in a stream, or among the items of an array.

The steps are the values at the places of a pattern under one array: `events`, `event …` or `request /messages/*…`. With
`by`, a path in each of them, only steps with the same value there belong together, such as the events of one item;
with several paths, separated by a space, those with the same values at all of them. A step without the first has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Literal

from conformance.judge.relations.comparisons import measure
from conformance.judge.relations.described import described, subject_of
from conformance.judge.relations.forms import named
from conformance.judge.relations.places import OF_REQUEST, Root, path, select, shown, text_of
from conformance.judge.relations.rows import OfPlaces, Sided
from conformance.judge.relations.scan import Scan, scan_of
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, same
from conformance.model.pointer import get


@dataclass(frozen=True, slots=True)
class _Step:
    """One step: the key that it belongs to, its number among all, and its place."""

    key: str | None
    number: int
    root: str
    pointer: str


def _steps(scan: Scan, what: str, by: str) -> list[_Step]:
    """The steps at the places of a pattern, in the order of the traffic. Without a value at `by` there is none."""
    found: list[_Step] = []
    for root, value, pointer in scan.at(what):
        key: str | None = None
        if by:
            first, *others = (_text(value, each) for each in by.split(" "))
            if first is None:
                continue
            key = " ".join([first, *(each or "" for each in others)])
        found.append(_Step(key, position(pointer), root, pointer))
    return sorted(found, key=lambda each: each.number) if " | " in what else found


def _text(value: Any, where: str) -> str | None:
    """The text of the one value at a path."""
    found = [text_of(each) for each, _ in select(value, path(where)) if isinstance(each, (str, int))]
    return found[0] if len(found) == 1 else None


def position(pointer: str) -> int:
    """The number of the event, or of the item, that a place lies in."""
    if pointer.startswith("event/"):
        return int(pointer[6:].partition("/")[0])
    return next((int(token) for token in pointer.split("/") if token.isdecimal()), 0)


@dataclass(frozen=True, slots=True)
class Follows(OfPlaces):
    """Each step `what` comes after a step `before`; not `unless` there is something at those places."""

    READS = ("what", "before", "unless")

    what: str
    before: str
    by: str = ""
    unless: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        steps = _steps(scan, self.what, self.by)
        if not steps or (self.unless and scan.first(self.unless) is not None):
            return
        first: dict[str | None, int] = {}
        for each in _steps(scan, self.before, self.by):
            first.setdefault(each.key, each.number)
        reported: set[str | None] = set()
        for each in steps:
            begun = first.get(each.key)
            if (begun is None or begun >= each.number) and each.key not in reported:
                reported.add(each.key)
                there = "nothing" if begun is None else "only later"
                wanted = described(self.before, each.root)
                message = f"no {_bare(wanted)} comes before {subject_of(each.pointer)}{_same(self.by)}"
                yield _sided(each, Hit(each.pointer, message, wanted, there))


@dataclass(frozen=True, slots=True)
class Ends(OfPlaces):
    """After a step `what` there is no step `other`, `unless` there is something at those places."""

    READS = ("what", "other", "unless")
    NEEDS = ("what", "other")

    what: str
    other: str
    by: str = ""
    unless: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        if self.unless and scan.first(self.unless) is not None:
            return
        ended: dict[str | None, _Step] = {}
        for each in _steps(scan, self.what, self.by):
            ended.setdefault(each.key, each)
        reported: set[str | None] = set()
        for each in _steps(scan, self.other, self.by) if ended else ():
            end = ended.get(each.key)
            if end is not None and each.number > end.number and each.key not in reported:
                reported.add(each.key)
                after = f"{described(self.what, each.root)} (at {end.pointer}){_same(self.by)}"
                message = f"{subject_of(each.pointer)} comes after {after}"
                yield _sided(each, Hit(each.pointer, message, "nothing more", each.pointer))


@dataclass(frozen=True, slots=True)
class LeadsTo(OfPlaces):
    """After each step `what` there is a step `other`, in a stream that has `end`: a cut one proves nothing."""

    READS = ("what", "other", "end")

    what: str
    other: str
    by: str = ""
    end: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        steps = _steps(scan, self.what, self.by)
        if not steps or (self.end and scan.first(self.end) is None):
            return
        last: dict[str | None, int] = {each.key: each.number for each in _steps(scan, self.other, self.by)}
        latest = {each.key: each for each in steps}
        for each in latest.values():
            if last.get(each.key, -1) <= each.number:
                wanted = described(self.other, each.root)
                message = f"no {_bare(wanted)} comes after {subject_of(each.pointer)}{_same(self.by)}"
                yield _sided(each, Hit(each.pointer, message, wanted, "nothing"))


@dataclass(frozen=True, slots=True)
class Single(OfPlaces):
    """There is at most one step `what`."""

    what: str
    by: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        first: dict[str | None, _Step] = {}
        reported: set[str | None] = set()
        for each in _steps(scan_of(view), self.what, self.by):
            known = first.setdefault(each.key, each)
            if known is not each and each.key not in reported:
                reported.add(each.key)
                message = f"{subject_of(each.pointer)} comes a second time: the first is {known.pointer}"
                yield _sided(each, Hit(each.pointer, message, "one", "another one"))


def _bare(noun: str) -> str:
    """A noun without its article."""
    return noun.removeprefix("an ").removeprefix("a ")


@dataclass(frozen=True, slots=True)
class Encloses(OfPlaces):
    """The steps `what` and `stop` enclose the steps `inside`, one pair at a time, closed before a step `until`.

    Nothing is judged after a step `end`. With `keys`, it is not the order that is judged, but the numbers at `by`:
    those of the steps `what` count from 0, and what belongs to one of them has its number.
    """

    READS = ("what", "inside", "stop", "until", "end")

    what: str
    inside: str
    stop: str
    until: str = ""
    end: str = ""
    by: str = ""
    keys: bool = False

    @property
    def begins(self) -> Sequence[str]:
        return (f"{self.what} | {self.inside} | {self.stop}",)

    def hits(self, view: View) -> Iterator[Sided]:
        judged = self._wrong_keys if self.keys else self._out_of_order
        return (("event", hit) for hit in judged(list(self._in_order(scan_of(view)))))

    def _in_order(self, scan: Scan) -> Iterator[tuple[str, Any, str]]:
        """The kind of each step, with the step and its place."""
        patterns = {"what": self.what, "inside": self.inside, "stop": self.stop, "until": self.until}
        ended = min((each.number for each in _steps(scan, self.end, "")), default=None) if self.end else None
        found = [(kind, value, at) for kind, each in patterns.items() if each for _, value, at in scan.at(each)]
        for each in sorted(found, key=lambda step: position(step[2])):
            if ended is None or position(each[2]) <= ended:
                yield each

    def _out_of_order(self, steps: Iterable[tuple[str, Any, str]]) -> Iterator[Hit]:
        opened = reported = False
        for kind, _, at in steps:
            if kind in ("what", "until") and opened:
                yield Hit(at, "this comes while another one is open", described(self.stop, "event"), "an open one")
            elif kind in ("inside", "stop") and not (opened or reported):
                yield Hit(at, "this comes while nothing is open", described(self.what, "event"), "nothing open")
            reported = kind == "inside" and not opened
            opened = kind == "what" or (kind == "inside" and opened)

    def _wrong_keys(self, steps: Iterable[tuple[str, Any, str]]) -> Iterator[Hit]:
        opened: tuple[Any, ...] = ()
        begun, last = 0, -1
        for kind, value, at in steps:
            key, place = next(iter(select(value, path(self.by), at)), (None, at))
            known = (begun, last + 1) if kind == "what" else opened
            if known and kind != "until" and (isinstance(key, bool) or key not in known):
                wrong = "does not follow" if kind == "what" else "is not that of the open one"
                yield Hit(place, f"{named(self.by)} {wrong}", brief(known[0]), brief(key))
            if kind == "what":
                last = key if isinstance(key, int) and not isinstance(key, bool) else begun
                opened, begun = (key, begun), begun + 1
            elif kind != "inside":
                opened = ()


def _same(by: str) -> str:
    names = [f"`{each.strip('/').replace('/', '.')}`" for each in by.split()]
    return f" with the same {' and '.join(names)}" if names else ""


def _sided(step: _Step, hit: Hit) -> Sided:
    return ("request" if step.root in OF_REQUEST else "event"), hit


@dataclass(frozen=True, slots=True)
class Rises(OfPlaces):
    """Among the steps `what` with the same value at `by`, the number, or the time, at `of` is larger each time.

    It may be `flat`: not smaller. It is `dense` if it begins with 0, and is at most one more each time. Not `unless`
    there is something at those places.
    """

    READS = ("what", "unless")

    what: str
    of: str
    by: str = ""
    flat: bool = False
    dense: bool = False
    unless: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        if self.unless and scan_of(view).first(self.unless) is not None:
            return
        reached: dict[str, Any] = {}
        for root, value, pointer in scan_of(view).at(self.what):
            key = " ".join(_text(value, each) or "" for each in self.by.split(" "))
            for number, place in select(value, path(self.of), pointer):
                now = measure(number)
                if now is None:
                    continue
                before = reached.get(key, -1 if self.dense else None)
                then = None if before is None else measure(before)
                if self.dense and then is not None and now > then + 1:
                    message = f"{subject_of(place)} is {_shown(number)} where {shown(then + 1)} must come"
                    yield root, Hit(place, message, shown(then + 1), _shown(number))
                elif then is not None and (now < then or (now == then and not self.flat)):
                    wanted = f"{'at least' if self.flat else 'more than'} {_shown(before)}"
                    message = f"{subject_of(place)} is {_shown(number)}, after {_shown(before)}"
                    yield root, Hit(place, message, wanted, _shown(number))
                reached[key] = number


def _shown(value: Any) -> str:
    return shown(value) if isinstance(value, (int, float)) else brief(value)


@dataclass(frozen=True, slots=True)
class Changes(OfPlaces):
    """No step `what` is the same as the one before it."""

    what: str

    def hits(self, view: View) -> Iterator[Sided]:
        for (_, before, _), (root, value, pointer) in pairwise(scan_of(view).at(self.what)):
            if same(before, value):
                yield root, Hit(pointer, "this repeats the one before it", "another one", brief(value))


@dataclass(frozen=True, slots=True)
class Beside(OfPlaces):
    """What stands directly before each item, or after it, passes one of the tests, if anything does stand there."""

    what: str
    others: tuple[str, ...]
    step: Literal[-1, 1]

    def hits(self, view: View) -> Iterator[Sided]:
        yield from scan_of(view).judge(self, self.what, partial(self._hits, view))

    def _hits(self, view: View, found: tuple[Root, Any, str]) -> list[Sided] | None:
        """None if nothing stands there, and something may in a later request."""
        root, _, pointer = found
        holder, _, number = pointer.rpartition("/")
        items = get(view.request if root == "request" else view.response, holder)
        if not isinstance(items, list):
            return []
        beside = int(number) + self.step
        if not 0 <= beside < len(items):
            return None
        if any(list(select(items[beside], path(each))) for each in self.others):
            return []
        where = "after" if self.step < 0 else "before"
        message = f"it stands directly {where} {holder}/{beside}"
        return [(root, Hit(pointer, message, f"another item {where} it", brief(items[beside])))]


def preceded_by(what: str, *others: str) -> Beside:
    """The item directly before each of some items passes one of the tests, if there is any."""
    return Beside(what, others, -1)


def succeeded_by(what: str, *others: str) -> Beside:
    """The item directly after each of some items passes one of the tests, if there is any."""
    return Beside(what, others, 1)
