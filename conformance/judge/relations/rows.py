"""Rows of relations: each makes a rule, without code of its own (`conformance.judge.relations.files` reads them)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, ClassVar, Protocol

from conformance.contract.situation import When
from conformance.judge.official import is_official, refused_here
from conformance.judge.relations.places import Place, Root, all_places, places, side_of
from conformance.judge.relations.scan import in_words, on_wire, scan_of
from conformance.judge.relations.walk import Begins, Walk
from conformance.judge.rows import add_rule
from conformance.judge.rule import Scope, rules_of
from conformance.judge.situations import applies, situation_of
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.frozen import dataclass

Sided = tuple[Root, Hit]
"""A hit, and the root of its place."""


class Relation(Protocol):
    """What must hold between values of an exchange, or of a run."""

    @property
    def places(self) -> Sequence[Place]:
        """The places that it reads in the exchange that it judges."""

    @property
    def begins(self) -> Sequence[str]:
        """The patterns of places without something at each of which it finds nothing."""

    def hits(self, view: View) -> Iterator[Sided]:
        """Where an exchange breaks it."""


class OfPlaces:
    """A relation about values at places: fields that name those it reads, and those without which it finds nothing."""

    __slots__ = ()
    READS: ClassVar[Sequence[str]] = ("what",)
    NEEDS: ClassVar[Sequence[str]] = ("what",)

    @property
    def places(self) -> Sequence[Place]:
        return all_places(*(getattr(self, each) for each in self.READS))

    @property
    def begins(self) -> Sequence[str]:
        return [getattr(self, each) for each in self.NEEDS]


def other_end(view: View, exchange: int, root: Root, pointer: str) -> str:
    """The place of the other end of a relation, for a message about an exchange."""
    root, pointer = on_wire(view, root, pointer)
    place = f"{side_of(root)} {pointer}".rstrip()
    return place if exchange == view.number else f"exchange {exchange} {place}"


@dataclass(frozen=True, slots=True)
class Row:
    """Relations that make a rule; `conformance.judge.relations` explains the options."""

    relations: Sequence[Relation]
    refused: bool = False
    elsewhere: Severity | None = None
    only: When | None = None
    doubtful: When | None = None
    warning_with: str = ""

    def is_about(self, view: View) -> bool:
        """Whether it is about the provider and the model of an exchange; not about a doubtful one that accepted it."""
        if self.only is None and self.doubtful is None:
            return True
        return applies(self.only, view) and not (view.ok and self._doubts(view))

    def judge(self, view: View, asked: Sequence[Relation]) -> Iterator[Hit]:
        """Where an exchange breaks some of the relations; none that reads a request which is no JSON.

        Two relations that find fault with one value are one finding.
        """
        if not self.is_about(view):
            return
        if view.endpoint is not None:
            asked = [each for each in asked if _is_for_endpoints(each)]
        elif view.is_unreadable:
            asked = [each for each in asked if all(place.root != "request" for place in each.places)]
        found: dict[tuple[str, str], int] = {}
        for number, root, hit in (
            (number, *each) for number, relation in enumerate(asked) for each in relation.hits(view)
        ):
            eased = self._eased(view)
            of, pointer = on_wire(view, root, hit.pointer or "")
            if pointer and found.setdefault((of, pointer), number) != number:
                continue
            severity = hit.severity if eased is None else eased
            yield replace(in_words(view, root, hit), pointer=pointer or None, severity=severity, side=side_of(of))

    def _doubts(self, view: View) -> bool:
        return self.doubtful is not None and any(map(self.doubtful.holds, situation_of(view).possible))

    def _eased(self, view: View) -> Severity | None:
        """The severity of a finding in this exchange, if not that of the rule."""
        if self._doubts(view):
            return Severity.WARNING
        if self.warning_with and scan_of(view).first(self.warning_with) is not None:
            return Severity.WARNING
        if self.elsewhere is not None and not is_official(view):
            return self.elsewhere
        return refused_here(view) if self.refused else None


_AT_ENDPOINTS: frozenset[Root] = frozenset({"exchange", "response", "event", "events"})


def _is_for_endpoints(relation: Relation) -> bool:
    """Whether it is judged at an endpoint beside the main one: what it reads is all there, or it begins in whole
    exchanges; what else it begins in has nothing there.
    """
    begins = (place.root for written in relation.begins for place in places(written))
    return "exchange" in begins or all(place.root in _AT_ENDPOINTS for place in relation.places)


_ROWS: dict[str, Row] = {}


def rows() -> Mapping[str, Row]:
    """The rows of all dialects that were imported, by their rules."""
    return _ROWS


@cache
def begins_of(id: str) -> Sequence[Begins] | None:  # noqa: A002 - the field's own word, as in `rule`
    """Where each relation of a row begins; None if the rule is no row."""
    row = _ROWS.get(id)
    if row is None:
        return None
    return [[frozenset(place.node for place in places(each)) for each in one.begins] for one in row.relations]


@cache
def walk_of(dialect: str) -> Walk:
    """The walk to all places at which the rows of a dialect begin."""
    known = (_ROWS[rule] for rule in rules_of(dialect) if rule in _ROWS)
    return Walk(begin for row in known for relation in row.relations for begin in relation.begins)


@cache
def judge_of(id: str, numbers: tuple[int, ...]) -> Callable[[View], Iterator[Hit]]:  # noqa: A002 - as above
    """What judges some of the relations of a row, by their numbers."""
    row = _ROWS[id]
    return partial(row.judge, asked=[row.relations[number] for number in numbers])


def needs_more(id: str) -> bool:  # noqa: A002 - as above
    """Whether a rule is a row that needs something elsewhere: a part of a request does not show that it is missing."""
    return id in _ROWS and any(hasattr(each, "needed") for each in _ROWS[id].relations)


def add_row(home: str, id: str, row: Row, **rest: Any) -> None:  # noqa: A002 - as above
    """Makes a row a rule of the module `home`. `rest` is what any row has."""
    add_rule(home, id, lambda view: row.judge(view, row.relations), **rest)
    _ROWS[id] = row


_ALIKE: Mapping[Root, Root] = {"events": "event", "header": "request"}
"""Roots that a rule reads with another."""


def scope_of(relations: Sequence[Relation]) -> Scope:
    """The scope of a rule that has these relations."""
    roots = {_ALIKE.get(place.root, place.root) for each in relations for place in each.places}
    if any(hasattr(each, "fault") for each in relations):
        return "exchange"
    if roots == {"client"}:
        return "conversation"
    if len(roots) > 1 or roots & {"server", "exchange"}:
        return "exchange"
    return "request" if roots == {"request"} else "response" if roots == {"response"} else "stream"
