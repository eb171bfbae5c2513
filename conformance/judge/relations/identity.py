"""Identities: values that one message introduces and another one refers to, in one exchange or in a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from conformance.judge.refused_places import is_refused
from conformance.judge.relations.described import described
from conformance.judge.relations.places import Found, Place, Root, Test, all_places, is_key, places, text_of
from conformance.judge.relations.rows import OfPlaces, Sided, other_end
from conformance.judge.relations.scan import scan_of
from conformance.judge.relations.sessions import Introduced
from conformance.judge.view import REMEMBERED, View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, canonical
from conformance.model.pointer import join

_Known = tuple[Any, str, Root]
"""A value that was introduced, its place, and the root of that."""


class Identity(NamedTuple):
    """A kind of identity: its `name` in words, and the places that introduce one.

    `within`: it can be referred to in the same exchange only, or in every later one of the run. `given`: an exchange
    introduces one only with something at these places; `unless`: only without.
    """

    name: str
    made: str
    within: Literal["exchange", "run"] = "run"
    given: str = ""
    unless: str = ""

    def introduced(self, view: View) -> Sequence[tuple[Root, Mapping[str, list[Found]]]]:
        """What an exchange introduces at each place, by its text."""
        _ = view.ok  # a view of the request alone notes that more was read, whoever read it first
        if self not in view.found:
            scan = scan_of(view)
            none = (self.given and scan.first(self.given) is None) or (self.unless and scan.first(self.unless))
            found = () if none else ((each.root, scan.index(each)) for each in places(self.made))
            view.found[self] = [each for each in found if each[1]]
        introduced: list[tuple[Root, Mapping[str, list[Found]]]] = view.found[self]
        return introduced

    def known(self, view: View) -> dict[str, _Known]:
        """The same: each value and its first place."""
        found: dict[str, _Known] = {}
        for root, values in self.introduced(view):
            for key, same in values.items():
                if same:
                    found.setdefault(key, (*same[0], root))
        return found

    def here(self, view: View, key: str) -> _Known | None:
        """The value of that text that an exchange introduces, and its first place."""
        for root, values in self.introduced(view):
            if same := values.get(key):
                return (*same[0], root)
        return None

    def of(self, view: View, value: Any) -> tuple[View, _Known] | None:
        """Who introduced a value: the exchange, the value as it was written there, and its place; the latest."""
        found = self.here(view, text_of(value))
        if found is not None:
            return view, found
        return self.before(view, value) if self.within == "run" or view.traced else None

    def before(self, view: View, value: Any) -> tuple[View, _Known] | None:
        """The same, in an earlier exchange."""
        key = text_of(value)
        return next(
            ((each, found) for each in reversed(view.earlier) if (found := self.here(each, key)) is not None), None
        )


_GONE = (404, 410)


@dataclass(frozen=True, slots=True)
class Refers:
    """Every value at the places was introduced as an identity.

    `unless`: with something there, it may have been introduced outside the recording. `others`: other kinds, for which
    it may have been mistaken: that is certain in any recording. Without a trace of the value, a reference into the run
    is only reported if nothing can be missing: all of a run that is complete. `given`: with something there. `open`:
    anything else may have introduced it, and only a mistake for one of the `others` is certain. `ended`: what ends it,
    by the same value: nothing later can refer to it.

    A reference is certain in the turn that follows all turns of an earlier request: it repeats that one's reply. So is
    one that the provider refuses by its value. What the server keeps of replies that are all in the run is known, too:
    it is as if the request had sent it.
    """

    what: str
    to: Identity
    unless: str = ""
    others: tuple[Identity, ...] = ()
    open: bool = False
    given: str = ""
    ended: Identity | None = None

    @property
    def places(self) -> Sequence[Place]:
        return all_places(self.what, self.to.made if self.to.within == "exchange" else "")

    @property
    def begins(self) -> Sequence[str]:
        return (self.what, self.given) if self.given else (self.what,)

    def hits(self, view: View) -> Iterator[Sided]:
        if self.given and scan_of(view).first(self.given) is None:
            return
        if self.ended is None:
            yield from scan_of(view).judge(self, self.what, partial(self._hits, view))
        else:  # what an earlier request referred to rightly may have ended since
            for each in scan_of(view).at(self.what):
                yield from self._hits(view, each)

    def _hits(self, view: View, found: tuple[Root, Any, str]) -> Sequence[Sided]:
        root, value, pointer = found
        hit = self._hit(view, value, pointer) if is_key(value) else None
        return [] if hit is None else [(root, hit)]

    def _hit(self, view: View, value: Any, pointer: str) -> Hit | None:
        if self.ended is not None and (end := self.ended.before(view, value)) is not None:
            if view.exchange.request.method == "GET" and view.exchange.response.status in _GONE:
                return None  # who looks whether it is gone, and is told so, made no mistake
            message = f"the {self.ended.name} of this {self.to.name} came before: {_place(view, end)}"
            return Hit(pointer, message, f"another {self.to.name}", brief(value))
        known = self.to.of(view, value)
        if known is not None:
            if type(known[1][0]) is type(value):
                return None
            at = _place(view, known)
            return Hit(pointer, f"the {self.to.name} has another type at {at}", brief(known[1][0]), brief(value))
        for other in self.others:
            found = other.of(view, value)
            if found is not None:
                message = f"this is the {other.name} ({_place(view, found)}), and no {self.to.name}"
                return Hit(pointer, message, f"the {self.to.name}", brief(value))
        if not view.repeats_reply(pointer) and not is_refused(view.exchange, value):
            if self.open or self._may_be_elsewhere(view):
                return None
            if self.to.within == "run" and (not view.complete or view.number >= REMEMBERED):
                return None
        where = "in this exchange" if self.to.within == "exchange" else "in this conversation"
        known_ones = list(self.to.known(view)) or [each for one in view.earlier for each in self.to.known(one)]
        wanted = f"one of {brief(known_ones)}" if known_ones else f"the {self.to.name} of something {where}"
        return Hit(pointer, f"nothing {where} has this {self.to.name}", wanted, brief(value))

    def _may_be_elsewhere(self, view: View) -> bool:
        """Whether something outside the recording may have introduced a value."""
        there = [place for place in all_places(self.unless) if scan_of(view).of(place)]
        return any(not view.traced or not _is_test(place, view.ask.continues_at) for place in there)


def _is_test(place: Place, pointer: str) -> bool:
    """Whether a pattern has what a pointer leads to as its condition: `request [previous_response_id]`."""
    last = place.steps[-1] if place.steps else None
    return isinstance(last, Test) and join("", *last.path) == pointer


@dataclass(frozen=True, slots=True)
class Answered:
    """Everything that an exchange introduces as an identity is referred to at `by`, in the same exchange.

    `unless`: with something there, the reference may come otherwise.
    """

    what: Identity
    by: str
    unless: str = ""

    @property
    def places(self) -> Sequence[Place]:
        return all_places(self.what.made, self.by, self.unless)

    @property
    def begins(self) -> Sequence[str]:
        return (self.what.made,)

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        answered = {text_of(value) for _, value, _ in scan.at(self.by)}
        if self.unless and scan.first(self.unless) is not None:
            return
        for key, (value, pointer, root) in self.what.known(view).items():
            if key not in answered:
                yield root, Hit(pointer, f"nothing refers to this {self.what.name}", described(self.by), brief(value))


@dataclass(frozen=True, slots=True)
class Pending(OfPlaces):
    """What the exchange introduced that a request continues is referred to at `by`.

    The request names that exchange at the place `at`, by an identity that it has (`link`): the latest that succeeded.
    """

    READS = ("by", "at")
    NEEDS = ("at",)

    left: Identity
    by: str
    at: str
    link: Identity

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        named = scan.first(self.at)
        if named is None:
            return
        key = text_of(named[1])
        before = next((each for each in reversed(view.earlier) if each.ok and self.link.here(each, key)), None)
        if before is None or any(each.endpoint and each.number > before.number for each in view.earlier):
            return  # what was added at another endpoint may be the answer
        answered = {text_of(value) for _, value, _ in scan.at(self.by)}
        for key, known in self.left.known(before).items():
            if key not in answered and known[2] != "request":
                message = f"nothing refers to the {self.left.name} of {_place(view, (before, known))}"
                yield named[0], Hit(named[2], message, described(self.by), brief(known[0]))


@dataclass(frozen=True, slots=True)
class Returned:
    """What a reply introduced is at `by` in the request that sends that reply back."""

    left: Identity
    by: str

    @property
    def places(self) -> Sequence[Place]:
        return all_places("request", self.by)

    @property
    def begins(self) -> Sequence[str]:
        return ("request",)

    def hits(self, view: View) -> Iterator[Sided]:
        found = view.continues
        if found is None:
            return
        before = view.earlier[found.earlier]
        introduced = {key: known for key, known in self.left.known(before).items() if known[2] != "request"}
        sent = {text_of(value) for _, value, _ in scan_of(view).at(self.by)} if introduced else ()
        for key, known in introduced.items():
            if key not in sent:
                message = f"this turn lacks the {self.left.name} of {_place(view, (before, known))}"
                yield "request", Hit(found.echo.pointer, message, described(self.by), brief(known[0]))


@dataclass(frozen=True, slots=True)
class Once(OfPlaces):
    """No two values at the places are the same: in one exchange, or in the `run`."""

    what: str
    within: Literal["exchange", "run"] = "exchange"

    def hits(self, view: View) -> Iterator[Sided]:
        if len(scan_of(view).at(self.what)) < 2 and (self.within == "exchange" or not view.earlier):
            return
        if view.endpoint is None or self.within == "exchange":  # one beside the main one shows an earlier reply again
            yield from scan_of(view).judge(self, self.what, partial(self._hits, view))

    def _hits(self, view: View, found: tuple[Root, Any, str]) -> Iterator[Sided]:
        root, value, pointer = found
        if not is_key(value):
            return
        first = Identity("value", self.what).here(view, text_of(value))
        before = Introduced("value", self.what).before(view)[0] if self.within == "run" else {}
        number = before.get(canonical(value), (None,))[0]
        if number is not None and not any(each.number == number and _same_reply(each, view) for each in view.earlier):
            yield root, Hit(pointer, f"exchange {number} has the same value", "a value of its own", brief(value))
        elif first is not None and first[1:] != (pointer, root):
            message = f"{first[1] or 'another place'} has the same value"
            yield root, Hit(pointer, message, "a value of its own", brief(value))


def _same_reply(one: View, other: View) -> bool:
    """Whether two exchanges have the same reply: a cache answered again, or a recorder kept it twice."""
    return bool(one.exchange.response.body.content == other.exchange.response.body.content)


def _place(view: View, known: tuple[View, _Known]) -> str:
    """The other end of a reference."""
    there, (_, pointer, root) = known
    return other_end(view, there.number, root, pointer)
