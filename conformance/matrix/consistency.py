"""Consistency across the matrix: a scenario must lead to the same calls in every dialect and driver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from conformance.judge.run_rules import RunFinding
from conformance.matrix.verdict import Verdict
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.transcript import Turn


def disagreements(verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """A verdict with a finding for each cell whose calls differ from most cells of its scenario.

    Cells that failed already, or were not played, are left out, because they have findings of their own.
    """
    played = [verdict for verdict in verdicts if verdict.cell and not verdict.skipped and verdict.passed]
    for scenario in dict.fromkeys(verdict.cell.scenario.id for verdict in played if verdict.cell):
        cells = [verdict for verdict in played if verdict.cell and verdict.cell.scenario.id == scenario]
        usual = Counter(_calls(verdict.transcript) for verdict in cells).most_common(1)[0][0]
        for verdict in cells:
            calls = _calls(verdict.transcript)
            if calls != usual and verdict.cell:
                hit = Hit(None, "the calls differ from those of most other cells of this scenario", usual, calls)
                finding = RunFinding("dialect-calls-mismatch", None, hit).finding(
                    dialect=verdict.cell.dialect, source=verdict.source
                )
                yield Verdict(None, verdict.source, [finding])


def _calls(turns: Sequence[Turn]) -> str:
    """The calls of a run as text: the names and argument values, turn by turn; numbers as JSON compares them."""
    return "; ".join(
        " + ".join(f"{call.name}{brief(_plain(call.arguments), 2000)}" for call in turn.calls)
        for turn in turns
        if turn.calls and turn.stop not in ("length", "filter")
    )


def _plain(value: object) -> object:
    """The value with keys in order and whole floats as integers, so that equal values have equal texts."""
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
