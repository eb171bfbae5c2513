"""Two sets of recordings against each other: which observations shifted by more than they vary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from conformance.diff.difference import Grade
from conformance.diff.drift.client_shifts import ClientShift, client_shifts
from conformance.diff.drift.hypotheses import Hypothesis, hypotheses, number_hypotheses, varying
from conformance.diff.drift.power import Power, power_of
from conformance.diff.drift.sets import CellSet
from conformance.diff.drift.shift import Shift
from conformance.diff.drift.shift_causes import Cause, cause_of, number_cause, reported_once
from conformance.diff.drift.significance import discoveries

CONFIDENCE = 0.999
"""Of a thousand comparisons of sets between which nothing changed, at most one reports something."""


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
    power: Power
    faults: Sequence[str] = ()

    def number(self, grade: Grade) -> int:
        """How many shifts have this grade."""
        return [*(each.grade for each in self.provider), *(each.grade for each in self.client)].count(grade)

    @property
    def worst(self) -> Grade | None:
        return max((*(each.grade for each in self.provider), *(each.grade for each in self.client)), default=None)

    @property
    def fails_strictly(self) -> bool:
        """Whether nothing could be found, so that to find nothing means nothing."""
        return self.power.too_few and self.worst in (None, Grade.NOISE)

    @property
    def recordings(self) -> tuple[int, int]:
        """The number of recordings of each side, in the cells that both sides have."""
        both = self.compared
        return sum(len(cell.old) for cell in both), sum(len(cell.new) for cell in both)

    @property
    def unanswered(self) -> int:
        """The number of recordings that were left out, because the provider was down."""
        return sum(cell.unanswered for cell in self.cells)

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
    groups: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for cell in both:
        dialect, _, _, mode = cell.axes
        groups.setdefault((dialect, mode), []).append((len(cell.old), len(cell.new)))
    power = power_of(list(groups.values()), (1 - confidence) / max(1, tests))
    return SetDrift(old, new, cells, provider, client, confidence, tests, power, list(faults))


def provider_shifts(both: Sequence[CellSet], confidence: float) -> tuple[list[Shift], int]:
    """The significant shifts in the responses, worst first, and the number of tests."""
    found = [varying(cell) for cell in both]
    severities = {
        rule: each for cell in both for run in (*cell.old, *cell.new) for rule, each in run.severities.items()
    }
    families: dict[bool, list[Cause]] = {True: [], False: []}
    for hypothesis in hypotheses(both, found):
        cause = cause_of(hypothesis, both, found, severities)
        families[cause.head.grade is Grade.NOISE].append(cause)
    families[False] += [number_cause(each, both) for each in number_hypotheses(found)]
    significant: list[Cause] = []
    for family in families.values():  # what the table calls noise must not make room for what it does not
        tried = [each.hypothesis for each in family]
        tests = [(each.p, each.least if isinstance(each, Hypothesis) else 0.0) for each in tried]
        held = discoveries(tests, 1 - confidence)
        significant += [each for each, holds in zip(family, held, strict=True) if holds]
    tested = [*families[True], *families[False]]
    known = {id(each) for each in significant}
    significant += [each.unsure() for each in families[False] if id(each) not in known and each.is_plain]
    return reported_once(significant, tested), len(tested)
