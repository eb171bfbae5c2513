"""The tests behind `diff` of sets, against published values and against counting all cases."""

import math
import random
from itertools import combinations

import pytest

from conformance.diff.drift.significance import Share, discoveries, rank_test, share_test


@pytest.mark.parametrize(
    ("table", "p"),
    [
        ((3, 4, 1, 4), 0.4857142857),  # the lady tasting tea, two-sided
        ((1, 10, 11, 14), 0.0027594561852),  # Wikipedia's studying men and women, as R and scipy give it
        ((0, 140, 10, 10), 1 / math.comb(150, 10)),
        ((8, 10, 1, 6), 0.034965034965),  # the example in scipy's documentation of fisher_exact
        ((5, 10, 5, 10), 1.0),
    ],
)
def test_the_share_test_is_fishers(table: tuple[int, int, int, int], p: float) -> None:
    assert share_test([Share(*table)])[0] == pytest.approx(p, rel=1e-8)


def test_strata_are_added_up_as_by_counting_every_case() -> None:
    strata = [Share(1, 4, 2, 3), Share(0, 3, 2, 2)]
    spread: dict[int, float] = {}
    for first in combinations(range(7), 3):
        for second in combinations(range(5), 2):
            hits = sum(each < 3 for each in first) + sum(each < 2 for each in second)
            spread[hits] = spread.get(hits, 0) + 1
    whole = sum(spread.values())
    p = sum(number for number in spread.values() if number <= spread[4]) / whole
    found = share_test(strata)
    assert found[0] == pytest.approx(p)
    assert found[1] == pytest.approx(min(spread.values()) / whole)


def test_what_never_varies_is_no_evidence() -> None:
    assert share_test([Share(10, 10, 5, 5)]) == (1.0, 1.0)
    assert rank_test([([3, 3], [3])]) == 1.0


def test_the_rank_test_is_exact_for_few_values() -> None:
    old, new = [1, 1, 2, 3], [2, 3, 3]
    everything = [*old, *new]
    ranks = {1: 1.5, 2: 3.5, 3: 6.0}
    middle = len(new) * (len(everything) + 1) / 2
    far = abs(sum(ranks[each] for each in new) - middle)
    cases = [sum(ranks[everything[each]] for each in some) for some in combinations(range(7), 3)]
    p = sum(abs(case - middle) >= far - 1e-9 for case in cases) / len(cases)
    assert rank_test([(old, new)]) == pytest.approx(p)


def test_the_rank_test_by_the_normal_distribution() -> None:
    old = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    new = [1.15, 0.88, 0.90, 0.74, 1.21]
    # The permeability data of Hollander and Wolfe: W = 35, whose mean is 25 and whose variance is 200 / 3.
    assert rank_test([(old, new)]) == pytest.approx(math.erfc(9.5 / math.sqrt(2 * 200 / 3)))


def test_a_rank_test_alarms_as_often_as_its_level_says() -> None:
    chance = random.Random(5)
    for draw in (chance.random, lambda: float(chance.random() > 0.9) * chance.random()):
        found = [rank_test([([draw() for _ in range(40)], [draw() for _ in range(10)])]) for _ in range(2000)]
        assert sum(p <= 0.05 for p in found) / 2000 < 0.065
        assert sum(p <= 0.001 for p in found) <= 8


def test_benjamini_and_hochberg() -> None:
    # The fifteen p-values of their paper of 1995, of which four hold at 0.05.
    values = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
    values += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    assert discoveries([(p, 0.0) for p in values], 0.05) == [True] * 4 + [False] * 11


def test_a_test_that_could_not_hold_is_not_counted() -> None:
    hopeless = [(0.5, 0.5)] * 1000
    assert discoveries([(0.0004, 0.0001), *hopeless], 0.001)[0]
    assert discoveries([], 0.05) == []
