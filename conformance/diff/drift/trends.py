"""How often each rule is violated in the traffic of many days: rates, when first and last, and what changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from conformance.diff.difference import Grade
from conformance.diff.drift.change import Change
from conformance.diff.drift.change_points import most_different, windows
from conformance.diff.drift.significance import Share, discoveries, share_test
from conformance.model.finding import Severity

_NOTICED = 1.5
"""A rate that is not this many times another is no change that anyone must look at, however sure it is."""
Counts = Sequence[tuple[int, int]]
"""Of each day, the conversations with a finding of a rule, and all."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """What is compared only with itself; None where the traffic does not show it."""

    dialect: str
    provider: str | None = None
    model: str | None = None
    client: str | None = None

    def __str__(self) -> str:
        return " ".join((self.dialect, *(each or "?" for each in (self.provider, self.model, self.client))))


@dataclass(frozen=True, slots=True)
class Rate:
    """How many conversations of a stratum have findings of a rule, of each day of the trends, and how severe."""

    rule: str
    severity: Severity
    side: str
    stratum: Stratum
    counts: Counts
    first: date | None
    last: date | None

    @property
    def shown(self) -> int:
        return sum(shown for shown, _ in self.counts)

    @property
    def total(self) -> int:
        return sum(total for _, total in self.counts)


@dataclass(frozen=True)
class Trends:
    """The rates of a folder of findings, the most frequent first, and the changes by their first day."""

    folder: str
    days: Sequence[date]
    rates: Sequence[Rate]
    changes: Sequence[Change]
    conversations: int
    undated: int
    """Conversations of no known day, which are in no rate."""

    @property
    def begun(self) -> list[Change]:
        """What began on the last day."""
        return [each for each in self.changes if each.first == self.days[-1] and each.shares[-1]]

    def since(self, day: date | None) -> Trends:
        """The trends without the changes that were over before a day."""
        lasting = [each for each in self.changes if day is None or each.last is None or each.last >= day]
        return replace(self, changes=lasting)

    def shown(self, clean: Callable[[str], str]) -> Trends:
        """The trends with every recorded value of a change passed through `clean`; findings are clean already."""
        return replace(self, changes=[each.shown(clean) for each in self.changes])

    def as_json(self) -> dict[str, Any]:
        """The trends as a JSON value."""
        return {
            "version": 1,
            "folder": self.folder,
            "days": [day.isoformat() for day in self.days],
            "conversations": self.conversations,
            "undated": self.undated,
            "rates": [
                {
                    "rule": each.rule,
                    "severity": str(each.severity),
                    "dialect": each.stratum.dialect,
                    "provider": each.stratum.provider,
                    "model": each.stratum.model,
                    "client": each.stratum.client,
                    "conversations": each.total,
                    "with_findings": each.shown,
                    "first": each.first.isoformat() if each.first else None,
                    "last": each.last.isoformat() if each.last else None,
                    "days": [list(day) for day in each.counts],
                }
                for each in self.rates
            ],
            "changes": [each.as_json() for each in self.changes],
        }


def changes_of(days: Sequence[date], rates: Sequence[Rate], precision: float) -> list[Change]:
    """The significant changes of each rule, this share of them false at most: by the tests of nights."""
    by_rule: dict[str, list[Rate]] = {}
    for each in rates:
        by_rule.setdefault(each.rule, []).append(each)
    tried = []
    for some in by_rule.values():
        counts = {number: list(each.counts) for number, each in enumerate(some)}
        window = most_different(counts, 0, len(days)) if len(days) > 1 else None
        if window is not None:
            whole = [_halves(each, window.start, window.end) for each in counts.values()]
            tried.append((some, counts, window.p, share_test(whole)[1]))
    chosen = discoveries([(p, least) for *_, p, least in tried], 1 - precision)
    level = max((each[2] for each, holds in zip(tried, chosen, strict=True) if holds), default=0.0)
    found = []
    for (some, counts, *_), holds in zip(tried, chosen, strict=True):
        if holds:
            found += [
                change
                for window in windows(counts, len(days), level)
                if (change := _change(days, some, window.start, window.end, window.p)) is not None
            ]
    return sorted(found, key=lambda each: (each.first, -each.grade, each.message))


def _halves(counts: Counts, start: int, end: int) -> Share:
    new, new_total = (sum(day[side] for day in counts[start:end]) for side in (0, 1))
    all_, total = (sum(day[side] for day in counts) for side in (0, 1))
    return Share(all_ - new, total - new_total, new, new_total)


def _change(days: Sequence[date], some: Sequence[Rate], start: int, end: int, p: float) -> Change | None:
    halves = [_halves(each.counts, start, end) for each in some]
    old, old_total, new, new_total = (
        sum(getattr(each, name) for each in halves) for name in ("old", "old_total", "new", "new_total")
    )
    before, now = old / max(1, old_total), new / max(1, new_total)
    if max(before, now) < _NOTICED * min(before, now):
        return None
    moved = [
        str(each.stratum)
        for each, half in zip(some, halves, strict=True)
        if half.new_total
        and half.old_total
        and (half.new * half.old_total > half.old * half.new_total) == (now > before)
    ]
    head = some[0]
    return Change(
        "request" if head.side == "request" else "response",
        f"{head.rule}: {new} of {new_total} conversations, {old} of {old_total} on the other days",
        Grade.CHANGE if head.severity is Severity.ERROR else Grade.REVIEW,
        "",
        "",
        "",
        tuple(moved) or tuple(str(each.stratum) for each in some),
        days[start - 1],
        days[start],
        None if end == len(days) else days[end - 1],
        tuple(_share(some, day) for day in range(len(days))),
        p=p,
        what=head.rule,
        number=len(some),
    )


def _share(some: Sequence[Rate], day: int) -> float | None:
    shown, total = (sum(each.counts[day][side] for each in some) for side in (0, 1))
    return shown / total if total else None
