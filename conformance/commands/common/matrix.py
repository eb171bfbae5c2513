"""The matrix as text: a row for each scenario, a column for each dialect, a pair of marks for each driver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import IO, TYPE_CHECKING

from conformance.commands.common import marks
from conformance.commands.common.marks import Key, State, print_marks, red_lines
from conformance.matrix.cells import Cell, why_not_installed
from conformance.matrix.verdict import Verdict
from conformance.model.printable import count
from conformance.report.verdicts import Display

if TYPE_CHECKING:
    from rich.console import Console

_NAMED = 5
"""How many failed cells are named below the matrix, which shows them all."""


def print_matrix(
    verdicts: Sequence[Verdict],
    out: IO[str],
    done: str,
    *,
    planned: Sequence[Cell] = (),
    title: str | None = None,
    display: Display | None = None,
) -> None:
    """Prints the result of each cell, a legend, the failed cells and the reasons for skipped ones.

    `done` is the verb of the summary: `replayed`, `recorded`. `planned` cells without a
    verdict are shown as not done. Of many failed cells only the first are named unless `display` is verbose; if it is
    quiet, only the count of cells is printed.
    """
    from conformance.report.console import console as console_on

    display = display or Display()
    cells: dict[Key, Verdict | None] = {_key(cell): None for cell in planned}
    cells.update((_key(verdict.cell), verdict) for verdict in verdicts if verdict.cell)
    if not cells:
        return
    console = console_on(out)
    if not display.quiet:
        if title is not None:
            console.print(f"\n{title}", markup=False)
        _print_cells({key: _state(verdict) for key, verdict in cells.items()}, console, out, done)
        judged = [verdict for verdict in cells.values() if verdict is not None]
        for line in _details(judged, longest=None if display.verbose else _NAMED):
            console.print(line, markup=False, soft_wrap=True)
    played = [each for each in cells.values() if each is None or each.skipped is each.not_offered is None]
    green = sum(_state(verdict) is marks.OK for verdict in played)
    style = "green" if green == len(played) else "red"
    name = f"{title}: " if title is not None and display.quiet else ""
    gap = "" if display.quiet else "\n"
    console.print(f"{gap}{name}{green} of {len(played)} cells {done} without an error", style=style)


def _print_cells(states: Mapping[Key, State], console: Console, out: IO[str], done: str) -> None:
    """The table of marks, its legend, and which drivers each dialect has."""
    modes = [mode for mode in ("sync", "stream") if any(key[3] == mode for key in states)]
    legend = print_marks(states, modes, console, out, heading=_heading, done=done)
    console.print(f"\n{legend}; each group has {' and '.join(modes)}, for these drivers:", markup=False)
    dialects: dict[tuple[str, ...], list[str]] = {}
    for dialect in dict.fromkeys(key[1] for key in states):
        driven = sorted({key[2:4] for key in states if key[1] == dialect})
        drivers = tuple(
            name if len(modes) == len(shown) else f"{name} ({shown[0]} only)"
            for name, each in groupby(driven, lambda found: found[0])
            if (shown := [mode for _, mode in each])
        )
        dialects.setdefault(drivers, []).append(dialect)
    for drivers, where in dialects.items():
        console.print(f"  {', '.join(drivers)}  ({', '.join(where)})", markup=False, soft_wrap=True)


def _heading(dialect: str) -> str:
    return dialect.replace("-", "\n", 1)


def _key(cell: Cell) -> Key:
    return cell.scenario.id, cell.dialect, cell.driver.name, cell.mode


def _state(verdict: Verdict | None) -> State:
    if verdict is None:
        return marks.UNDONE
    if verdict.skipped is not None:
        return marks.NOT_INSTALLED if _lacks(verdict) else marks.NOT_APPLICABLE
    if verdict.not_offered is not None:
        return marks.NOT_OFFERED
    if verdict.harness_errors:
        return marks.FAULT
    if any(finding.rule == "cassette-missing" for finding in verdict.findings):
        return marks.MISSING
    if any(finding.rule == "cell-missing" for finding in verdict.findings):
        return marks.UNDONE
    return marks.OK if verdict.passed else marks.RED


def _lacks(verdict: Verdict) -> bool:
    """Whether a cell is skipped because of what is not installed here."""
    return verdict.cell is not None and verdict.skipped == why_not_installed(verdict.cell)


def _details(verdicts: Sequence[Verdict], longest: int | None) -> Iterator[str]:
    """The notes below the matrix: the failed cells, `longest` of them, and why scenarios do not apply to a dialect."""
    missing = sum(_state(verdict) is marks.MISSING for verdict in verdicts)
    if missing:
        yield f"\n{count(missing, 'cell')} without a cassette; record them with `conformance record`"
    failed = [each for each in verdicts if _state(each) in (marks.RED, marks.FAULT)]
    yield from red_lines(((each.cell.id, each.findings) for each in failed if each.cell), longest)
    yield from _reasons("not offered", [(each.not_offered, each.cell) for each in verdicts])
    for state in (marks.NOT_APPLICABLE, marks.NOT_INSTALLED):
        yield from _reasons(state.meaning, [(each.skipped, each.cell) for each in verdicts if _state(each) is state])


def _reasons(title: str, found: Iterable[tuple[str | None, Cell | None]]) -> Iterator[str]:
    """The cells to which a title applies, by reason."""
    reasons: dict[str, list[Cell]] = {}
    for why, cell in found:
        if cell is not None and why is not None:
            reasons.setdefault(why, []).append(cell)
    if reasons:
        yield f"\n{title}"
    for reason, cells in reasons.items():
        scenarios = ", ".join(dict.fromkeys(cell.scenario.id for cell in cells))
        dialects = ", ".join(dict.fromkeys(cell.dialect for cell in cells))
        yield f"  {scenarios} in {dialects}: {reason}"
