"""What a gateway loses, doubles or changes: a difference between two exchanges, and its place on both legs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from conformance.judge.run_rules import run_rules
from conformance.model.expressible import Expressible, NotExpressible
from conformance.model.finding import Severity, Side
from conformance.model.jsontext import brief

Direction = Literal["up", "down"]

Places = tuple[str | None, str | None]
"""JSON pointers into the exchange where something comes from, and into the one where it arrives."""

PREFIX = "gateway-"
"""The beginning of the id of each loss."""
_SHOWN = 160


class Way(NamedTuple):
    """What the dialect that something comes from can express, and the one where it arrives."""

    source: Expressible
    target: Expressible


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that does not arrive as it was sent, by the id of its rule without the prefix.

    `lacking` is what the dialect where it arrives has no form for: then it is no loss, and listed apart.
    """

    name: str
    what: str
    at: Places = (None, None)
    before: Any = None
    after: Any = None
    lacking: NotExpressible | None = None


Differences = Iterator[Difference]


@dataclass(frozen=True, slots=True)
class Place:
    """An exchange of a leg, by its number in the run, and a JSON pointer into it, None for the whole of it."""

    exchange: int
    pointer: str | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """One loss, by the id of its rule. `before` and `after` are what was sent, and what arrived, as short text.

    `client` and `upstream` are its places on the two legs, None where it has none; `count` is how often it occurs in
    the run: later requests repeat the history.
    """

    rule: str
    direction: Direction
    what: str
    client: Place
    upstream: Place | None
    before: str | None = None
    after: str | None = None
    count: int = 1

    @property
    def name(self) -> str:
        """The id without the prefix that all losses have."""
        return self.rule.removeprefix(PREFIX)

    @property
    def severity(self) -> Severity:
        return run_rules()[self.rule].severity

    @property
    def side(self) -> Side:
        """The side of the exchanges that it is about."""
        return "request" if self.direction == "up" else "response"

    def as_json(self) -> dict[str, Any]:
        """The loss as a member of the JSON report."""
        return {
            "name": self.name,
            "rule": self.rule,
            "severity": str(self.severity),
            "direction": self.direction,
            "what": self.what,
            "client": self._place(self.client),
            "upstream": None if self.upstream is None else self._place(self.upstream),
            "before": self.before,
            "after": self.after,
            "occurrences": self.count,
        }

    def _place(self, place: Place) -> dict[str, Any]:
        return {"exchange": place.exchange, "side": self.side, "pointer": place.pointer}


class Losses(NamedTuple):
    """The losses of one run, each once; and what the dialect on the far side has no form for."""

    losses: tuple[Loss, ...]
    not_expressible: frozenset[NotExpressible]


Found = Loss | NotExpressible


def place(
    differences: Iterable[Difference], direction: Direction, client: int, upstream: int | None
) -> Iterator[Found]:
    """The differences as losses between two exchanges, by their numbers on the two legs."""
    for each in differences:
        if each.lacking is not None:
            yield each.lacking
            continue
        at_client, at_upstream = each.at if direction == "up" else each.at[::-1]
        yield Loss(
            PREFIX + each.name,
            direction,
            each.what,
            Place(client, at_client),
            None if upstream is None else Place(upstream, at_upstream),
            _shown(each.before),
            _shown(each.after),
        )


def _shown(value: Any) -> str | None:
    if value is None:
        return None
    return brief(value, _SHOWN) if not isinstance(value, str) else brief_text(value)


def brief_text(text: str) -> str:
    """A text, cut if it is long."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def collect(found: Iterable[Found]) -> Losses:
    """Everything that was found in a run; a loss that occurs again is counted."""
    losses: dict[tuple[str, Direction, str], Loss] = {}
    lacking: set[NotExpressible] = set()
    for each in found:
        if isinstance(each, NotExpressible):
            lacking.add(each)
        else:
            key = each.rule, each.direction, each.what
            losses[key] = replace(losses[key], count=losses[key].count + 1) if key in losses else each
    return Losses(tuple(losses.values()), frozenset(lacking))
