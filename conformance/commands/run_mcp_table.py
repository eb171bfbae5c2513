"""The matrix of an MCP server as text: a row for each exercise, a column for each revision, a mark for each client."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING

from conformance.model.finding import Severity
from conformance.model.printable import count

if TYPE_CHECKING:
    from conformance.mcp_servers.cells import Outcome

_MARKS = {"ok": "✓", "red": "✗", "untried": "?", "n/a": "·", "fault": "!"}
_ASCII = {"ok": "+", "red": "x", "untried": "?", "n/a": "-", "fault": "!"}
_STYLES = {"ok": "green", "red": "bold red", "untried": "yellow", "n/a": "dim", "fault": "bold yellow"}
_MEANINGS = {
    "ok": "conforming",
    "red": "an error",
    "untried": "not exercised",
    "n/a": "not applicable",
    "fault": "our fault",
}


def print_table(outcomes: Sequence[Outcome], out: IO[str], *, quiet: bool) -> None:
    """Prints the marks, a legend, the cells with errors and why others were not played."""
    from conformance.report.console import console as console_on

    console = console_on(out)
    played = [each for each in outcomes if each.skipped is None]
    green = sum(each.passed for each in played)
    if not quiet:
        _marks(outcomes, out)
        for line in _details(outcomes):
            console.print(line, markup=False, soft_wrap=True)
    style = "green" if green == len(played) and played else "red"
    gap = "" if quiet else "\n"
    console.print(f"{gap}{green} of {len(played)} cells run without an error", style=style)


def _marks(outcomes: Sequence[Outcome], out: IO[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    from conformance.report.console import console as console_on

    encoding = (getattr(out, "encoding", None) or "utf-8").lower().replace("-", "")
    glyphs = _MARKS if encoding.startswith("utf") else _ASCII
    revisions = list(dict.fromkeys(each.cell.revision for each in outcomes))
    drivers = list(dict.fromkeys(each.cell.driver for each in outcomes))
    by_cell = {(each.cell.exercise.name, each.cell.revision, each.cell.driver): each for each in outcomes}
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in ("scenario", *revisions):
        table.add_column(heading, no_wrap=True)
    for name in dict.fromkeys(each.cell.exercise.name for each in outcomes):
        row: list[str | Text] = [name]
        for revision in revisions:
            text = Text()
            for driver in drivers:
                outcome = by_cell.get((name, revision, driver))
                state = _state(outcome) if outcome is not None else None
                text.append(glyphs[state] if state else "", _STYLES[state] if state else "")
            row.append(text)
        table.add_row(*row)
    console = console_on(out)
    console.print()
    console.print(table)
    seen = {_state(each) for each in outcomes}
    legend = ", ".join(f"{glyphs[state]} {meaning}" for state, meaning in _MEANINGS.items() if state in seen)
    console.print(f"\n{legend}; for these drivers: {', '.join(drivers)}", markup=False, soft_wrap=True)


def _state(outcome: Outcome) -> str:
    if outcome.harness_errors:
        return "fault"
    if outcome.skipped is not None:
        return "untried" if outcome.untried else "n/a"
    return "ok" if outcome.passed else "red"


def _details(outcomes: Sequence[Outcome]) -> Iterable[str]:
    red = [each for each in outcomes if each.skipped is None and not each.passed]
    if red:
        yield "\nred"
    for each in red:
        errors = sum(finding.severity is Severity.ERROR for finding in each.findings)
        yield f"  {each.cell.id}: {count(errors, 'error')}"
    for title, untried in (("not exercised", True), ("not applicable", False)):
        reasons: dict[str, list[Outcome]] = {}
        for each in outcomes:
            if each.skipped is not None and each.untried is untried:
                reasons.setdefault(each.skipped, []).append(each)
        if reasons:
            yield f"\n{title}"
        for reason, same in reasons.items():
            names = list(dict.fromkeys(each.cell.exercise.name for each in same))
            revisions = ", ".join(dict.fromkeys(each.cell.revision for each in same))
            told = ", ".join(names) if len(names) <= _FEW else f"{len(names)} scenarios"
            yield f"  {told} in {revisions}: {reason}"


_FEW = 4
