"""The matrix of an MCP server as text: a row for each probe, a column for each revision, a mark for each client."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING

from conformance.commands.common import marks
from conformance.commands.common.marks import State, print_marks, red_lines
from conformance.report.console import console as console_on

if TYPE_CHECKING:
    from conformance.mcp_servers.cells import Outcome

_FEW = 4
"""The most scenarios that are named for one reason."""


def print_table(outcomes: Sequence[Outcome], out: IO[str], *, quiet: bool) -> None:
    """Prints the marks, a legend, the cells with errors and why others were not played."""
    console = console_on(out)
    played = [each for each in outcomes if each.skipped is None]
    green = sum(each.passed for each in played)
    if not quiet:
        drivers = list(dict.fromkeys(each.cell.driver for each in outcomes))
        cells = {(each.cell.probe.name, each.cell.revision, "", each.cell.driver): each for each in outcomes}
        legend = print_marks({key: _state(each) for key, each in cells.items()}, drivers, console, out)
        console.print(f"\n{legend}; for these drivers: {', '.join(drivers)}", markup=False, soft_wrap=True)
        for line in _details(outcomes):
            console.print(line, markup=False, soft_wrap=True)
    style = "green" if green == len(played) and played else "red"
    gap = "" if quiet else "\n"
    untried = sum(each.untried for each in outcomes)
    left = f", {untried} not exercised" if untried else ""
    console.print(f"{gap}{green} of {len(played)} cells run without an error{left}", style=style)


def _state(outcome: Outcome) -> State:
    if outcome.harness_errors:
        return marks.FAULT
    if outcome.skipped is not None:
        return marks.UNTRIED if outcome.untried else marks.NOT_APPLICABLE
    return marks.OK if outcome.passed else marks.RED


def _details(outcomes: Sequence[Outcome]) -> Iterable[str]:
    failed = [each for each in outcomes if each.skipped is None and not each.passed]
    yield from red_lines((each.cell.id, each.findings) for each in failed)
    for title, untried in (("not exercised", True), ("not applicable", False)):
        reasons: dict[str, list[Outcome]] = {}
        for each in outcomes:
            if each.skipped is not None and each.untried is untried:
                reasons.setdefault(each.skipped, []).append(each)
        if reasons:
            yield f"\n{title}"
        for reason, same in reasons.items():
            names = list(dict.fromkeys(each.cell.probe.name for each in same))
            revisions = ", ".join(dict.fromkeys(each.cell.revision for each in same))
            where = ", ".join(names) if len(names) <= _FEW else f"{len(names)} scenarios"
            yield f"  {where} in {revisions}: {reason}"
