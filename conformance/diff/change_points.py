"""When an observation changed: the window of nights that differs most from the nights around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from conformance.diff.significance import Share, share_test

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
    """The window of the nights from `first` up to `last` that differs most from the rest; None if none differs."""
    best: Window | None = None
    tried = 0
    sums = {cell: _sums(nights) for cell, nights in counts.items()}
    for start in range(first + 1, last):
        for end in sorted({min(start + length, last) for length in _LENGTHS} | {last}):
            tried += 1
            strata = [_share(each, first, last, start, end) for each in sums.values()]
            p = share_test(strata)[0]
            if best is None or p < best.p:
                total = Share(*(sum(column) for column in zip(*map(_row, strata), strict=True)))
                best = Window(start, end, p, total, first, last)
    if best is None:
        return None
    return replace(best, p=min(1.0, best.p * tried))


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
