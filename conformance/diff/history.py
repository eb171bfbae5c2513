"""The history of many nights: each change with the nights between which it came, and how long it stayed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

from conformance.cassette.load import Cassette, load_cassette
from conformance.diff.change_points import Counts, Window, most_different, windows
from conformance.diff.client_shifts import client_shifts
from conformance.diff.difference import Grade
from conformance.diff.grading import TYPES, grade_of
from conformance.diff.hypotheses import Hypothesis, Member, Varying, hypotheses, varying
from conformance.diff.observed import Observed, observe
from conformance.diff.sets import CellSet, recordings
from conformance.diff.shift import Shift, best
from conformance.diff.significance import Share, discoveries
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter
from conformance.model.finding import Severity, Side

CONFIDENCE = 0.99
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
Group = tuple[str, str]
"""Target and model."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `before` is the last night without it, `last` the last night with it; None if it still lasts.

    `shares` has for each night how often it was seen, None for a night without a recording of it.
    """

    side: Side
    message: str
    grade: Grade
    target: str
    model: str
    scope: str
    cells: tuple[str, ...]
    before: date
    first: date
    last: date | None
    shares: tuple[float | None, ...] = ()
    also: tuple[str, ...] = ()
    p: float | None = None

    def shown(self, clean: Callable[[str], str]) -> Change:
        """The change with every recorded value passed through `clean`."""
        return replace(
            self,
            message=clean(self.message),
            also=tuple(map(clean, self.also)),
            target=clean(self.target),
            model=clean(self.model),
        )

    def as_json(self) -> dict[str, Any]:
        """The change as an object of the JSON report."""
        return {
            "side": self.side,
            "grade": str(self.grade),
            "message": self.message,
            "target": self.target,
            "model": self.model,
            "scope": self.scope,
            "cells": list(self.cells),
            "before": self.before.isoformat(),
            "first": self.first.isoformat(),
            "last": self.last.isoformat() if self.last else None,
            "shares": list(self.shares),
            "also": list(self.also),
            "p": self.p,
        }


@dataclass(frozen=True)
class History:
    """All changes of a folder of nights, by their first night."""

    folder: str
    nights: Sequence[date]
    changes: Sequence[Change]
    recordings: int
    unanswered: int = 0

    def since(self, day: date | None) -> History:
        """The history without the changes that were over before a day."""
        if day is None:
            return self
        return replace(self, changes=[each for each in self.changes if each.last is None or each.last >= day])


@dataclass(slots=True)
class _Run:
    night: date
    seen: Observed


def history_of(folder: Path, wanted: Filter, confidence: float = CONFIDENCE) -> History:
    """The changes in dated recordings: in folders named by date, or dated by their metadata.

    Raises:
        ConformanceError: the folder holds no recording with a date.
    """
    groups: dict[Group, dict[tuple[str, str, str, str], list[_Run]]] = defaultdict(lambda: defaultdict(list))
    number, down = 0, 0
    for kept, place in recordings([folder], wanted):
        cassette = load_cassette(kept.path)
        night = date_of(kept.path.relative_to(folder), cassette)
        if night is None:
            continue
        group = kept.target, str(cassette.metadata.get("model") or "")
        axes = (place.dialect, place.scenario, place.driver, place.mode)
        groups[group][axes].append(_Run(night, observe(cassette)))
        number += 1
    nights = sorted({run.night for cells in groups.values() for runs in cells.values() for run in runs})
    if not nights:
        raise ConformanceError(
            f"{folder}: no recording with a date",
            "record into a folder named by its date: `--cassettes DIR/2026-11-22`",
        )
    changes: list[Change] = []
    for (target, model), cells in sorted(groups.items()):
        runs: list[list[_Run]] = []
        sets: list[CellSet] = []
        for axes, some in sorted(cells.items()):
            some.sort(key=lambda run: run.night)
            usual = 2 * sum(run.seen.down for run in some) > len(some)
            left = [run for run in some if usual or not run.seen.down]
            down += len(some) - len(left)
            runs.append(left)
            sets.append(CellSet(axes, target, old=[run.seen for run in left]))
        changes += _provider(sets, runs, nights, (target, model), confidence)
        changes += _client(sets, runs, (target, model))
    ordered = sorted(changes, key=lambda each: (each.first, -each.grade, each.scope, each.message))
    return History(str(folder), nights, ordered, number, down)


def date_of(path: Path, cassette: Cassette) -> date | None:
    """The night of a recording: of the folder that is named by a date, or of its metadata; None if there is none."""
    named = next((found[0] for part in path.parts if (found := _DATE.match(part))), None)
    text = named or str(cassette.metadata.get("recorded_at") or "")[:10]
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _provider(
    sets: Sequence[CellSet],
    runs: Sequence[Sequence[_Run]],
    nights: Sequence[date],
    group: Group,
    confidence: float,
) -> list[Change]:
    found = [varying(cell) for cell in sets]
    severities = {rule: each for cell in sets for run in cell.old for rule, each in run.severities.items()}
    place = {night: number for number, night in enumerate(nights)}
    numbered = [[place[run.night] for run in some] for some in runs]
    tried = []
    for hypothesis in hypotheses(sets, found):
        counts = {cell: _counts(bits, numbered[cell], len(nights)) for cell, bits in hypothesis.strata}
        window = most_different(counts, 0, len(nights))
        if window is not None:
            tried.append((hypothesis, counts, window))
    held = discoveries([(window.p, 0.0) for _, _, window in tried], 1 - confidence)
    level = max((each[2].p for each, holds in zip(tried, held, strict=True) if holds), default=0.0)
    told: set[Member] = set()
    changes: list[Change] = []
    chosen = [each for each, holds in zip(tried, held, strict=True) if holds]
    for hypothesis, counts, _ in sorted(chosen, key=lambda each: not each[0].pooled):
        members = [*hypothesis.members, *hypothesis.inverse]
        general = {(key.pooled or key, outcome) for key, outcome in members}
        if not hypothesis.pooled and general & told:
            continue
        told |= general
        names = tuple(sets[cell].name for cell, _ in hypothesis.strata)
        for window in windows(counts, len(nights), level):
            shift = _shift(hypothesis, window, names, found, severities)
            if shift.grade > Grade.NOISE:
                inverse = (shift.key, shift.outcome) in hypothesis.inverse
                shares = _shares(counts, len(nights), inverse=inverse)
                changes.append(_change(shift, window, shares, nights, group))
    return changes


def _counts(bits: tuple[int, int], numbers: Sequence[int], nights: int) -> list[tuple[int, int]]:
    there, shown = bits
    counts = [[0, 0] for _ in range(nights)]
    for run, night in enumerate(numbers):
        counts[night][0] += shown >> run & 1
        counts[night][1] += there >> run & 1
    return [(each[0], each[1]) for each in counts]


def _shift(
    hypothesis: Hypothesis,
    window: Window,
    names: tuple[str, ...],
    found: Sequence[Varying],
    severities: dict[str, Severity],
) -> Shift:
    seen = window.seen
    other = Share(seen.old_total - seen.old, seen.old_total, seen.new_total - seen.new, seen.new_total)
    candidates = []
    for some, share in ((hypothesis.members, seen), (hypothesis.inverse, other)):
        appears = share.new * share.old_total > share.old * share.new_total
        for key, outcome in some:
            before = any(
                key in (each, each.pooled) and name != outcome and name in TYPES
                for varied in found
                for each, name in varied.bits
            )
            grade = grade_of(key, outcome, appears=appears, before=before, severities=severities)
            candidates.append(Shift(key, outcome, grade, names, share, window.p))
    head = best(candidates)
    same = (head.key.topic, head.key.name)
    also = dict.fromkeys(each.subject for each in candidates if (each.key.topic, each.key.name) != same)
    return replace(head, also=tuple(also)[:6])


def _shares(counts: Counts, nights: int, *, inverse: bool) -> tuple[float | None, ...]:
    result: list[float | None] = []
    for night in range(nights):
        shown, there = (sum(each[night][side] for each in counts.values()) for side in (0, 1))
        result.append((1 - shown / there if inverse else shown / there) if there else None)
    return tuple(result)


def _change(
    shift: Shift, window: Window, shares: tuple[float | None, ...], nights: Sequence[date], group: Group
) -> Change:
    return Change(
        "response",
        shift.message.replace("recordings before", "recordings around").replace(" now", " in these nights"),
        shift.grade,
        *group,
        f"{shift.key.scope}, answer {shift.key.place}",
        shift.cells,
        nights[window.start - 1],
        nights[window.start],
        None if window.end == len(nights) else nights[window.end - 1],
        shares,
        shift.also,
        window.p,
    )


def _client(sets: Sequence[CellSet], runs: Sequence[Sequence[_Run]], group: Group) -> list[Change]:
    """Each night on which the requests of a cell became others."""
    found: dict[tuple[str, date, date, Grade], list[str]] = defaultdict(list)
    for cell, some in zip(sets, runs, strict=True):
        by_night: dict[date, list[Observed]] = defaultdict(list)
        for run in some:
            by_night[run.night].append(run.seen)
        ordered = sorted(by_night)
        for before, night in pairwise(ordered):
            pair = CellSet(cell.axes, group[0], old=by_night[before], new=by_night[night])
            for each in client_shifts([pair], ()):
                if each.grade > Grade.NOISE:
                    found[each.message, before, night, each.grade].append(cell.name)
    return [
        Change("request", message, grade, *group, "", tuple(cells), before, night, None)
        for (message, before, night, grade), cells in found.items()
    ]
