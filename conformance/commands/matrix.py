"""The matrix as people look at it: one row for scenario, dialect and driver, one column for each mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from conformance.finding import Severity
from conformance.judging import Verdict
from conformance.report.showing import count


def print_matrix(verdicts: Sequence[Verdict], out: IO[str]) -> None:
    """Prints what became of each cell, and how many are green."""
    from rich.console import Console
    from rich.table import Table

    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    for verdict in verdicts:
        if verdict.cell is not None:
            cell = verdict.cell
            rows.setdefault((cell.scenario.id, cell.dialect, cell.driver.name), {})[cell.mode] = _outcome(verdict)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("scenario", "dialect", "driver", "sync", "stream"):
        table.add_column(column, no_wrap=True)
    for axes, modes in sorted(rows.items()):
        table.add_row(*axes, modes.get("sync", ""), modes.get("stream", ""))
    played = [verdict for verdict in verdicts if verdict.cell is not None and verdict.skipped is None]
    green, total = sum(verdict.passed for verdict in played), len(played)
    reasons = {
        (verdict.cell.scenario.id, verdict.cell.dialect): verdict.skipped
        for verdict in verdicts
        if verdict.cell is not None and verdict.skipped is not None
    }
    console = Console(file=out, highlight=False, width=None if out.isatty() else 120)
    console.print()
    console.print(table)
    if reasons:
        console.print("\nnot applicable")
        for (scenario, dialect), reason in sorted(reasons.items()):
            console.print(f"  {scenario} in {dialect}: {reason}", markup=False, soft_wrap=True)
    console.print(f"\n{green} of {total} cells replayed without an error", style="green" if green == total else "red")


def _outcome(verdict: Verdict) -> str:
    if verdict.skipped is not None:
        return "[dim]n/a[/]"
    if verdict.harness_errors:
        return "[yellow]harness error[/]"
    rules = {finding.rule for finding in verdict.findings}
    if "cassette-missing" in rules:
        return "[red]missing[/]"
    errors = sum(finding.severity is Severity.ERROR for finding in verdict.findings)
    if errors:
        return f"[red]{count(errors, 'error')}[/]"
    warnings = sum(finding.severity is Severity.WARNING for finding in verdict.findings)
    return f"[green]ok[/] [yellow]({count(warnings, 'warning')})[/]" if warnings else "[green]ok[/]"
