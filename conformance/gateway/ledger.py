"""What a gateway loses, doubles or changes: one entry for each loss, with its place on both legs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from conformance.judge.gateway_rules import GATEWAY_RULES, PREFIX
from conformance.model.crossing import NO_CROSSING, Crossing
from conformance.model.finding import Severity, Side
from conformance.model.jsontext import brief
from conformance.model.registry import optional_part

Direction = Literal["up", "down"]

Places = tuple[str | None, str | None]
"""JSON pointers into the exchange where something comes from, and into the one where it arrives."""

_SHOWN = 160


@dataclass(frozen=True, slots=True)
class Place:
    """An exchange of a leg, by its number in the run, and a JSON pointer into it, None for the whole of it."""

    exchange: int
    pointer: str | None = None


@dataclass(slots=True)
class Loss:
    """One loss, by the id of its rule. `before` and `after` are what was sent, and what arrived, as short text.

    `client` and `upstream` are its places on the two legs, None where it has none; `count` is how often it occurs in
    the run: later requests repeat the history.
    """

    rule: str
    direction: Direction
    what: str
    client: Place | None
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
        return GATEWAY_RULES[self.rule].severity

    @property
    def side(self) -> Side:
        """The side of the exchanges that it is about."""
        return "request" if self.direction == "up" else "response"

    def as_json(self) -> dict[str, Any]:
        """The loss as a member of the JSON report."""
        places = {"client": self.client, "upstream": self.upstream}
        return {
            "name": self.name,
            "rule": self.rule,
            "severity": str(self.severity),
            "direction": self.direction,
            "what": self.what,
            **{
                leg: None
                if place is None
                else {"exchange": place.exchange, "side": self.side, "pointer": place.pointer}
                for leg, place in places.items()
            },
            "before": self.before,
            "after": self.after,
            "occurrences": self.count,
        }


def crossing_of(dialect: str) -> Crossing:
    """What a dialect can express."""
    part = optional_part(dialect, "crossing")
    return NO_CROSSING if part is None else part.CROSSING


@dataclass(slots=True)
class Ledger:
    """The losses of one run, each once; and what the dialect on the far side has no form for, with the reason."""

    losses: list[Loss] = field(default_factory=list)
    not_expressible: dict[tuple[str, str], str] = field(default_factory=dict)

    def add(self, loss: Loss) -> None:
        """Adds a loss, or counts it again."""
        for each in self.losses:
            if (each.rule, each.direction, each.what) == (loss.rule, loss.direction, loss.what):
                each.count += 1
                return
        self.losses.append(loss)


@dataclass(frozen=True, slots=True)
class Notes:
    """Writes the losses between two exchanges into the ledger; `source` and `target` are their dialects."""

    ledger: Ledger
    direction: Direction
    client: int
    upstream: int | None
    source: str
    target: str

    def lost(
        self,
        name: str,
        what: str,
        at: Places = (None, None),
        before: Any = None,
        after: Any = None,
    ) -> None:
        """Notes a loss. `at` is its place where the value comes from, and where it arrives."""
        here, there = at
        at_client, at_upstream = (here, there) if self.direction == "up" else (there, here)
        self.ledger.add(
            Loss(
                PREFIX + name,
                self.direction,
                what,
                Place(self.client, at_client),
                None if self.upstream is None else Place(self.upstream, at_upstream),
                None if before is None else _text(before),
                None if after is None else _text(after),
            )
        )

    def expressible(self, *subjects: str) -> bool:
        """Whether the dialect where it arrives has a form for all of these; notes the reason if it has not."""
        lacks: Mapping[str, str] = crossing_of(self.target).lacks
        for subject in subjects:
            if subject in lacks:
                self.ledger.not_expressible[self.target, subject] = lacks[subject]
                return False
        return True

    def told_by(self, *subjects: str) -> bool:
        """Whether the dialect where it comes from has a form for all of these: only then can it be missed."""
        return not any(subject in crossing_of(self.source).lacks for subject in subjects)


def _text(value: Any) -> str:
    return brief(value, _SHOWN) if not isinstance(value, str) else brief_text(value)


def brief_text(text: str) -> str:
    """A text, cut if it is long."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
