"""`make scaling`: the exponents of CPU time from 1,000 to 8,000 of each structural dimension of each dialect.

Each dimension is judged, reported and redacted. What takes longer than it should is measured again, three times in all:
other processes only ever make a time longer, so the shortest ones count. What is left grows too fast only if it still
does from 4,000 to 8,000: a limit between the sizes, past which there is something to report, is a step and no growth.
`python -m devtools.growth --dialect mcp --only tools` measures some of them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Callable, Sequence
from functools import cache

from conformance.model.registry import all_dialects
from devtools.growth.dimensions import Dimension, dimensions
from devtools.growth.measuring import WORKS, exponent, times

SMALL, MIDDLE, LARGE = 1_000, 4_000, 8_000
LIMIT = 1.2
NOISE = 0.1
"""Seconds below which a time says nothing about growth."""
HANG = 2.0
"""Seconds that the small size may take."""
_TRIES = 3
Timing = Callable[[Dimension, int], dict[str, float]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what grows too fast, and how many dimensions were tried and failed; 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialect", action="append", choices=list(all_dialects()), help="only this dialect")
    parser.add_argument("--only", default="", help="only dimensions with this text in their name")
    parser.add_argument("--jobs", type=int, default=1, help="processes: CPU time is measured, so they may share a core")
    chosen = parser.parse_args(arguments)
    tasks = [
        (dialect, number)
        for dialect in chosen.dialect or all_dialects()
        for number, dimension in enumerate(_dimensions(dialect))
        if chosen.only in dimension.name
    ]
    if not tasks:
        parser.error(f"no dimension has {chosen.only!r} in its name")
    failed = 0
    with multiprocessing.get_context("spawn").Pool(chosen.jobs) as pool:
        for tried, lines in enumerate(pool.imap(_measured, tasks, chunksize=4), 1):
            failed += len(lines)
            sys.stdout.write("".join(lines))
            sys.stdout.flush()
            if tried % 100 == 0:
                sys.stderr.write(f"{tasks[tried - 1][0]}: {tried} of {len(tasks)} tried, {failed} failed\n")
    measured = len(tasks) * len(WORKS)
    sys.stdout.write(f"scaling: {measured} tried ({len(tasks)} dimensions, {', '.join(WORKS)}), {failed} failed\n")
    return 1 if failed else 0


@cache
def _dimensions(dialect: str) -> list[Dimension]:
    return list(dimensions(dialect))


def _measured(task: tuple[str, int]) -> list[str]:
    """A line for each work that grows too fast in a dimension, given by its dialect and number."""
    dialect, number = task
    dimension = _dimensions(dialect)[number]
    return [f"{name}: {dimension.name}: {problem}\n" for name, problem in problems_of(dimension).items()]


def problems_of(dimension: Dimension, timing: Timing = times) -> dict[str, str]:
    """What is wrong with the growth of a dimension, for each work that grows too fast."""
    large = timing(dimension, LARGE)
    if max(large.values()) < NOISE:
        return {}
    small = timing(dimension, SMALL)
    for attempt in range(_TRIES):
        found = {name: problem for name in large if (problem := _problem(small[name], large[name]))}
        if not found or attempt + 1 == _TRIES:
            break
        large = _shortest(large, timing(dimension, LARGE))
        small = _shortest(small, timing(dimension, SMALL))
    if not found:
        return found
    middle = timing(dimension, MIDDLE)
    return {name: problem for name, problem in found.items() if _grows(middle[name], large[name], MIDDLE)}


def _problem(small: float, large: float) -> str:
    if small > HANG:
        return f"{small:.1f} s at {SMALL}"
    if large < NOISE or not _grows(small, large, SMALL):
        return ""
    return f"exponent {_exponent(small, large, SMALL):.2f} ({small:.3f} s, {large:.3f} s)"


def _grows(smaller: float, large: float, size: int) -> bool:
    return _exponent(smaller, large, size) >= LIMIT


def _exponent(smaller: float, large: float, size: int) -> float:
    return exponent((max(smaller, 1e-4), large), (size, LARGE))


def _shortest(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    return {name: min(one[name], other[name]) for name in one}


if __name__ == "__main__":
    sys.exit(main())
