"""Two sets of recordings against each other: which observations shifted by more than they vary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from conformance.diff.client_shifts import ClientShift, client_shifts
from conformance.diff.difference import Grade
from conformance.diff.grading import TYPES, grade_of
from conformance.diff.hypotheses import (
    Hypothesis,
    Member,
    NumberHypothesis,
    Varying,
    hypotheses,
    number_hypotheses,
    share,
    varying,
)
from conformance.diff.sets import CellSet
from conformance.diff.shift import Numbers, Shift, best
from conformance.diff.significance import Share, discoveries
from conformance.model.finding import Severity

CONFIDENCE = 0.999
"""Of a thousand comparisons of sets between which nothing changed, at most one reports something."""
_ALSO = 6


@dataclass(frozen=True)
class SetDrift:
    """The comparison of two sets: what the provider's responses show, and what the client's requests show."""

    old: str
    new: str
    cells: Sequence[CellSet]
    provider: Sequence[Shift]
    client: Sequence[ClientShift]
    confidence: float
    tests: int
    faults: Sequence[str] = ()

    def number(self, grade: Grade) -> int:
        """How many shifts have this grade."""
        return [*(each.grade for each in self.provider), *(each.grade for each in self.client)].count(grade)

    @property
    def worst(self) -> Grade | None:
        return max((*(each.grade for each in self.provider), *(each.grade for each in self.client)), default=None)

    @property
    def recordings(self) -> tuple[int, int]:
        """The number of recordings of each side, in the cells that both sides have."""
        both = self.compared
        return sum(len(cell.old) for cell in both), sum(len(cell.new) for cell in both)

    @property
    def compared(self) -> list[CellSet]:
        return [cell for cell in self.cells if cell.old and cell.new]

    def shown(self, clean: Callable[[str], str]) -> SetDrift:
        """The comparison with every recorded value passed through `clean`."""
        return replace(
            self,
            provider=[each.shown(clean) for each in self.provider],
            client=[each.shown(clean) for each in self.client],
            faults=[clean(each) for each in self.faults],
        )


def compare_sets(cells: Sequence[CellSet], old: str, new: str, *, confidence: float = CONFIDENCE) -> SetDrift:
    """The shifts between the two sides of each cell; cells that only one side has are not compared."""
    both = [cell for cell in cells if cell.old and cell.new]
    provider, tests = provider_shifts(both, confidence)
    touched = {name for each in provider if each.grade > Grade.NOISE for name in each.cells}
    client = client_shifts(both, touched)
    faults = dict.fromkeys(fault for cell in both for run in (*cell.old, *cell.new) for fault in run.faults)
    return SetDrift(old, new, cells, provider, client, confidence, tests, list(faults))


def provider_shifts(both: Sequence[CellSet], confidence: float) -> tuple[list[Shift], int]:
    """The significant shifts in the responses, worst first, and the number of tests."""
    found = [varying(cell) for cell in both]
    severities = {
        rule: each for cell in both for run in (*cell.old, *cell.new) for rule, each in run.severities.items()
    }
    families: dict[bool, list[tuple[Shift, Hypothesis | NumberHypothesis]]] = {True: [], False: []}
    for hypothesis in hypotheses(both, found):
        shift = _shift(hypothesis, both, found, severities)
        families[shift.grade is Grade.NOISE].append((shift, hypothesis))
    for number in number_hypotheses(found):
        families[False].append((_numbers(number, both), number))
    significant: list[tuple[Shift, Hypothesis | NumberHypothesis]] = []
    for family in families.values():  # what the table calls noise must not make room for what it does not
        tests = [(each.p, each.least if isinstance(each, Hypothesis) else 0.0) for _, each in family]
        held = discoveries(tests, 1 - confidence)
        significant += [each for each, holds in zip(family, held, strict=True) if holds]
    return _merged(significant), sum(map(len, families.values()))


def _shift(
    hypothesis: Hypothesis, cells: Sequence[CellSet], found: Sequence[Varying], severities: dict[str, Severity]
) -> Shift:
    shares = [share(cells[number], bits) for number, bits in hypothesis.strata]
    inverse = [
        Share(each.old_total - each.old, each.old_total, each.new_total - each.new, each.new_total) for each in shares
    ]
    names = tuple(cells[number].name for number, _ in hypothesis.strata)
    candidates = []
    for members, seen in ((hypothesis.members, _total(shares)), (hypothesis.inverse, _total(inverse))):
        appears = seen.new * seen.old_total > seen.old * seen.new_total
        for key, outcome in members:
            before = _before(key, outcome, hypothesis, cells, found)
            grade = grade_of(key, outcome, appears=appears, before=before, severities=severities)
            candidates.append(Shift(key, outcome, grade, names, seen, hypothesis.p, pooled=hypothesis.pooled))
    head = best(candidates)
    others = dict.fromkeys(
        each.subject
        for each in candidates
        if (each.key.topic, each.key.name) != (head.key.topic, head.key.name) and each.grade > Grade.NOISE
    )
    return replace(head, also=tuple(others)[:_ALSO])


def _before(
    key: Member | object, outcome: str, hypothesis: Hypothesis, cells: Sequence[CellSet], found: Sequence[Varying]
) -> bool:
    """Whether the old recordings without the outcome have the field in another type."""
    for number, _ in hypothesis.strata:
        for (other, name), bits in found[number].bits.items():
            same = other.pooled == key if hypothesis.pooled else other == key
            if same and name != outcome and name in TYPES and share(cells[number], bits).old:
                return True
    return False


def _total(shares: Sequence[Share]) -> Share:
    columns = zip(*((each.old, each.old_total, each.new, each.new_total) for each in shares), strict=True)
    return Share(*map(sum, columns))


def _numbers(hypothesis: NumberHypothesis, cells: Sequence[CellSet]) -> Shift:
    old = tuple(number for pair in hypothesis.strata.values() for number in pair[0])
    new = tuple(number for pair in hypothesis.strata.values() for number in pair[1])
    names = tuple(cells[number].name for number in hypothesis.strata)
    return Shift(hypothesis.key, "", Grade.REVIEW, names, Numbers(old, new), hypothesis.p, pooled=hypothesis.pooled)


def _merged(significant: Iterable[tuple[Shift, Hypothesis | NumberHypothesis]]) -> list[Shift]:
    """One shift for each cause: what all cells show together is not repeated for each, and equal cells are one."""
    told: set[tuple[object, str]] = set()
    result: list[Shift] = []
    ordered = sorted(significant, key=lambda pair: not pair[1].pooled)
    alike: dict[tuple[object, str, Grade], list[Shift]] = {}
    for shift, hypothesis in ordered:
        members = _members(hypothesis)
        general = {(key.pooled or key, outcome) for key, outcome in members}
        if hypothesis.pooled:
            told |= set(members)
            result.append(shift)
        elif not general & told:
            alike.setdefault((shift.key.pooled or shift.key, shift.outcome, shift.grade), []).append(shift)
    result += map(_joined, alike.values())
    places: dict[tuple[object, ...], list[Shift]] = {}
    for each in result:
        key = each.key
        rest = (key.topic, key.name, each.outcome) if each.pooled else (key, each.outcome)
        places.setdefault((key.scope, each.pooled, *rest), []).append(each)
    told_once = [min(some, key=lambda each: (-each.grade, each.p)) for some in places.values()]
    return sorted(told_once, key=lambda each: (-each.grade, each.p, each.key.scope, each.key.name, each.outcome))


def _members(hypothesis: Hypothesis | NumberHypothesis) -> list[Member]:
    if isinstance(hypothesis, NumberHypothesis):
        return [(hypothesis.key, "")]
    return [*hypothesis.members, *hypothesis.inverse]


def _joined(some: Sequence[Shift]) -> Shift:
    if len(some) == 1:
        return some[0]
    cells = tuple(dict.fromkeys(name for each in some for name in each.cells))
    shares = [each.seen for each in some if isinstance(each.seen, Share)]
    p = min(each.p for each in some)
    if shares and len(shares) == len(some):
        return replace(some[0], cells=cells, seen=_total(shares), p=p)
    return replace(min(some, key=lambda each: each.p), cells=cells)
