"""Tests whether two sets of samples come from the same source, and the control of false discoveries over many tests.

Every test is exact where the values are few, and holds whatever the size of the sets. Each takes strata: pairs of old
and new samples that are compared only with each other (the cells of a matrix), so that a cell with other habits than
the next is no evidence.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_SLACK = 1 + 1e-9
"""Two probabilities that differ by less are equal: both are sums of products of floating-point numbers."""
_LARGE = 20_000
"""From so many samples on, a test of shares is not made exactly, which would take longer than all the rest."""
_BINS = 3
_COMMON = 0.3
"""From this share of one value on, a number is put into bins, because its ranks are far from normal."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the samples of each side show something."""

    old: int
    old_total: int
    new: int
    new_total: int


@lru_cache(maxsize=65_536)
def _hypergeometric(total: int, marked: int, drawn: int) -> tuple[int, tuple[float, ...]]:
    """The lowest possible number of marked ones among `drawn` of `total`, and the probabilities from there on."""
    low, high = max(0, drawn - (total - marked)), min(drawn, marked)
    whole = math.comb(total, drawn)
    return low, tuple(
        math.comb(marked, each) * math.comb(total - marked, drawn - each) / whole for each in range(low, high + 1)
    )


def share_test(strata: Sequence[Share]) -> tuple[float, float]:
    """The two-sided p-value of equal shares, and the least one that these totals can give.

    With one stratum it is Fisher's exact test (Fisher, Statistical Methods for Research Workers, 1934, section 21.02),
    with several the exact conditional test of Birch (J. R. Stat. Soc. B 26 (1964), 313-324). Of very many samples it is
    the test by the normal distribution with the same variance, of Mantel and Haenszel (J. Natl. Cancer Inst. 22 (1959),
    719-748).
    """
    if sum(each.old_total + each.new_total for each in strata) > _LARGE:
        return _by_normal(strata)
    low, chances, observed = 0, [1.0], 0
    for each in strata:
        marked, total = each.old + each.new, each.old_total + each.new_total
        observed += each.new
        least, own = _hypergeometric(total, marked, each.new_total)
        low += least
        if len(own) > 1:
            chances = _sum(chances, own)
    if len(chances) == 1:
        return 1.0, 1.0
    # Both ends are the rarest: the probabilities rise to one peak, and so do those of sums.
    limit = chances[observed - low] * _SLACK
    return min(1.0, math.fsum(each for each in chances if each <= limit)), min(chances[0], chances[-1])


def _by_normal(strata: Sequence[Share]) -> tuple[float, float]:
    expected = variance = observed = low = high = 0.0
    for each in strata:
        marked, total = each.old + each.new, each.old_total + each.new_total
        if total < 2:
            continue
        expected += marked * each.new_total / total
        variance += marked * (total - marked) / total * each.new_total / total * (each.old_total / (total - 1))
        observed += each.new
        low += max(0, marked - each.old_total)
        high += min(marked, each.new_total)
    if variance <= 0:
        return 1.0, 1.0

    def p(outcome: float) -> float:
        return math.erfc(max(0.0, abs(outcome - expected) - 0.5) / math.sqrt(2 * variance))

    return p(observed), min(p(low), p(high))


