"""What is tested: each observation of which some recordings show an outcome and others do not, in each cell and pooled.

The recordings of a cell are the bits of a number, those of the old side lowest. For 3 old and 2 new ones:

    recording   new 2  new 1  old 3  old 2  old 1
    subject       1      1      0      1      1     0b11011  `Bits[0]`: the recordings that have the subject
    outcome       1      0      0      1      0     0b10010  `Bits[1]`: of these, the ones that show the outcome

Observations with the same bits are one hypothesis.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from conformance.diff.drift.observed import Key, Observed, complete, parent_of
from conformance.diff.drift.sets import CellSet
from conformance.diff.drift.significance import Share, rank_test, share_test

_FORMS = frozenset(("object", "array", "string", "number", "boolean", "null", "absent", "broken"))
_LIMITS = {"above most": 0.9, "above half": 0.5, "above few": 0.1}
"""By name, the share of the numbers that do not exceed the limit."""
Member = tuple[Key, str]
Column = list[frozenset[str] | None]
Bits = tuple[int, int]
"""The recordings that have the subject, and those that show the outcome."""


@dataclass(slots=True)
class Hypothesis:
    """Null hypothesis: the outcome's frequency has not changed. `strata` has the bits of each cell, by its number."""

    strata: tuple[tuple[int, Bits], ...]
    members: list[Member] = field(default_factory=list)
    inverse: list[Member] = field(default_factory=list)
    """Outcomes that all other recordings show, and only these: they change with it."""
    pooled: bool = False
    p: float = 1.0
    least: float = 1.0


@dataclass(frozen=True, slots=True)
class NumberHypothesis:
    """Null hypothesis: a number's distribution has not changed. `strata` has its values, old and new, of each cell."""

    key: Key
    strata: Mapping[int, tuple[Sequence[float], Sequence[float]]]
    pooled: bool
    p: float


@dataclass(slots=True)
class Varying:
    """The outcomes of a cell that not all recordings show, and its numbers that differ."""

    bits: dict[Member, Bits]
    numbers: dict[Key, tuple[list[float], list[float]]]
    unusual: dict[Key, Bits]
    """By topic: the recordings with another number, names or types than most of the cell, to count cells together."""


def varying(cell: CellSet) -> Varying:
    """What varies in a cell, within a side or between them."""
    runs = [*cell.old, *cell.new]
    found = Varying({}, {}, {})
    columns = _columns(runs)
    for key, column in columns.items():
        outcomes = _completed(key, column, columns)
        if len(set(outcomes)) == 1:
            continue
        _note_unusual(found, key, outcomes)
        there = sum(1 << place for place, each in enumerate(outcomes) if each is not None)
        for outcome in sorted({one for each in outcomes if each is not None for one in each}):
            shown = sum(1 << place for place, each in enumerate(outcomes) if each is not None and outcome in each)
            if shown != there:
                found.bits[key, outcome] = there, shown
    for key in dict.fromkeys(key for run in runs for key in run.numbers):
        sides = ([run.numbers[key] for run in side if key in run.numbers] for side in (cell.old, cell.new))
        old, new = sides
        if len({*old, *new}) > 1:
            found.numbers[key] = old, new
    return found


def number_bits(cell: CellSet) -> dict[Member, Bits]:
    """The numbers of the old side as yes-or-no observations: whether they exceed three limits, between their values."""
    found: dict[Member, Bits] = {}
    for key in dict.fromkeys(key for run in cell.old for key in run.numbers):
        column = [run.numbers.get(key) for run in cell.old]
        values = sorted(each for each in column if each is not None)
        there = sum(1 << place for place, each in enumerate(column) if each is not None)
        for name, share in _LIMITS.items():
            limit = values[min(int(share * len(values)), len(values) - 1)]
            if limit == values[-1]:
                limit = max((each for each in values if each < limit), default=limit)
            shown = sum(1 << place for place, each in enumerate(column) if each is not None and each > limit)
            if shown and (there, shown) not in (found.get((key, other)) for other in _LIMITS):
                found[key, name] = there, shown
    return found


