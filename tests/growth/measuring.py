"""The exponent of growth of one dimension: in CPU time, or in counted operations."""

from __future__ import annotations

import cProfile
import gc
import math
import time
from collections.abc import Sequence

from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from tests.growth.dimensions import Dimension

NOISE = 0.08
"""Seconds below which a time says nothing about growth."""


def judged(dimension: Dimension, size: int) -> tuple[list[Exchange], Checker]:
    """The exchanges of a dimension at a size, and what judges them."""
    exchanges = [
        Exchange.of(record, source="growth", complete=True, group="growth") for record in dimension.records(size)
    ]
    return exchanges, Checker()


def seconds(dimension: Dimension, size: int) -> float:
    """The CPU time of judging."""
    exchanges, checker = judged(dimension, size)
    gc.collect()
    begun = time.process_time()
    for exchange in exchanges:
        checker.feed(exchange)
    return time.process_time() - begun


def operations(dimension: Dimension, size: int) -> int:
    """The number of calls, of Python functions and of built-in ones, while judging."""
    exchanges, checker = judged(dimension, size)
    profile = cProfile.Profile()
    profile.enable()
    for exchange in exchanges:
        checker.feed(exchange)
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


def exponent(costs: Sequence[float], sizes: Sequence[int]) -> float:
    """The exponent between three sizes, from what each step adds: a constant cost has no influence."""
    (low, middle, high), (one, two, three) = costs, sizes
    first, second = middle - low, high - middle
    if first <= 0 or second <= 0:
        return 0.0
    return math.log(second / first * (two - one) / (three - two)) / math.log(three / two) + 1
