"""The count: how many mutants of each dialect, side and operator are caught, and what escapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from devtools.mutants.equivalents import Ledger
from devtools.mutants.trial import Outcome

THRESHOLD = 0.99
_ENOUGH = 500
"""The fewest mutants for which the threshold applies to a dialect in recordings of others: some dialects are rare."""
EscapeKey = tuple[str, str, str, str]


@dataclass
class Count:
    """`equivalent` are the mutants that escape because the contract allows what they change, `foreign` those
    that escape because absence from a foreign recording is no evidence (DESIGN section 6).
    """

    made: int = 0
    caught: int = 0
    equivalent: int = 0
    foreign: int = 0

    @property
    def escaped(self) -> int:
        return self.made - self.caught - self.equivalent - self.foreign

    @property
    def score(self) -> float:
        """The share of the judged faults that is caught; 1 if there are none."""
        faults = self.made - self.equivalent - self.foreign
        return self.caught / faults if faults else 1.0


@dataclass
class Score:
    """The counts of all outcomes. `samples` has one escape of each kind; `broken` are internal errors."""

    dialects: dict[str, Count] = field(default_factory=dict)
    sides: dict[tuple[str, str], Count] = field(default_factory=dict)
    operators: dict[tuple[str, str], Count] = field(default_factory=dict)
    escapes: Counter[EscapeKey] = field(default_factory=Counter)
    kinds: Counter[EscapeKey] = field(default_factory=Counter)
    samples: dict[EscapeKey, Outcome] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)

    def add(self, outcome: Outcome) -> None:
        """Counts one mutant."""
        excused = self.ledger.excuses(outcome) or outcome.free
        dialect = outcome.dialect
        for count in (
            self.dialects.setdefault(dialect, Count()),
            self.sides.setdefault((dialect, outcome.side), Count()),
            self.operators.setdefault((dialect, outcome.operator), Count()),
        ):
            count.made += 1
            count.caught += outcome.caught
            count.equivalent += not outcome.caught and excused
            count.foreign += not excused and outcome.foreign
        self.broken.extend(outcome.broken)
        kind = (outcome.dialect, outcome.operator, outcome.side, outcome.pattern)
        self.kinds[kind] += 1
        if not (outcome.caught or excused or outcome.foreign):
            self.escapes[kind] += 1
            self.samples.setdefault(kind, outcome)

    def add_all(self, outcomes: Iterable[Outcome]) -> Score:
        """Counts them all."""
        for outcome in outcomes:
            self.add(outcome)
        return self

    @property
    def below_abroad(self) -> list[str]:
        """The same for recordings of others, among the dialects with enough mutants."""
        return [dialect for dialect in self.below if self.dialects[dialect].made >= _ENOUGH]

    @property
    def below(self) -> list[str]:
        """The dialects below the threshold."""
        return [dialect for dialect, count in sorted(self.dialects.items()) if count.score < THRESHOLD]
