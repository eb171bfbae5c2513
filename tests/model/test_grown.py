"""A set that only grows: every earlier state stays as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from conformance.model.grown import Grown

ITEMS = st.lists(st.integers(0, 9), max_size=5)


@given(st.lists(st.tuples(st.integers(0, 20), ITEMS), max_size=12))
def test_each_state_has_what_it_had_however_the_others_grew(steps: list[tuple[int, list[int]]]) -> None:
    states: list[tuple[Grown[int], frozenset[int]]] = [(Grown(), frozenset())]
    for number, items in steps:
        grown, model = states[number % len(states)]
        states.append((grown.and_also(items), model | set(items)))
    for grown, model in states:
        assert len(grown) == len(model)
        assert {item for item in range(10) if item in grown} == model
