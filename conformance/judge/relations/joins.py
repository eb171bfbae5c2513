"""Relations between two places that belong together, by a key or by a position; and between the places of one order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

from conformance.judge.relations.forms import Form
from conformance.judge.relations.places import Key, Place, is_key, path, places, select, text_of
from conformance.judge.relations.rows import Sided
from conformance.judge.relations.scan import Scan, scan_of
from conformance.judge.relations.scan import Sided as Found
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.transcript import Text


@dataclass(frozen=True, slots=True, init=False)
class Matched:
    """Each value at `what` belongs to the one at `to` with the same key; forms relate the two, `/this` and `/that`.

    Several paths, separated by a space, make one key; `absent` is that of a value without. Without a key `by`, the key
    is the position, from 0, among all at `to`, in their order in the traffic. With several of one key, it is enough
    that one fits. `within` a run, it is in the latest exchange that has any.
    """

    what: str
    key: str
    to: str
    by: str
    forms: tuple[Form, ...]
    within: Literal["exchange", "run"]
    absent: str

    def __init__(
        self,
        what: str,
        key: str,
        to: str,
        by: str,
        *forms: Form,
        within: Literal["exchange", "run"] = "exchange",
        absent: str = "",
    ) -> None:
        parts = {"what": what, "key": key, "to": to, "by": by, "forms": forms, "within": within, "absent": absent}
        for name, value in parts.items():
            object.__setattr__(self, name, value)

    @property
    def places(self) -> Sequence[Place]:
        return (*places(self.what), *places(self.to))

    def words(self) -> str:
        how = f"whose `{self.by}` is its `{self.key}`" if self.by else f"at the position that its `{self.key}` states"
        more = f": {'; '.join(each.words() for each in self.forms)}" if self.forms else ""
        return f"`{self.what}` (this) must agree with the `{self.to}` {how} (that){more}."

    def hits(self, view: View) -> Iterator[Sided]:
        if self.by and self.within == "exchange" and not self._known(view):
            return
        for root, value, pointer in scan_of(view).at(self.what):
            for key, place, there, others in self.belonging(view, value, pointer):
                judged = [list(self._compared(view, (root, value, pointer), there, each)) for each in others]
                if judged and all(judged):
                    yield from judged[0]
                elif not judged and not self.by:
                    known = sum(map(len, self._known(view).values()))
                    message = f"the index points outside the {known} of `{self.to}`"
                    yield root, Hit(place, message, f"0 to {known - 1}" if known else "none", key)

    def belonging(self, view: View, value: Any, pointer: str) -> Iterator[tuple[str, str, View, list[Found]]]:
        """The keys of a value, each with its place, the exchange of those that it belongs to, and these."""
        for key, place in _keys(value, self.key, pointer) or ([(self.absent, pointer)] if self.absent else []):
            there, others = view, self._known(view).get(key, [])
            for each in reversed(view.earlier) if self.within == "run" and not others else ():
                if others := self._known(each).get(key, []):
                    there = each
                    break
            yield key, place, there, others

    def _known(self, view: View) -> dict[str, list[Found]]:
        kept = Matched, self.to, self.by
        if kept not in view.found:
            known: dict[str, list[Found]] = {}
            if self.by:
                for each in scan_of(view).at(self.to):
                    for key, _ in _keys(each[1], self.by, ""):
                        known.setdefault(key, []).append(each)
            else:
                known = {str(number): [each] for number, each in enumerate(in_order(scan_of(view), self.to))}
            view.found[kept] = known
        found: dict[str, list[Found]] = view.found[kept]
        return found

    def _compared(self, view: View, this: Found, there: View, that: Found) -> Iterator[Sided]:
        ends = {"/this": this} if there is not view else {"/this": this, "/that": that}
        earlier = "" if there is view else f" (that: exchange {there.number}, {that[2]})"
        for form in self.forms:
            for hit in form.hits({"this": this[1], "that": that[1]}, ""):
                end = (hit.pointer or "")[:5]
                root, _, pointer = ends.get(end, this)
                own = (hit.pointer or "")[5:] if end in ends else ""
                yield root, replace(hit, pointer=f"{pointer}{own}", message=f"{hit.message}{earlier}")


def _keys(value: Any, by: str, at: str) -> list[tuple[str, str]]:
    """The keys of a value, each with its place: one, or with a single path as many as there are."""
    parts = [
        [(text_of(each), place) for each, place in select(value, path(where), at) if is_key(each)]
        for where in by.split(" ")
    ]
    if len(parts) == 1:
        return parts[0]
    if any(len(part) != 1 for part in parts):
        return []
    return [("\n".join(part[0][0] for part in parts), parts[0][0][1])]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The values at the places come in an `order`, by the word at `path`: none after one of a later word.

    `absent` is the word of a value without one.
    """

    what: str
    path: str
    order: tuple[str, ...]
    absent: str = ""

    @property
    def places(self) -> Sequence[Place]:
        return places(self.what)

    def words(self) -> str:
        return f"`{self.what}` must come in the order of `{self.path}`: {', '.join(self.order)}."

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
class Omits:
    """The text of a reply has none of the texts at the places: generation ends before each."""

    what: str

    @property
    def places(self) -> Sequence[Place]:
        return (*places("response"), *places("event"), *places(self.what))

    def words(self) -> str:
        return f"The text of a reply must not contain `{self.what}`."

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
