"""What grows too fast in a dimension."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from devtools.growth.dimensions import Dimension, dimensions
from devtools.growth.measuring import exponent, times

SMALL, MIDDLE, LARGE = 1_000, 4_000, 8_000
_UPPER = (MIDDLE, LARGE)
LIMIT, SUSPECT = 1.2, 1.1
NOISE = 0.1
"""Seconds below which a time says nothing about growth."""
HANG = 2.0
"""Seconds that the small size may take."""
_TRIES = 3
Timing = Callable[[Dimension, int], dict[str, float]]


@cache
def dimensions_of(dialect: str) -> list[Dimension]:
    return list(dimensions(dialect))


def problems_in(task: tuple[str, int]) -> list[str]:
    """A line for each work that grows too fast in a dimension, given by its dialect and number."""
    dialect, number = task
    dimension = dimensions_of(dialect)[number]
    return [f"{name}: {dimension.name}: {problem}\n" for name, problem in problems_of(dimension).items()]


def problems_of(dimension: Dimension, timing: Timing = times) -> dict[str, str]:
    """What is wrong with the growth of a dimension, for each work that grows too fast.

    What has an exponent of 1.2 from 1,000 to 8,000, because some of it is quadratic, has one of 1.14 from 1,000 to
    4,000: only what reaches 1.1 there is measured at 8,000, which takes longer than all the rest.
    """
    middle = timing(dimension, MIDDLE)
    if max(middle.values()) < NOISE / 8:
        return {}
    small = timing(dimension, SMALL)
    if all(small[name] <= HANG and _exponent(small[name], middle[name], MIDDLE) < SUSPECT for name in middle):
        return {}
    large = timing(dimension, LARGE)
    for attempt in range(_TRIES):
        found = {name: problem for name in large if (problem := _problem(small[name], large[name]))}
        if not found or attempt + 1 == _TRIES:
            break
        large = _shortest(large, timing(dimension, LARGE))
        small = _shortest(small, timing(dimension, SMALL))
    if not found:
        return found
    middle = _shortest(middle, timing(dimension, MIDDLE))
    return {name: problem for name, problem in found.items() if exponent((middle[name], large[name]), _UPPER) >= LIMIT}


def _problem(small: float, large: float) -> str:
    if small > HANG:
        return f"{small:.1f} s at {SMALL}"
    grown = _exponent(small, large, LARGE)
    return f"exponent {grown:.2f} ({small:.3f} s, {large:.3f} s)" if large >= NOISE and grown >= LIMIT else ""


def _exponent(small: float, large: float, size: int) -> float:
    return exponent((max(small, 1e-4), max(large, 1e-4)), (SMALL, size))


def _shortest(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    return {name: min(one[name], other[name]) for name in one}