def _note_unusual(found: Varying, key: Key, outcomes: Sequence[frozenset[str] | None]) -> None:
    """Which recordings are not like most, whichever the side: a scenario's own calls cannot be counted with others'."""
    if key.topic != "argument" and (key.topic, key.name) not in (("call", "number"), ("call", "names")):
        return
    forms = [None if each is None else each & _FORMS if key.topic == "argument" else each for each in outcomes]
    counts = Counter(each for each in forms if each is not None)
    most = max(counts, key=lambda each: (counts[each], sorted(each)))
    there = sum(1 << place for place, each in enumerate(forms) if each is not None)
    shown = sum(1 << place for place, each in enumerate(forms) if each not in (None, most))
    pooled = Key(key.scope, key.place.partition(", ")[2], "unusual", key.topic)
    before = found.unusual.get(pooled, (0, 0))
    found.unusual[pooled] = before[0] | there, before[1] | shown


def _columns(runs: Sequence[Observed]) -> dict[Key, Column]:
    """The outcomes of each key in each recording, None where it has none."""
    columns: dict[Key, Column] = {}
    for place, run in enumerate(runs):
        for key, outcomes in run.outcomes.items():
            column = columns.get(key)
            if column is None:
                column = columns[key] = [None] * len(runs)
            column[place] = outcomes
    return columns


def _completed(key: Key, column: Column, columns: Mapping[Key, Column]) -> Column:
    """The outcomes of a field, with `absent` where only the object around it is there."""
    parent = parent_of(key)
    if parent is None or None not in column:
        return column
    around = columns.get(parent) or [None] * len(column)
    return [complete(own, outer) for own, outer in zip(column, around, strict=True)]


def hypotheses(cells: Sequence[CellSet], found: Sequence[Varying]) -> Iterator[Hypothesis]:
    """The yes-or-no hypotheses of each cell, and those of several cells of a dialect and mode together."""
    single: dict[tuple[tuple[int, Bits], ...], Hypothesis] = {}
    pools: dict[Member, dict[int, Bits]] = defaultdict(dict)
    for number, each in enumerate(found):
        for (key, outcome), bits in each.bits.items():
            _add(single, ((number, bits),), (key, outcome), pooled=False)
            pooled = key.pooled
            if pooled is not None:
                there, shown = pools[pooled, outcome].get(number, (0, 0))
                pools[pooled, outcome][number] = there | bits[0], shown | bits[1]
        for key, bits in each.unusual.items():
            pools[key, "other than usual"][number] = bits
    together: dict[tuple[tuple[int, Bits], ...], Hypothesis] = {}
    for member, strata in pools.items():
        left = {number: (there, shown) for number, (there, shown) in strata.items() if shown not in (0, there)}
        if len(left) > 1:
            _add(together, tuple(sorted(left.items())), member, pooled=True)
    for hypothesis in (*single.values(), *together.values()):
        shares = [share(cells[number], bits) for number, bits in hypothesis.strata]
        hypothesis.p, hypothesis.least = share_test(shares)
        yield hypothesis


def _add(
    into: dict[tuple[tuple[int, Bits], ...], Hypothesis],
    strata: tuple[tuple[int, Bits], ...],
    member: Member,
    *,
    pooled: bool,
) -> None:
    inverse = tuple((number, (there, there ^ shown)) for number, (there, shown) in strata)
    if inverse in into:
        into[inverse].inverse.append(member)
    else:
        into.setdefault(strata, Hypothesis(strata, pooled=pooled)).members.append(member)


def share(cell: CellSet, bits: Bits) -> Share:
    """How many recordings of each side show an outcome, of those that have its subject."""
    there, shown = bits
    first = (1 << len(cell.old)) - 1
    old, new = shown & first, shown >> len(cell.old)
    return Share(old.bit_count(), (there & first).bit_count(), new.bit_count(), (there >> len(cell.old)).bit_count())


def number_hypotheses(found: Sequence[Varying]) -> Iterator[NumberHypothesis]:
    """The hypotheses about numbers, of each cell and of several together."""
    pools: dict[Key, dict[int, tuple[Sequence[float], Sequence[float]]]] = defaultdict(dict)
    for number, each in enumerate(found):
        for key, (old, new) in each.numbers.items():
            if not old or not new:
                continue
            yield NumberHypothesis(key, {number: (old, new)}, pooled=False, p=rank_test([(old, new)]))
            pooled = key.pooled
            common = max(map([*old, *new].count, {*old, *new}))
            if pooled is not None and number not in pools[pooled] and 2 * common <= len(old) + len(new):
                pools[pooled][number] = old, new
    for key, strata in pools.items():
        if len(strata) > 2:
            yield NumberHypothesis(key, strata, pooled=True, p=rank_test(list(strata.values())))
