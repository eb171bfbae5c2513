"""Relations between two places that belong together, by a key or by a position; and between the places of one order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Literal

from conformance.judge.relations.described import described, found_at
from conformance.judge.relations.forms import Choosing, Form
from conformance.judge.relations.places import (
    Key,
    Place,
    all_places,
    beneath,
    keys_of,
    path,
    places,
    select,
    side_of,
    text_of,
)
from conformance.judge.relations.rows import OfPlaces, Sided
from conformance.judge.relations.scan import Scan, scan_of
from conformance.judge.relations.scan import Sided as Found
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief
from conformance.model.transcript import Text

_FEW = 8
"""So many others of one key are compared each, which costs less than looking them up."""
_ANY = ""
"""Stands for every choice; it is no canonical text."""
_WHOLE = re.compile(r"exchange(\[[^]]*\])*")
_OF_OTHER = re.compile(r"`that\.([^`]+)`")
"""What the words of a form call a member of the other value."""


@dataclass(frozen=True, slots=True, init=False)
class Matched(OfPlaces):
    """Each value at `what` belongs to the one at `to` with the same key; forms relate the two, `/this` and `/that`.

    Several paths, separated by a space, make one key; `absent` is that of a value without. Without a key `by`, the key
    is the position, from 0, among all at `to`, in their order in the traffic. With several of one key, it is enough
    that one fits; without forms, there is no such pair. `within` a run, it is another value, in the latest exchange
    that has any. `through` what has the same key, as a result through its call, another path there has the key: a
    place, the path of the one key, and that of the other.
    """

    READS = ("what", "to")

    what: str
    key: str
    to: str
    by: str
    forms: tuple[Form, ...]
    within: Literal["exchange", "run"]
    absent: str
    through: tuple[str, str, str] | None

    def __init__(
        self,
        what: str,
        key: str,
        to: str,
        by: str,
        *forms: Form,
        within: Literal["exchange", "run"] = "exchange",
        absent: str = "",
        through: tuple[str, str, str] | None = None,
    ) -> None:
        parts = {"what": what, "key": key, "to": to, "by": by, "forms": forms, "within": within, "absent": absent}
        for name, value in parts.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "through", through)

    @property
    def begins(self) -> Sequence[str]:
        what, key = self.what, self.key.partition(" ")[0]
        if not self.absent and key.startswith("/sent/") and _WHOLE.fullmatch(what):
            # Of the request, which is walked anyway, no item of the history is walked twice.
            what = f"request {key.removeprefix('/sent')} | {what}[endpoint]"
        elif not self.absent:
            what = beneath(what, key)
        return (what, self.to) if self.by and self.within == "exchange" else (what,)

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        if not self.by:
            for each in scan.at(self.what):
                yield from self._hits(view, each) or ()
        elif self._has_any(view):
            yield from scan.judge(self, self.what, partial(self._hits, view))

    def _has_any(self, view: View) -> bool:
        """Whether there is something that a value can belong to."""
        kept = Matched, self.to, self.by, self.within
        for each in self._exchanges(view):
            if kept in each.found:
                view.found[kept] = each.found[kept]
                break
            if any(scan_of(each).index(place, self.by) for place in places(self.to)):
                view.found[kept] = True
                break
        return bool(view.found.setdefault(kept, False))

    def _hits(self, view: View, this: Found) -> list[Sided] | None:
        """None if the value belongs to nothing."""
        belonging = list(self.belonging(view, this[1], this[2]))
        found: list[Sided] = []
        for key, place, there, others in belonging:
            if others:
                first = list(self._compared(view, this, there, others[0], place))
                found += first if not first or self._none_fits(view, this, there, others, key) else ()
            elif not self.by:
                known = len(self._ordered(view))
                message = f"the index points outside the {known} of {described(self.to, this[0])}"
                found.append((this[0], Hit(place, message, f"0 to {known - 1}" if known else "none", key)))
        return found if found or any(others for *_, others in belonging) else None

    def _none_fits(self, view: View, this: Found, there: View, others: list[Found], key: str) -> bool:
        """Whether a value agrees with none of the others after the first, which it does not agree with."""
        rest = others[1:] if len(others) <= _FEW else self._possible(there, others, key, this[1])
        return all(next(self._compared(view, this, there, each), None) is not None for each in rest)

    def _possible(self, there: View, others: list[Found], key: str, value: Any) -> list[Found]:
        """Those of many others that have what a value chooses, or that let it choose anything."""
        known: dict[tuple[int, str], list[dict[str, list[Found]]]] = there.found.setdefault(Matched._possible, {})
        forms = [each for each in self.forms if isinstance(each, Choosing)]
        if (id(self), key) not in known:
            known[id(self), key] = [_by_choice(form, others) for form in forms]
        possible = [others]
        for form, by_choice in zip(forms, known[id(self), key], strict=True):
            if chosen := form.chosen({"this": value}):
                possible.append(by_choice.get(chosen[0], []) + by_choice.get(_ANY, []))
        return min(possible, key=len)

    def _exchanges(self, view: View) -> Iterator[View]:
        """Those in which something may be that a value belongs to, the latest first."""
        earlier = view.earlier if self.within == "run" else ()  # read first: a view of the request alone notes it
        yield view
        yield from reversed(earlier)

    def belonging(self, view: View, value: Any, pointer: str) -> Iterator[tuple[str, str, View, list[Found]]]:
        """The keys of a value, each with its place, the exchange of those that it belongs to, and these."""
        own = keys_of(value, self.key, pointer)
        if self.through is not None:
            own = [(name, place) for key, place in own for name in self._named(view, key, *self.through)]
        for key, place in own or ([(self.absent, pointer)] if self.absent else []):
            known = ((each, self._others(view, each, key, (value, pointer))) for each in self._exchanges(view))
            there, others = next((each for each in known if each[1]), (view, []))
            yield key, place, there, others

    def _others(self, view: View, there: View, key: str, this: tuple[Any, str]) -> list[Found]:
        """Those of an exchange with the key. In a run, a value at its place does not belong to itself."""
        known = self._known(there, key)
        if there is not view or self.within == "exchange":
            return known
        return [each for each in known if each[1] is not this[0] or each[2] != this[1]]

    def _known(self, view: View, key: str) -> list[Found]:
        if self.by:
            known: dict[str, list[Found]] = view.found.setdefault((Matched, self.to, self.by), {})
            if key not in known:
                indexes = [(each.root, scan_of(view).index(each, self.by)) for each in places(self.to)]
                known[key] = [(root, *found) for root, index in indexes for found in index.get(key, ())]
            return known[key]
        return self._ordered(view)[int(key) : int(key) + 1] if key.isdecimal() else []

    def _ordered(self, view: View) -> list[Found]:
        if (in_order, self.to) not in view.found:
            view.found[in_order, self.to] = in_order(scan_of(view), self.to)
        found: list[Found] = view.found[in_order, self.to]
        return found

    @staticmethod
    def _named(view: View, key: str, at: str, by: str, name: str) -> list[str]:
        """The other key of what has a key, in the latest exchange that has any."""
        for each in (view, *reversed(view.earlier)):
            for place in places(at):
                if found := scan_of(each).index(place, by).get(key):
                    return [other for other, _ in keys_of(found[0][0], name, "")]
        return []

    def _compared(self, view: View, this: Found, there: View, that: Found, key: str = "") -> Iterator[Sided]:
        """What is wrong between two values; `key` is the place of the key, for one that has no place: an exchange."""
        both = {"this": this[1], "that": that[1]}
        if not self.forms:
            message = f"{described(self.to, this[0])} (exchange {there.number}) rules it out"
            yield this[0], Hit(this[2] or key, message, "nothing", brief(this[1]))
        for form in self.forms:
            for hit in form.hits(both, ""):
                ends = {"/this": this} if there is not view else {"/this": this, "/that": that}
                other = found_at(that[0], that[2]) or f"the {side_of(that[0])}"
                other += "" if there is view else f" of exchange {there.number}"
                end = (hit.pointer or "")[:5]
                root, _, pointer = ends.get(end, this)
                own = (hit.pointer or "")[5:] if end in ends else ""
                own_words = hit.message.replace("`this.", "`")
                message = _of_other(own_words, other)
                if message == own_words and there is not view:
                    message = f"{message} (compare {other})"
                expected = hit.expected and _of_other(hit.expected.replace("`this.", "`"), other)
                yield root, replace(hit, pointer=f"{pointer}{own}" or key, message=message, expected=expected)


@dataclass(frozen=True, slots=True)
class Ranked(OfPlaces):
    """The values at the places come in an `order`, by the word at `path`: none after one of a later word.

    `absent` is the word of a value without one.
    """

    what: str
    path: str
    order: tuple[str, ...]
    absent: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        ranked = []
        for root, value, pointer in in_order(scan_of(view), self.what):
            word = next((text_of(each) for each, _ in select(value, path(self.path))), self.absent)
            if word in self.order:
                ranked.append((self.order.index(word), root, pointer))
        for (before, _, earlier), (rank, root, pointer) in pairwise(ranked):
            if rank < before:
                message = f"`{self.order[rank]}` comes after `{self.order[before]}` at {earlier}"
                yield root, Hit(pointer, message, f"`{self.order[rank]}` first", self.order[rank])
                return


@dataclass(frozen=True, slots=True)
class Omits(OfPlaces):
    """The text of a reply has none of the texts at the places: generation ends before each."""

    what: str

    @property
    def places(self) -> Sequence[Place]:
        return all_places("response", "event", self.what)

    def hits(self, view: View) -> Iterator[Sided]:
        wanted = [(value, pointer) for _, value, pointer in scan_of(view).at(self.what) if isinstance(value, str)]
        for turn in view.replies if wanted else ():
            for part in turn.parts:
                if not isinstance(part, Text):
                    continue
                for stop, pointer in wanted:
                    if stop and stop in part.text:
                        message = f"the text contains the stop sequence of request {pointer}"
                        yield "response", Hit(part.pointer, message, "the text before it", stop)


def _of_other(words: str, other: str) -> str:
    """The words of a form, with the members of the other value as those of where that is."""
    return _OF_OTHER.sub(lambda name: f"`{name[1]}` of {other}", words)


def _by_choice(form: Choosing, others: list[Found]) -> dict[str, list[Found]]:
    found: dict[str, list[Found]] = {}
    for each in others:
        for choice in dict.fromkeys(form.choices({"that": each[1]}) or [_ANY]):
            found.setdefault(choice, []).append(each)
    return found


def in_order(scan: Scan, written: str) -> list[Found]:
    """The values at the places of a pattern in the order of the traffic.

    Alternatives that begin alike are one array, with several depths; those that begin differently follow each other.
    """
    groups: dict[Any, list[Found]] = {}
    for place in places(written):
        begun = place.root, next((each for each in place.steps if isinstance(each, Key)), None)
        groups.setdefault(begun, []).extend((place.root, value, pointer) for value, pointer in scan.of(place))
    return [each for group in groups.values() for each in sorted(group, key=lambda found: _natural(found[2]))]


def _natural(pointer: str) -> list[tuple[int, str]]:
    return [(int(token) if token.isdecimal() else -1, token) for token in pointer.split("/")]
