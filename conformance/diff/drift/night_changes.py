"""When the recordings of one target and model changed: responses by tests over windows of nights, requests exactly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from conformance.diff.difference import Grade
from conformance.diff.drift.change import Change
from conformance.diff.drift.change_points import Counts, Window, most_different, windows
from conformance.diff.drift.client_shifts import client_shifts
from conformance.diff.drift.grading import TYPES, grade_of
from conformance.diff.drift.hypotheses import Bits, Hypothesis, Member, Varying, hypotheses, number_bits, varying
from conformance.diff.drift.observed import Key, Observed
from conformance.diff.drift.sets import CellSet
from conformance.diff.drift.shift import Numbers, Shift, best
from conformance.diff.drift.significance import Share, discoveries

_ALSO = 6
Group = tuple[str, str]
"""Target and model."""


@dataclass(slots=True)
class Run:
    """One recording, and its night."""

    night: date
    seen: Observed


@dataclass(slots=True)
class Nights:
    """The recordings of one target and model. `places` has the number of the night of each recording, cell by cell."""

    group: Group
    nights: Sequence[date]
    cells: list[CellSet] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)

    def add(self, cell: CellSet, runs: Sequence[Run]) -> int:
        """Adds the recordings of a cell, but for those of an outage; returns how many these are."""
        runs = sorted(runs, key=lambda run: run.night)
        usual = 2 * sum(run.seen.down for run in runs) > len(runs)
        left = [run for run in runs if usual or not run.seen.down]
        place = {night: number for number, night in enumerate(self.nights)}
        cell.old = [run.seen for run in left]
        self.cells.append(cell)
        self.places.append([place[run.night] for run in left])
        return len(runs) - len(left)

    def counts(self, cell: int, bits: Bits) -> list[tuple[int, int]]:
        """For each night, how many recordings of a cell show an outcome, and how many have its subject."""
        there, shown = bits
        counts = [[0, 0] for _ in self.nights]
        for run, night in enumerate(self.places[cell]):
            counts[night][0] += shown >> run & 1
            counts[night][1] += there >> run & 1
        return [(each[0], each[1]) for each in counts]

    def numbers(self, cells: Sequence[int], key: Key) -> list[list[float]]:
        """The numbers of each night. A key of several cells stands for all answers of this content."""
        found: list[list[float]] = [[] for _ in self.nights]
        for cell in cells:
            for night, run in zip(self.places[cell], self.cells[cell].old, strict=True):
                found[night] += [value for each, value in run.numbers.items() if key in (each, each.pooled)]
        return found


def provider_changes(some: Nights, precision: float) -> list[Change]:
    """The changes of the responses: the significant ones, this share of them false at most, and those to review."""
    found = [varying(cell) for cell in some.cells]
    for cell, varied in zip(some.cells, found, strict=True):
        varied.bits |= number_bits(cell)
    length = len(some.nights)
    tried: list[Tried] = []
    for hypothesis in hypotheses(some.cells, found):
        counts = {cell: some.counts(cell, bits) for cell, bits in hypothesis.strata}
        window = most_different(counts, 0, length)
        if window is not None:
            tried.append(Tried(hypothesis, counts, window))
    chosen, level = _significant(tried, 1 - precision)
    reported: set[Member] = set()
    changes: list[Change] = []
    for each in sorted(chosen, key=lambda each: (not each.hypothesis.pooled, each.window.p)):
        hypothesis = each.hypothesis
        general = {_general(member) for member in (*hypothesis.members, *hypothesis.inverse)}
        if general & reported and (not hypothesis.pooled or all(key.topic == "number" for key, _ in general)):
            continue
        reported |= general
        for window in windows(each.counts, length, level):
            shift = _shift(hypothesis, window, some, found)
            if shift.grade > Grade.NOISE:
                changes.append(_change(shift, hypothesis, each.counts, window, some))
    return [*changes, *_unsure(tried, reported, some, found)]


def _unsure(tried: Sequence[Tried], reported: set[Member], some: Nights, found: Sequence[Varying]) -> Iterator[Change]:
    """What never varied and is otherwise in all recordings since, though they are too few to be sure; each once."""
    for hypothesis, counts, window in sorted(tried, key=lambda each: (not each.hypothesis.pooled, each.window.p)):
        general = {_general(member) for member in (*hypothesis.members, *hypothesis.inverse)}
        if general & reported or window.first > 0 or window.end < len(some.nights):
            continue
        shift = _shift(hypothesis, window, some, found)
        if shift.is_plain and shift.grade > Grade.NOISE:
            reported |= general
            yield _change(shift.for_review(), hypothesis, counts, window, some)


class Tried(NamedTuple):
    """A hypothesis with its counts by cell and night, and the window that differs most."""

    hypothesis: Hypothesis
    counts: Counts
    window: Window


def _significant(tried: Sequence[Tried], level: float) -> tuple[list[Tried], float]:
    """Those that hold, and the largest of their p-values.

    Numbers are a family of their own: three limits of each one must not make room for the rest, nor take it.
    """
    families: dict[bool, list[Tried]] = {True: [], False: []}
    for each in tried:
        members = (*each.hypothesis.members, *each.hypothesis.inverse)
        families[all(key.topic == "number" for key, _ in members)].append(each)
    chosen: list[Tried] = []
    for family in families.values():
        held = discoveries([(each.window.p, 0.0) for each in family], level)
        chosen += [each for each, holds in zip(family, held, strict=True) if holds]
    return chosen, max((each.window.p for each in chosen), default=0.0)


def _general(member: Member) -> Member:
    """What is reported once: an outcome in all cells, or a number, whichever limit it exceeds."""
    key, outcome = member
    return key.pooled or key, "" if key.topic == "number" else outcome


def _shift(hypothesis: Hypothesis, window: Window, some: Nights, found: Sequence[Varying]) -> Shift:
    severities = {rule: each for cell in some.cells for run in cell.old for rule, each in run.severities.items()}
    names = tuple(some.cells[cell].name for cell, _ in hypothesis.strata)
    seen = window.seen
    other = Share(seen.old_total - seen.old, seen.old_total, seen.new_total - seen.new, seen.new_total)
    candidates = []
    for members, share in ((hypothesis.members, seen), (hypothesis.inverse, other)):
        appears = share.new * share.old_total > share.old * share.new_total
        for key, outcome in members:
            before = any(
                key in (each, each.pooled) and name != outcome and name in TYPES
                for varied in found
                for each, name in varied.bits
            )
            grade = grade_of(key, outcome, appears=appears, before=before, severities=severities)
            candidates.append(Shift(key, outcome, grade, names, share, window.p))
    head = best(candidates)
    also = dict.fromkeys(each.subject for each in candidates if (each.key.topic, each.key.name) not in head.names)
    head = replace(head, also=tuple(also)[:_ALSO])
    if head.key.topic != "number":
        return head
    nights = some.numbers([cell for cell, _ in hypothesis.strata], head.key)
    inside = [value for night in nights[window.start : window.end] for value in night]
    around = [*nights[window.first : window.start], *nights[window.end : window.last]]
    return replace(head, seen=Numbers(tuple(value for night in around for value in night), tuple(inside)))


def _change(shift: Shift, hypothesis: Hypothesis, counts: Counts, window: Window, some: Nights) -> Change:
    nights = some.nights
    inverse = (shift.key, shift.outcome) in hypothesis.inverse
    medians: tuple[float | None, ...] = ()
    if shift.key.topic == "number":
        each_night = some.numbers([cell for cell, _ in hypothesis.strata], shift.key)
        medians = tuple(median(numbers) if numbers else None for numbers in each_night)
    return Change(
        "response",
        shift.message.replace(" before,", " around,").replace(" now", " in these nights"),
        shift.grade,
        *some.group,
        f"{shift.key.scope}, answer {shift.key.place}",
        shift.cells,
        nights[window.start - 1],
        nights[window.start],
        None if window.end == len(nights) else nights[window.end - 1],
        _shares(counts, len(nights), inverse=inverse),
        medians,
        shift.also,
        window.p,
        shift.what,
        len(some.cells),
    )


def _shares(counts: Counts, nights: int, *, inverse: bool) -> tuple[float | None, ...]:
    result: list[float | None] = []
    for night in range(nights):
        shown, there = (sum(each[night][side] for each in counts.values()) for side in (0, 1))
        result.append((1 - shown / there if inverse else shown / there) if there else None)
    return tuple(result)


def client_changes(some: Nights) -> list[Change]:
    """Each night on which the requests of a cell became others."""
    found: dict[tuple[str, date, date, Grade], list[str]] = defaultdict(list)
    for cell, places in zip(some.cells, some.places, strict=True):
        by_night: dict[int, list[Observed]] = defaultdict(list)
        for place, run in zip(places, cell.old, strict=True):
            by_night[place].append(run)
        for before, night in pairwise(sorted(by_night)):
            pair = CellSet(cell.axes, cell.target, old=by_night[before], new=by_night[night])
            for each in client_shifts([pair], ()):
                if each.grade > Grade.NOISE:
                    found[each.message, some.nights[before], some.nights[night], each.grade].append(cell.name)
    return [
        Change(
            "request",
            message,
            grade,
            *some.group,
            "",
            tuple(cells),
            before,
            night,
            None,
            what=message,
            number=len(some.cells),
        )
        for (message, before, night, grade), cells in found.items()
    ]
