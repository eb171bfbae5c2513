"""The score and the escapes as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from devtools.mutants.score import THRESHOLD, Count, Score


def show(score: Score, console: Console, *, by_operator: bool = True) -> None:
    """Prints the caught mutants by dialect, side and operator, and the escapes."""
    console.print(_counts("Mutants by dialect", {(name,): count for name, count in score.dialects.items()}, "dialect"))
    console.print(_counts("By side", score.sides, "dialect", "side"))
    if by_operator:
        console.print(_counts("By operator", dict(_operators(score)), "operator"))
    if score.escapes:
        console.print(_escapes(score))


def _operators(score: Score) -> Iterator[tuple[tuple[str, ...], Count]]:
    totals: dict[str, Count] = {}
    for (_, operator), count in score.operators.items():
        total = totals.setdefault(operator, Count())
        total.made += count.made
        total.caught += count.caught
        total.equivalent += count.equivalent
        total.foreign += count.foreign
    yield from (((name,), count) for name, count in totals.items())


def _counts(title: str, counts: Mapping[Any, Count], *names: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for name in names:
        table.add_column(name)
    for name in ("mutants", "equivalent", "not judged", "caught", "escaped", "score"):
        table.add_column(name, justify="right")
    for key, count in sorted(counts.items()):
        score = f"{count.score:.1%}" if count.score >= THRESHOLD else f"[red]{count.score:.1%}[/red]"
        numbers = (count.made, count.equivalent, count.foreign, count.caught, count.escaped)
        table.add_row(*key, *map(str, numbers), score)
    return table


def _escapes(score: Score) -> Table:
    table = Table(title="Escapes", title_justify="left", box=None, pad_edge=False)
    for name in ("dialect", "operator", "side", "place"):
        table.add_column(name, overflow="fold")
    table.add_column("escaped", justify="right")
    table.add_column("example", overflow="fold")
    for key, count in sorted(score.escapes.items()):
        sample = score.samples[key]
        table.add_row(*key, f"{count}/{score.kinds[key]}", f"{sample.subject} {sample.place}")
    return table