def _sum(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """The distribution of the sum of two independent numbers."""
    total = [0.0] * (len(one) + len(other) - 1)
    for place, chance in enumerate(one):
        if chance:
            for step, factor in enumerate(other):
                total[place + step] += chance * factor
    return total


Numbers = tuple[Sequence[float], Sequence[float]]
"""The numbers of the old and of the new samples of one stratum."""


def rank_test(strata: Sequence[Numbers]) -> float:
    """The two-sided p-value of numbers that are neither larger nor smaller than before.

    Wilcoxon's rank-sum test (Mann and Whitney, Ann. Math. Stat. 18 (1947), 50-60), ties with their mean rank: exact for
    a stratum with few different values, else by the normal distribution; several strata by van Elteren's weights.
    """
    there = [pair for pair in strata if pair[0] and pair[1] and len({*pair[0], *pair[1]}) > 1]
    if not there:
        return 1.0
    if len(there) == 1:
        old, new = there[0]
        everything = Counter((*old, *new))
        if len(everything) <= _BINS or everything.most_common(1)[0][1] > _COMMON * everything.total():
            return _exact_ranks(*_binned(old, new, everything))
    above, variance, step = 0.0, 0.0, 0.0
    for old, new in there:
        n, total = len(new), len(old) + len(new)
        ranks = _ranks(Counter((*old, *new)))
        ties = sum(each**3 - each for each in Counter((*old, *new)).values())
        weight = 1 / (total + 1)
        above += weight * (sum(ranks[each] for each in new) - n * (total + 1) / 2)
        variance += weight**2 * len(old) * n / 12 * (total + 1 - ties / (total * (total - 1)))
        step = max(step, weight / 2)
    if variance <= 0:
        return 1.0
    return math.erfc(max(0.0, abs(above) - step) / math.sqrt(2 * variance))


def _ranks(counts: Counter[float]) -> dict[float, float]:
    ranks, below = {}, 0
    for value in sorted(counts):
        ranks[value] = below + (counts[value] + 1) / 2
        below += counts[value]
    return ranks


def _binned(old: Sequence[float], new: Sequence[float], counts: Counter[float]) -> tuple[list[int], list[int]]:
    """The numbers as those of at most three bins, which depend on both sides alike: so the test stays exact."""
    if len(counts) <= _BINS:
        place = {value: number for number, value in enumerate(sorted(counts))}
    else:
        common = counts.most_common(1)[0][0]
        place = {value: (value > common) - (value < common) for value in counts}
    return [place[each] for each in old], [place[each] for each in new]


def _exact_ranks(old: Sequence[int], new: Sequence[int]) -> float:
    """The exact test of the rank sum: over all ways to draw the new samples out of all of them."""
    counts = Counter((*old, *new))
    doubled = {value: round(2 * rank) for value, rank in _ranks(Counter(map(float, (*old, *new)))).items()}
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for value in sorted(counts):
        more: dict[tuple[int, int], int] = {}
        for (drawn, total), number in ways.items():
            for taken in range(min(counts[value], len(new) - drawn) + 1):
                key = drawn + taken, total + taken * doubled[value]
                more[key] = more.get(key, 0) + number * math.comb(counts[value], taken)
        ways = more
    middle = len(new) * (len(old) + len(new) + 1)
    far = abs(sum(doubled[each] for each in new) - middle)
    ends = {total: number for (drawn, total), number in ways.items() if drawn == len(new)}
    return sum(number for total, number in ends.items() if abs(total - middle) >= far) / sum(ends.values())


def discoveries(tests: Sequence[tuple[float, float]], level: float) -> list[bool]:
    """Which tests hold with this false discovery rate; each is its p-value and the least p-value it can have.

    The step-up procedure of Benjamini and Hochberg (J. R. Stat. Soc. B 57 (1995), 289-300), over the tests that could
    hold at all (Gilbert, J. R. Stat. Soc. C 54 (2005), 143-158): one that no outcome could make significant is none.
    """
    counted = _testable([least for _, least in tests], level)
    able = sorted((p, place) for place, (p, least) in enumerate(tests) if least <= level / max(1, counted))
    last = max((rank for rank, (p, _) in enumerate(able, 1) if p <= level * rank / len(able)), default=0)
    found = {place for _, place in able[:last]}
    return [place in found for place in range(len(tests))]


def _testable(least: Sequence[float], level: float) -> int:
    """The smallest K such that at most K tests could reach level / K."""
    ordered = sorted(least)
    return next((k for k in range(1, len(ordered) + 1) if bisect_right(ordered, level / k) <= k), 0)
