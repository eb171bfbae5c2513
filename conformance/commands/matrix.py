"""The matrix as text: a row for each scenario, a column for each dialect, a pair of marks for each driver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, TYPE_CHECKING

from conformance.commands.output import Display
from conformance.matrix.cells import Cell
from conformance.matrix.verdict import Verdict
from conformance.model.finding import Severity
from conformance.model.printable import count

if TYPE_CHECKING:
    from rich.console import Console

_NAMED = 5
"""How many failed cells are named below the matrix, which shows them all."""
_GAP = 2
"""The spaces between two columns."""
_Key = tuple[str, str, str, str]
_GLYPHS = {"ok": "✓", "red": "✗", "missing": "?", "undone": "?", "n/a": "·", "fault": "!", "": " "}
_ASCII = {"ok": "+", "red": "x", "missing": "?", "undone": "?", "n/a": "-", "fault": "!", "": " "}
_STYLES = {
    "ok": "green",
    "red": "bold red",
    "missing": "bold red",
    "undone": "bold red",
    "n/a": "dim",
    "fault": "bold yellow",
}
_MEANINGS = {
    "ok": "conforming",
    "red": "an error",
    "missing": "no cassette",
    "undone": "not {done}",
    "n/a": "not applicable",
    "fault": "our fault",
}


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
    cells: dict[_Key, Verdict | None] = {_key(cell): None for cell in planned}
    cells.update((_key(verdict.cell), verdict) for verdict in verdicts if verdict.cell)
    if not cells:
        return
    console = console_on(out)
    if not display.quiet:
        _print_cells(cells, console, out, done, title)
        told = [verdict for verdict in cells.values() if verdict is not None]
        for line in _details(told, longest=None if display.verbose else _NAMED):
            console.print(line, markup=False, soft_wrap=True)
    played = [verdict for verdict in cells.values() if verdict is None or verdict.skipped is None]
    green = sum(verdict is not None and verdict.passed for verdict in played)
    style = "green" if green == len(played) else "red"
    name = f"{title}: " if title is not None and display.quiet else ""
    gap = "" if display.quiet else "\n"
    console.print(f"{gap}{name}{green} of {len(played)} cells {done} without an error", style=style)


def _print_cells(
    cells: Mapping[_Key, Verdict | None], console: Console, out: IO[str], done: str, title: str | None
) -> None:
    """The table of marks and its legend."""
    from rich.table import Table
    from rich.text import Text

    dialects = list(dict.fromkeys(dialect for _, dialect, _, _ in cells))
    drivers = {name: sorted({key[2] for key in cells if key[1] == name}) for name in dialects}
    modes = [mode for mode in ("sync", "stream") if any(key[3] == mode for key in cells)]
    glyphs = _GLYPHS if _speaks_unicode(out) else _ASCII

    def marks(scenario: str, dialect: str) -> Text:
        text = Text()
        for number, driver in enumerate(drivers[dialect]):
            text.append(" " if number else "")
            for mode in modes:
                key = (scenario, dialect, driver, mode)
                state = _state(cells[key]) if key in cells else ""
                text.append(glyphs[state], _STYLES.get(state, ""))
        return text

    scenarios = list(dict.fromkeys(key[0] for key in cells))
    widths = {each: max(*map(len, _heading(each).split("\n")), len(marks(scenarios[0], each))) for each in dialects}
    if title is not None:
        console.print(f"\n{title}", markup=False)
    for columns in _fitting(widths, console.width - max(map(len, [*scenarios, "scenario"]))):
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
        table.add_column("scenario", no_wrap=True)
        for dialect in columns:
            table.add_column(_heading(dialect), no_wrap=True)
        for scenario in scenarios:
            table.add_row(scenario, *(marks(scenario, dialect) for dialect in columns))
        console.print()
        console.print(table)
    seen = {_state(verdict) for verdict in cells.values()}
    legend = ", ".join(
        f"{glyphs[state]} {meaning.format(done=done)}" for state, meaning in _MEANINGS.items() if state in seen
    )
    console.print(f"\n{legend}; each group has {' and '.join(modes)}, for these drivers:", markup=False)
    for names in dict.fromkeys(tuple(each) for each in drivers.values()):
        where = ", ".join(dialect for dialect in dialects if tuple(drivers[dialect]) == names)
        console.print(f"  {', '.join(names)}  ({where})", markup=False, soft_wrap=True)


def _heading(dialect: str) -> str:
    return dialect.replace("-", "\n", 1)


def _fitting(widths: Mapping[str, int], room: int) -> Iterator[list[str]]:
    """The columns, in as many tables as they need to fit beside the names of the scenarios."""
    columns: list[str] = []
    used = 0
    for name, width in widths.items():
        if columns and used + _GAP + width > room:
            yield columns
            columns, used = [], 0
        columns.append(name)
        used += _GAP + width
    yield columns


def _key(cell: Cell) -> _Key:
    return cell.scenario.id, cell.dialect, cell.driver.name, cell.mode


def _speaks_unicode(out: IO[str]) -> bool:
    encoding = getattr(out, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "").startswith("utf")


def _state(verdict: Verdict | None) -> str:
    if verdict is None:
        return "undone"
    if verdict.skipped is not None:
        return "n/a"
    if verdict.harness_errors:
        return "fault"
    if any(finding.rule == "cassette-missing" for finding in verdict.findings):
        return "missing"
    if any(finding.rule == "cell-missing" for finding in verdict.findings):
        return "undone"
    return "ok" if verdict.passed else "red"


def _details(verdicts: Sequence[Verdict], longest: int | None) -> Iterator[str]:
    """The notes below the matrix: the failed cells, `longest` of them, and why scenarios do not apply to a dialect."""
    missing = sum(_state(verdict) == "missing" for verdict in verdicts)
    if missing:
        yield f"\n{count(missing, 'cell')} without a cassette; record them with `conformance record`"
    red = [(v.cell, v) for v in verdicts if v.cell and _state(v) in ("red", "fault")]
    if red:
        yield "\nred"
    for cell, verdict in red[:longest]:
        errors = sum(finding.severity is Severity.ERROR for finding in verdict.findings)
        yield f"  {cell.id}: {count(errors, 'error')}"
    if longest is not None and len(red) > longest:
        yield f"  … and {count(len(red) - longest, 'more cell')}; use -v to name them"
    reasons: dict[str, list[Cell]] = {}
    for verdict in verdicts:
        if verdict.cell and verdict.skipped is not None:
            reasons.setdefault(verdict.skipped, []).append(verdict.cell)
    if reasons:
        yield "\nnot applicable"
    for reason, cells in reasons.items():
        scenarios = ", ".join(dict.fromkeys(cell.scenario.id for cell in cells))
        dialects = ", ".join(dict.fromkeys(cell.dialect for cell in cells))
        yield f"  {scenarios} in {dialects}: {reason}"
