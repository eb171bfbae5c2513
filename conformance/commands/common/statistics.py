"""The statistics of samples as text tables, one column for each target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import IO, Any

from conformance.campaign.differences import CALLS, rates_of
from conformance.campaign.statistics import CHECKS, MEANINGS
from conformance.model.printable import count
from conformance.report.html_statistics import key_of, rate_text


def print_statistics(statistics: Mapping[str, Any], out: IO[str]) -> None:
    """Prints the rates of all targets, the success rate of each cell, and the meaning of each rate."""
    from rich.table import Table

    from conformance.report.console import console as console_on

    targets = statistics["targets"]
    heads = [f"{each['target']}\n{', '.join(dict.fromkeys(each['models'].values()))}" for each in targets]
    console = console_on(out)
    table = _table(["measure", *heads], Table)
    for name in (*CHECKS, *CALLS):
        table.add_row(name, *(rate_text(rates_of(each)[name], "-") for each in targets))
    table.add_row("F1", *(_share(each["tool_calls"]["f1"]) for each in targets))
    table.add_row("all rules pass in every run", *("yes" if each["all_rules_kept"] else "no" for each in targets))
    console.print()
    console.print(table)
    cells = _table(["success by cell", *heads], Table)
    for key in dict.fromkeys(key_of(cell) for each in targets for cell in each["cells"]):
        row = []
        for each in targets:
            found = next((cell for cell in each["cells"] if key_of(cell) == key), None)
            row.append(rate_text(found["checks"]["success"], "-") if found else "")
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
    over = count(pair["shared"], pair["over"][:-1])
    table = _table([f"{pair['first']} minus {pair['second']}, over {over}", "difference"], made)
    for name, each in pair["measures"].items():
        if each["value"] is not None:
            value, low, high = (f"{100 * each[key]:+.0f}" for key in ("value", "low", "high"))
            table.add_row(name, f"{value} ({low} to {high})")
    return table


def _table(heads: Sequence[str], made: Any) -> Any:
    table = made(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for number, head in enumerate(heads):
        table.add_column(head, no_wrap=number == 0)
    return table


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
