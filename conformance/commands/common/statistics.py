"""The statistics of samples as text tables, one column for each target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from conformance.campaign.differences import CALLS
from conformance.campaign.statistics import CHECKS, MEANINGS
from conformance.model.printable import count


def print_statistics(statistics: Mapping[str, Any], out: IO[str]) -> None:
    """Prints the rates of all targets, the success rate of each cell, and the meaning of each rate."""
    from rich.table import Table

    from conformance.report.console import console as console_on

    targets = statistics["targets"]
    console = console_on(out)
    table = _table(targets, "measure", Table)
    for name in CHECKS:
        table.add_row(name, *(_rate(each["checks"][name]) for each in targets))
    for name in CALLS:
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
    for pair in statistics["differences"]:
        console.print()
        console.print(_differences(pair, Table))
    console.print()
    for name, meaning in MEANINGS.items():
        console.print(f"  {name}: {meaning}", markup=False, soft_wrap=True)
    runs = ", ".join(f"{each['samples']} runs of {each['target']}" for each in targets)
    console.print(f"\n{runs}; rate (95 % Wilson interval), passed/counted", markup=False, soft_wrap=True)
    if statistics["differences"]:
        console.print("differences in percentage points (95 % Newcombe interval)", markup=False, soft_wrap=True)


def _differences(pair: Mapping[str, Any], made: Any) -> Any:
    table = made(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column(
        f"{pair['first']} minus {pair['second']}, over {count(pair['shared'], pair['over'][:-1])}", no_wrap=True
    )
    table.add_column("difference")
    for name, each in pair["measures"].items():
        if each["value"] is not None:
            value, low, high = (f"{100 * each[key]:+.0f}" for key in ("value", "low", "high"))
            table.add_row(name, f"{value} ({low} to {high})")
    return table


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
