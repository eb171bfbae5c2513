"""One scenario, the same calls everywhere: what differs is found."""

from __future__ import annotations

from typing import Any

from conformance.matrix.cells import Cell, all_cells
from conformance.matrix.consistency import disagreements
from conformance.matrix.verdict import Verdict
from conformance.model.transcript import Malformed, ToolCall, Turn


def verdict(cell: Cell, *turns: Turn) -> Verdict:
    return Verdict(cell, cell.id, [], transcript=turns)


def calls(*arguments: Any, name: str = "f", stop: Any = "tool-calls") -> Turn:
    return Turn("assistant", tuple(ToolCall(str(n), name, each) for n, each in enumerate(arguments)), stop=stop)


CELLS = [cell for cell in all_cells() if cell.scenario.id == "weather"]


def test_equal_values_agree_whatever_their_spelling() -> None:
    one = verdict(CELLS[0], calls({"a": 1, "b": [2.5]}))
    other = verdict(CELLS[1], calls({"b": [2.5], "a": 1.0}))
    assert list(disagreements([one, other])) == []


def test_a_cell_with_another_argument_name_count_or_order_is_named() -> None:
    usual = [verdict(cell, calls({"a": 1}, {"a": 2})) for cell in CELLS[:3]]
    others = (
        calls({"a": 2}, {"a": 1}),
        calls({"a": 1}),
        calls({"a": "1"}, {"a": 2}),
        calls({"a": 1}, {"a": 2}, name="g"),
    )
    for turn in others:
        found = list(disagreements([*usual, verdict(CELLS[3], turn)]))
        assert [(each.source, each.findings[0].rule) for each in found] == [(CELLS[3].id, "dialect-calls-mismatch")]


def test_two_turns_of_one_call_are_not_one_turn_of_two() -> None:
    parallel = verdict(CELLS[0], calls({"a": 1}, {"a": 2}))
    others = [verdict(cell, calls({"a": 1}), calls({"a": 2})) for cell in CELLS[1:3]]
    assert [each.source for each in disagreements([parallel, *others])] == [CELLS[0].id]


def test_a_call_that_was_cut_off_does_not_count() -> None:
    cut = verdict(CELLS[0], calls(Malformed('{"a', "cut off"), stop="length"))
    assert list(disagreements([cut, verdict(CELLS[1], Turn("assistant", (), stop="length"))])) == []


def test_cells_that_were_not_played_are_left_out() -> None:
    skipped = Verdict(CELLS[0], "", [], skipped="why")
    assert list(disagreements([skipped, verdict(CELLS[1], calls({}))])) == []
