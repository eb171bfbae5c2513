"""Identities of a session: what a message introduces, and messages of later exchanges refer to.

A session is what the dialect's module `both_sides` calls one. What it introduced is carried from exchange to exchange,
so that a session can be longer than what the checker remembers of a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any, NamedTuple

from conformance.judge.relations.places import Root
from conformance.judge.relations.rows import OfPlaces, Sided, other_end
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import REMEMBERED, View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, canonical
from conformance.model.registry import optional_part

_MOST = 1 << 15
"""How many identities of a kind are kept of a session; from then on, unknown ones are not reported."""
_AT_ONCE = 64
"""How many requests a sender that counts them may have in progress."""
_DIGITS = 16

_Known = tuple[int, Any, Root, str]
"""The number of an exchange, a value, and its place there."""


@dataclass(slots=True)
class _Sessions:
    """What each session of a run introduced in the exchanges before `until`; `partial`: some are unknown."""

    until: int = 0
    partial: bool = False
    tables: dict[Any, dict[str, _Known]] = field(default_factory=dict)


class Introduced(NamedTuple):
    """A kind of identity of a session: its `name` in words, and the places that introduce one."""

    name: str
    made: str

    def here(self, view: View) -> dict[str, _Known]:
        """What an exchange introduces."""
        if self not in view.found:
            made = scan_of(view).at(self.made)
            view.found[self] = {
                canonical(each): (view.number, each, root, at) for root, each, at in made if _is_one(each)
            }
        found: dict[str, _Known] = view.found[self]
        return found

    def before(self, view: View) -> tuple[dict[str, _Known], bool]:
        """What the session introduced before an exchange, and whether all of it is known."""
        key = Introduced, self
        if key not in view.found:
            view.found[key] = self._until(view, key)
        known: _Sessions = view.found[key]
        return known.tables.get(session_of(view), {}), not known.partial

    def _until(self, view: View, key: object) -> _Sessions:
        """The latest exchange for which this was asked knows what was before it; those after it are added."""
        last = next((number for number in range(len(view.earlier), 0, -1) if key in view.earlier[number - 1].found), 0)
        known = view.earlier[last - 1].found[key] if last else _Sessions()
        if last and known.until > view.earlier[last - 1].number:  # it was judged again, in another run
            known, last = _Sessions(), 0
        known.partial = known.partial or (not last and len(view.earlier) >= REMEMBERED)
        for each in view.earlier[max(last - 1, 0) :]:
            table = known.tables.setdefault(session_of(each), {})
            if len(table) < _MOST:
                table.update(self.here(each))
            known.until = each.number + 1
        return known

    def of(self, view: View, value: Any) -> _Known | None:
        """Who introduced a value; or else one of the same text and another type."""
        before, _ = self.before(view)
        for key in _keys(value):
            if key in (here := self.here(view)) or key in before:
                return here.get(key) or before[key]
        return None

    def elsewhere(self, view: View, value: Any) -> _Known | None:
        """Who introduced a value in another session."""
        self.before(view)
        sessions: _Sessions = view.found[Introduced, self]
        return next((table[key] for table in sessions.tables.values() if (key := canonical(value)) in table), None)

    def known(self, view: View) -> list[Any]:
        """The values that can be referred to."""
        before, _ = self.before(view)
        return [each[1] for table in (before, self.here(view)) for each in table.values()]


def session_of(view: View) -> Any:
    """The session of an exchange; one for the whole run where the dialect knows no sessions."""
    if session_of not in view.found:
        module = optional_part(view.dialect.name, "both_sides")
        view.found[session_of] = None if module is None else module.session(view)
    return view.found[session_of]


@dataclass(frozen=True, slots=True)
class RefersInSession(OfPlaces):
    """Every value at the places was introduced in the session.

    `others`: other kinds, for which it may have been mistaken. Without a trace of the value it is only reported if
    something was introduced as `since`. `counted`: the sender may have introduced it in an exchange that was recorded
    after this one; then only a value that counting cannot have reached is reported. `unique`: no two sessions introduce
    the same by chance, so one that another session introduced belongs to that.
    """

    what: str
    to: Introduced
    others: tuple[Introduced, ...] = ()
    since: Introduced | None = None
    counted: bool = False
    unique: bool = False

    def hits(self, view: View) -> Iterator[Sided]:
        for root, value, pointer in scan_of(view).at(self.what):
            hit = self._hit(view, value, pointer) if _is_one(value) else None
            if hit is not None:
                yield root, hit

    def _hit(self, view: View, value: Any, pointer: str) -> Hit | None:
        known = self.to.of(view, value)
        if known is not None:
            if type(known[1]) is type(value):
                return None
            message = f"the {self.to.name} has another type at {_place(view, known)}"
            return Hit(pointer, message, brief(known[1]), brief(value))
        for other in self.others:
            found = other.of(view, value)
            if found is not None and type(found[1]) is type(value):
                message = f"this is the {other.name} ({_place(view, found)}), and no {self.to.name}"
                return Hit(pointer, message, f"the {self.to.name}", brief(value))
        foreign = self.to.elsewhere(view, value) if self.unique else None
        if foreign is not None:
            message = f"the value is that of the {self.to.name} ({_place(view, foreign)}) in another session"
            return Hit(pointer, message, f"a {self.to.name} of this session", brief(value))
        values = self.to.known(view)
        if not self._proves(view, value, values):
            return None
        wanted = f"one of {brief(values)}" if values else f"the {self.to.name} of something before"
        return Hit(pointer, f"nothing in this session has this {self.to.name}", wanted, brief(value))

    def _proves(self, view: View, value: Any, known: list[Any]) -> bool:
        """Whether the recording has all that could have introduced a value."""
        _, whole = self.to.before(view)
        if not whole or len(known) >= _MOST:
            return False
        if self.since is not None and not (self.since.known(view) if view.complete else self.since.before(view)[0]):
            return False  # a recording may begin in the middle of a session
        return not self.counted or _is_out_of_reach(value, known)


@dataclass(frozen=True, slots=True)
class OnceInSession(OfPlaces):
    """No two values at the places are the same in a session."""

    what: str

    def hits(self, view: View) -> Iterator[Sided]:
        before, _ = Introduced("value", self.what).before(view)
        seen: dict[str, str] = {}
        for root, value, pointer in scan_of(view).at(self.what):
            key = canonical(value)
            if not _is_one(value):
                continue
            if key in before or key in seen:
                where = _place(view, before[key]) if key in before else seen[key]
                yield root, Hit(pointer, f"{where} has the same value", "a value of its own", brief(value))
            seen.setdefault(key, pointer)


@dataclass(frozen=True, slots=True)
class Ended(OfPlaces):
    """No value at the places is one that something before ended, in the session."""

    what: str
    ended: Introduced

    def hits(self, view: View) -> Iterator[Sided]:
        before, _ = self.ended.before(view)
        for root, value, pointer in scan_of(view).at(self.what):
            if _is_one(value) and (known := before.get(canonical(value))) is not None:
                message = f"this is the {self.ended.name}: {_place(view, known)}"
                yield root, Hit(pointer, message, f"not the {self.ended.name}", brief(value))


def _is_one(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _is_out_of_reach(value: Any, known: list[Any]) -> bool:
    """Whether one who counts has not come to a value yet, given the latest ones; whoever counts uses no texts."""
    numbers = [each for each in known if isinstance(each, int)]
    if not numbers or len(numbers) < len(known):
        return False
    return not isinstance(value, int) or not 0 <= value <= max(numbers) + _AT_ONCE


def _keys(value: Any) -> Iterator[str]:
    """The key of a value, and that of the same text as another type."""
    yield canonical(value)
    if isinstance(value, int):
        yield canonical(str(value))
    elif value.isascii() and value.isdecimal() and len(value) < _DIGITS:
        yield canonical(int(value))


def _place(view: View, known: _Known) -> str:
    """The other end of a reference."""
    number, _, root, pointer = known
    return other_end(view, number, root, pointer)
