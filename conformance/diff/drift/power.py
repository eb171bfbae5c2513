"""What a comparison of so many recordings can show at all: the smallest change that is no chance at its level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from conformance.diff.drift.significance import Share, share_test

_MOST = 200
"""The most recordings of a side that are tried."""


@dataclass(frozen=True, slots=True)
class Power:
    """`smallest` is the least change that one cell can show, `together` the least that all of them can; None if none.

    `needed` is the number of recordings on each side with which one cell can show a change of all of them.
    """

    smallest: Share | None
    together: Share | None
    needed: int

    @property
    def too_few(self) -> bool:
        """Whether no change of the responses could be told from chance."""
        return self.smallest is None and self.together is None

    def __str__(self) -> str:
        if self.too_few:
            return (
                "too few to tell: a change of all responses would be no more than chance at this confidence; "
                f"{self.needed} recordings of a cell are needed on each side"
            )
        of_one = "none" if self.smallest is None else _words(self.smallest)
        of_all = "" if self.together is None else f"; in all cells of a dialect together: {_words(self.together)}"
        return f"the smallest change that these numbers can show, in one cell: {of_one}{of_all}"

    def as_json(self) -> dict[str, Any]:
        return {
            "too_few": self.too_few,
            "needed": self.needed,
            "smallest": None if self.smallest is None else [self.smallest.new, self.smallest.new_total],
            "together": None if self.together is None else [self.together.new, self.together.new_total],
        }


def power_of(groups: Sequence[Sequence[tuple[int, int]]], level: float) -> Power:
    """The power of a comparison; each group has the cells that are tested together, as recordings before and now."""
    cells = sorted({cell for group in groups for cell in group})
    alone = [found for cell in cells if (found := _smallest((cell,), level)) is not None]
    pooled = [
        found for group in groups if len(group) > 1 and (found := _smallest(tuple(sorted(group)), level)) is not None
    ]
    return Power(min(alone, key=_share, default=None), min(pooled, key=_share, default=None), needed(level))


def needed(level: float) -> int:
    """How many recordings on each side show a change of all of them."""
    return next((each for each in range(1, _MOST) if _p(((each, each),), each) <= level), _MOST)


def _words(least: Share) -> str:
    return f"{least.new} of {least.new_total} now, none of {least.old_total} before"


def _share(least: Share) -> float:
    return least.new / least.new_total


@lru_cache(maxsize=1024)
def _smallest(cells: tuple[tuple[int, int], ...], level: float) -> Share | None:
    """The fewest new recordings that show what no old one does, and are no chance."""
    old, new = (sum(side) for side in zip(*cells, strict=True))
    least = next((shown for shown in range(1, new + 1) if _p(cells, shown) <= level), None)
    return None if least is None else Share(0, old, least, new)


def _p(cells: Sequence[tuple[int, int]], shown: int) -> float:
    """The p-value if so many new recordings, first those of the first cells, show what no old one does."""
    strata = []
    for old, new in cells:
        here = min(shown, new)
        shown -= here
        strata.append(Share(0, old, here, new))
    return share_test(strata)[0]
