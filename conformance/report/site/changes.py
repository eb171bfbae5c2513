"""What changed from one version or day to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from conformance.report.site.outcomes import differing
from conformance.report.site.snapshot import Snapshot, Statement

Place = tuple[str, str]
"""A dialect and a rule."""


@dataclass(slots=True)
class Changes:
    """The statements whose state differs. `gone` were exercised before and are not any more; `found` had not been."""

    broken: list[Place] = field(default_factory=list)
    mended: list[Place] = field(default_factory=list)
    found: list[Place] = field(default_factory=list)
    gone: list[Place] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)
    """Of faults, losses and exercises, in words."""

    def __bool__(self) -> bool:
        return bool(self.broken or self.mended or self.found or self.gone or self.outcomes)


_WEIGHT = {"passed": 0, "warned": 1, "failed": 2}


def changes(old: Snapshot, new: Snapshot) -> Changes:
    """The changes, of dialects that both have run."""
    made = Changes(outcomes=differing(old.outcomes, new.outcomes))
    for dialect in sorted(old.dialects.keys() & new.dialects.keys()):
        before, after = old.dialects[dialect], new.dialects[dialect]
        for rule in sorted(before.keys() | after.keys()):
            one, other = before.get(rule), after.get(rule)
            if other is None:
                # Without counts, a statement that has no finding is not known to hold.
                if one is not None:
                    (made.gone if one.counted is not None else made.mended).append((dialect, rule))
            elif one is None:
                (made.found if _bad(other) else []).append((dialect, rule))
            elif _WEIGHT[one.state] != _WEIGHT[other.state]:
                worse = _WEIGHT[one.state] < _WEIGHT[other.state]
                (made.broken if worse else made.mended).append((dialect, rule))
    return made


def _bad(statement: Statement) -> bool:
    return statement.state != "passed"
