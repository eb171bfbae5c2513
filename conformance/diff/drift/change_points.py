"""When an observation changed: the window of nights that differs most from the nights around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from conformance.diff.drift.significance import Share, share_test

_LENGTHS = (1, 2, 4, 7, 14)
"""The windows that are tried at each night, in nights, besides the one up to the end."""

Counts = Mapping[int, Sequence[tuple[int, int]]]
"""Of each cell and night: how many recordings show an outcome, and how many have its subject."""


@dataclass(frozen=True, slots=True)
class Window:
    """The nights from `start` up to `end`, without it, that differ from the others from `first` up to `last`.

    `p` counts every window that was tried.
    """

    start: int
    end: int
    p: float
    seen: Share
    first: int
    last: int


def most_different(counts: Counts, first: int, last: int) -> Window | None:
    """The window of the nights from `first` up to `last` that differs most from the rest; None if there is none.

    Windows of some lengths are tried at each night; then both ends of the best one are moved as long as that helps.
    The p-value counts all windows that there are.
    """
    sums = {cell: _sums(nights) for cell, nights in counts.items()}

    @cache
    def p(start: int, end: int) -> float:
        return share_test([_share(each, first, last, start, end) for each in sums.values()])[0]

    starts = range(first + 1, last)
    tried = [(start, end) for start in starts for end in {*(min(start + length, last) for length in _LENGTHS), last}]
    if not tried:
        return None
    best = min(tried, key=lambda each: (p(*each), each))
    while True:
        start, end = best
        moved = [(each, end) for each in range(first + 1, end)]
        moved += [(start, each) for each in range(start + 1, last + 1)]
        better = min(moved, key=lambda each: (p(*each), each))
        if p(*better) >= p(*best):
            break
        best = better
    start, end = best
    shares = [_share(each, first, last, start, end) for each in sums.values()]
    total = Share(*(sum(column) for column in zip(*map(_row, shares), strict=True)))
    number = len(starts) * (len(starts) + 1) // 2
    return Window(start, end, min(1.0, p(start, end) * number), total, first, last)


def windows(counts: Counts, nights: int, level: float) -> list[Window]:
    """All windows that differ with this p-value at most, also within each other."""
    found: list[Window] = []
    open_: list[tuple[int, int]] = [(0, nights)]
    while open_:
        first, last = open_.pop()
        window = most_different(counts, first, last)
        if window is not None and window.p <= level:
            found.append(window)
            open_ += [(first, window.start), (window.start, window.end), (window.end, last)]
    return sorted(found, key=lambda each: each.start)


def _row(each: Share) -> tuple[int, int, int, int]:
    return each.old, each.old_total, each.new, each.new_total


def _sums(nights: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    total = [(0, 0)]
    for shown, there in nights:
        total.append((total[-1][0] + shown, total[-1][1] + there))
    return total


def _share(sums: Sequence[tuple[int, int]], first: int, last: int, start: int, end: int) -> Share:
    def between(one: int, other: int) -> tuple[int, int]:
        return sums[other][0] - sums[one][0], sums[other][1] - sums[one][1]

    inside, whole = between(start, end), between(first, last)
    return Share(whole[0] - inside[0], whole[1] - inside[1], *inside)
