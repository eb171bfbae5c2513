"""The trends in folders of findings (`check --findings`), counted by DuckDB."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any

from conformance.diff.drift.trends import Rate, Stratum, Trends, changes_of
from conformance.errors import ConformanceError
from conformance.model.finding import Severity
from conformance.scale.result import connected

_BY = "day, dialect, provider, model, client"
_SEEN = f"SELECT {_BY}, sum(conversations) FROM rows WHERE kind = 'seen' GROUP BY {_BY}"  # noqa: S608 - ours
_SHOWN = (
    f"SELECT {_BY}, rule, max(CASE severity WHEN 'error' THEN 2 WHEN 'warning' THEN 1 ELSE 0 END), any_value(side), "  # noqa: S608 - ours
    f"count(DISTINCT run) FROM rows WHERE kind = 'finding' AND day IS NOT NULL GROUP BY {_BY}, rule"
)


def trends_of(folder: str, precision: float) -> Trends:
    """The rates of every rule by dialect, provider, model, client and day, and what changed.

    Raises:
        ConformanceError: the folder has no findings, or none with a day.
    """
    rows = connected(folder)
    seen: dict[Stratum, dict[date, int]] = defaultdict(dict)
    undated = 0
    for day, *stratum, number in rows.execute(_SEEN).fetchall():
        if day is None:
            undated += int(number)
        else:
            seen[Stratum(*stratum)][date.fromisoformat(day)] = int(number)
    days = sorted({day for by_day in seen.values() for day in by_day})
    if not days:
        raise ConformanceError(
            f"{folder}: nothing has a day",
            "name files or their folders by the day (2026-11-22), or record the header `date` of responses",
        )
    found: dict[tuple[str, Stratum], dict[date, int]] = defaultdict(dict)
    about: dict[str, tuple[int, str]] = {}
    for row in rows.execute(_SHOWN).fetchall():
        day, stratum, (rule, rank, side, number) = row[0], Stratum(*row[1:5]), row[5:]
        found[rule, stratum][date.fromisoformat(day)] = number
        about[rule] = max(about.get(rule, (0, "")), (rank, side or ""))
    rates = [
        _rate((rule, about[rule]), stratum, found.get((rule, stratum), {}), by_day, days)
        for rule in about
        for stratum, by_day in seen.items()
        if stratum.dialect in {each.dialect for name, each in found if name == rule}
    ]
    shown = sorted(
        (each for each in rates if each.shown),
        key=lambda each: (-list(Severity).index(each.severity), -each.shown, each.rule),
    )
    conversations = sum(number for by_day in seen.values() for number in by_day.values())
    return Trends(folder, days, shown, changes_of(days, rates, precision), conversations, undated)


def _rate(name: tuple[str, tuple[int, str]], stratum: Stratum, shown: Any, seen: Any, days: Any) -> Rate:
    rule, about = name
    there = sorted(shown)
    return Rate(
        rule,
        list(Severity)[about[0]],
        about[1],
        stratum,
        [(min(shown.get(day, 0), seen.get(day, 0)), seen.get(day, 0)) for day in days],
        there[0] if there else None,
        there[-1] if there else None,
    )
