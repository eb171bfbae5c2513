"""The part of a large product that `make test` and `make check` run; `make full` (`pytest --full`) runs all of it.

A sample is fixed: the same items in every run, so that what fails was broken by a change. Every sample states the risk
that it takes: what a fault has to look like for `make full` to be the first to find it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")
Facet = Callable[[T], Hashable]


class Extent:
    """How much of the products this run covers; `tests/conftest.py` sets it before a module of tests is imported."""

    full = False


def sample(items: Iterable[T], *facets: Facet[T], risk: str) -> list[T]:
    """All items in a full run, else a few that have every value of every facet, in their order.

    Of the items that share a value the sample has one. Which one changes from value to value, so that what is no facet
    varies too.
    """
    assert risk, "a sample states its risk"
    everything = list(items)
    if Extent.full:
        return everything
    chosen: set[int] = set()
    for facet in facets:
        groups: dict[Hashable, list[int]] = {}
        for number, item in enumerate(everything):
            groups.setdefault(facet(item), []).append(number)
        for turn, members in enumerate(groups.values()):
            if chosen.isdisjoint(members):
                chosen.add(members[turn % len(members)])
    return [everything[number] for number in sorted(chosen)]


def every(items: Iterable[T], step: int, *, risk: str) -> list[T]:
    """All items in a full run, else each one that is `step` after the last, the first of them included."""
    assert risk, "a sample states its risk"
    return list(islice(items, 0, None, 1 if Extent.full else step))


def amount(whole: int, few: int, *, risk: str) -> int:
    """How many items a test makes or draws itself: `whole` in a full run, else `few`."""
    assert risk, "a sample states its risk"
    return whole if Extent.full else few


def fewer(*, by: int) -> settings:
    """The share of the profile's examples that each item of a test with very many items draws."""
    return settings(max_examples=max(1, settings().max_examples // by))
