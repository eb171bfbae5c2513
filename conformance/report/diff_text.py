"""Text for the terminal: each change once, worst first; with `verbose`, all differences by scenario, noise too."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

import click

from conformance.diff.cassettes import Comparison, explain
from conformance.diff.changes import Change
from conformance.diff.comparisons import Drift, place_of
from conformance.diff.difference import Difference, Grade
from conformance.model.printable import short, visible
from conformance.report.console import put, wants_color

Line = Callable[..., None]
_COLORS = {Grade.CHANGE: "red", Grade.REVIEW: "yellow", Grade.NOISE: "blue"}


def write(drift: Drift, out: IO[str], *, verbose: bool) -> None:
    """Writes the report; with `verbose`, each recording with all its differences and the source of each row."""
    color = wants_color(out)

    def line(text: str, grade: Grade | None = None) -> None:
        shown = click.style(text, fg=_COLORS[grade]) if color and grade is not None else text
        put(out, shown + "\n")

    for dialect, scenario, comparisons in drift.groups() if verbose else ():
        line(f"{visible(dialect) or '(no dialect)'} / {visible(scenario) or '(no scenario)'}")
        for one in comparisons:
            _head(one, line)
            for each in one.differences:
                _difference(each, line)
        line("")
    for change in drift.changes:
        _change(change, len(drift.comparisons), line)
    for sentence in dict.fromkeys(sentence for one in drift.comparisons for sentence in explain(one)):
        line(visible(sentence))
    quiet = sum(one.grade is Grade.NOISE for one in drift.comparisons)
    if quiet and not verbose:
        line(f"{quiet} of {len(drift.comparisons)} cassettes differ only in noise; use -v to show it")
    line(visible(drift.verdict), drift.worst)
    if drift.uncertain:
        line(drift.uncertain)


def _head(one: Comparison, line: Line) -> None:
    line("  " + ", ".join(filter(None, (visible(one.driver) or "(no driver)", one.mode))))
    for name, path, side in (("old", one.old, 0), ("new", one.new, 1)):
        if path is not None:
            known = ("target", "model", "driver_version", "recorded_at")
            facts = [str(one.context[key][side]) for key in known if key in one.context]
            line(visible(f"    {name}     {path}" + (f" ({', '.join(facts)})" if facts else "")))
    for sentence in explain(one):
        line(f"    {visible(sentence)}")


def _change(change: Change, number: int, line: Line) -> None:
    line(f"{change.grade!s:7} {short(change.head.message)}", change.grade)
    line(f"        {visible(change.side)}: {visible(change.cells(number))}")
    if change.therefore:
        line(f"        therefore: {visible(', '.join(change.therefore))}")
    one, first = change.places[0]
    alone = one.old is None or one.new is None
    also = f" in {visible(one.name)}" if len(change.comparisons) > 1 else ""
    line(f"        first at {visible(one.old or one.new or '') if alone else visible(place_of(first)) + also}")


def _difference(each: Difference, line: Line) -> None:
    line(f"    {each.grade!s:7} {visible(place_of(each))}", each.grade)
    line(f"            {short(each.message)}")
    line(f"            {each.row}: statement {each.cite} of docs/contract/diff.md")
