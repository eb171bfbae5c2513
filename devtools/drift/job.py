"""What the nightly job reports: it looks twice, and each look has half of the chance of a false alarm."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.diff.difference import Grade
from conformance.diff.drift.sets import CellSet
from conformance.diff.drift.shifts import CONFIDENCE, SetDrift, compare_sets
from devtools.drift.nights import Night

WINDOW, TOGETHER = 14, 3
HISTORY = WINDOW + TOGETHER - 1
"""How many nights before tonight the job needs."""
LOOKS = 2
LEVEL = 1 - (1 - CONFIDENCE) / LOOKS


def alarms(nights: Sequence[Night]) -> list[str]:
    """What the job reports after the last of some nights: of tonight, else of the last three nights together.

    Both are compared with the 14 nights before them, as the commands of docs/workflows/drift.yml do.
    """
    return compared(nights[-1 - WINDOW : -1], nights[-1:]) or compared(
        nights[-TOGETHER - WINDOW : -TOGETHER], nights[-TOGETHER:]
    )


def compared(before: Sequence[Night], now: Sequence[Night], confidence: float = LEVEL) -> list[str]:
    """The shifts to look at between some nights and others."""
    drift = drift_between(before, now, confidence)
    reported = [(each.grade, each.message) for each in drift.provider]
    reported += [(each.grade, each.message) for each in drift.client]
    return [message for grade, message in reported if grade > Grade.NOISE]


def drift_between(before: Sequence[Night], now: Sequence[Night], confidence: float = LEVEL) -> SetDrift:
    """The comparison of some nights with others."""
    cells = []
    for dialect, scenario, mode in now[0]:
        cell = CellSet(
            (dialect, scenario, "", mode),
            old=[run for each in before for run in each[dialect, scenario, mode]],
            new=[run for each in now for run in each[dialect, scenario, mode]],
        )
        cell.without_outages()
        cells.append(cell)
    return compare_sets(cells, "before", "now", confidence=confidence)
