"""The statistics of samples as text tables, one column for each target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from conformance.campaign.statistics import CHECKS

_CALLS = {
    "precision": "share of the calls made that were expected",
    "recall": "share of the expected calls that were made",
    "specificity": "share of the runs without an expected call in which the model made no call",
}


def print_statistics(statistics: Mapping[str, Any], out: IO[str]) -> None:
    """Prints the rates of all targets, the success rate of each cell, and the meaning of each rate."""
    from rich.table import Table

    from conformance.report.console import console as console_on

    targets = statistics["targets"]
    console = console_on(out)
    table = _table(targets, "measure", Table)
    for name in CHECKS:
        table.add_row(name, *(_rate(each["checks"][name]) for each in targets))
    for name in _CALLS:
        table.add_row(name, *(_rate(each["tool_calls"][name]) for each in targets))
    table.add_row("F1", *(_share(each["tool_calls"]["f1"]) for each in targets))
    table.add_row("all rules pass in every run", *("yes" if each["all_rules_kept"] else "no" for each in targets))
    console.print()
    console.print(table)
    cells = _table(targets, "success by cell", Table)
    for key in dict.fromkeys(_key(cell) for each in targets for cell in each["cells"]):
        row = []
        for each in targets:
            found = next((cell for cell in each["cells"] if _key(cell) == key), None)
            row.append(_rate(found["checks"]["success"]) if found else "")
        cells.add_row(" ".join(key), *row)
    console.print()
    console.print(cells)
    console.print()
    for name, meaning in {**CHECKS, **_CALLS}.items():
        console.print(f"  {name}: {meaning}", markup=False, soft_wrap=True)
    runs = ", ".join(f"{each['samples']} runs of {each['target']}" for each in targets)
    console.print(f"\n{runs}; rate (95 % Wilson interval), passed/counted", markup=False, soft_wrap=True)


def _table(targets: Any, first: str, made: Any) -> Any:
    table = made(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column(first, no_wrap=True)
    for each in targets:
        models = ", ".join(dict.fromkeys(each["models"].values()))
        table.add_column(f"{each['target']}\n{models}")
    return table


def _key(cell: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return cell["scenario"], cell["dialect"], cell["driver"], "stream" if cell["stream"] else "sync"


def _rate(rate: Mapping[str, Any]) -> str:
    if rate["value"] is None:
        return "-"
    return f"{rate['value']:.0%} ({rate['low']:.0%} to {rate['high']:.0%}) {rate['held']}/{rate['n']}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
