"""Targets compared in pairs: how much one rate is above another, with an interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeVar

CALLS = ("precision", "recall", "specificity")
"""The rates of the tool calls, beside the checks."""

Run = TypeVar("Run")
Cell = tuple[str, str, str, str]
"""Scenario, dialect, driver, mode."""
Interval = Callable[[int, int], tuple[float, float]]


def newcombe(one: tuple[int, int], other: tuple[int, int], interval: Interval) -> tuple[float, float]:
    """The interval for the difference of two rates, each as (held, n), of runs that do not depend on each other.

    Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17
    (1998), 873-890, method 10: from the Wilson interval of each rate, without continuity correction.
    """
    (low, high), (other_low, other_high) = interval(*one), interval(*other)
    share, other_share = (held / n for held, n in (one, other))
    value = share - other_share
    below = math.sqrt((share - low) ** 2 + (other_high - other_share) ** 2)
    above = math.sqrt((high - share) ** 2 + (other_share - other_low) ** 2)
    return max(-1.0, value - below), min(1.0, value + above)


def difference(one: Mapping[str, Any], other: Mapping[str, Any], interval: Interval) -> dict[str, Any]:
    """The first rate minus the second; None, with an interval that is the whole range, if one of them has no runs."""
    sides = {"first": {"held": one["held"], "n": one["n"]}, "second": {"held": other["held"], "n": other["n"]}}
    if not one["n"] or not other["n"]:
        return {"value": None, "low": -1.0, "high": 1.0, **sides}
    low, high = newcombe((one["held"], one["n"]), (other["held"], other["n"]), interval)
    return {"value": one["held"] / one["n"] - other["held"] / other["n"], "low": low, "high": high, **sides}


def differences(
    runs: Mapping[str, Mapping[Cell, Sequence[Run]]],
    measures: Callable[[Sequence[Run]], Mapping[str, Any]],
    interval: Interval,
) -> Iterator[dict[str, Any]]:
    """Each pair of targets. `runs` are those of each target by cell.

    Only what both ran is compared: the same cells, or if they have none in common, the same scenarios.
    """
    for first, second in combinations(runs, 2):
        for over, length in (("cells", None), ("scenarios", 1)):
            shared = {cell[:length] for cell in runs[first]} & {cell[:length] for cell in runs[second]}
            if shared:
                one, other = (
                    measures([run for cell, some in runs[each].items() if cell[:length] in shared for run in some])
                    for each in (first, second)
                )
                compared = _compared(one, other, interval)
                yield {"first": first, "second": second, "over": over, "shared": len(shared), "measures": compared}
                break


def rates_of(measured: Mapping[str, Any]) -> dict[str, Any]:
    """The rates of some runs: the checks, and those of the tool calls."""
    return {**measured["checks"], **{name: measured["tool_calls"][name] for name in CALLS}}


def _compared(one: Mapping[str, Any], other: Mapping[str, Any], interval: Interval) -> dict[str, Any]:
    rates, others = rates_of(one), rates_of(other)
    return {name: difference(rates[name], others[name], interval) for name in rates}
