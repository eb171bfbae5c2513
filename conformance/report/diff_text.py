"""Text for the terminal: differences by scenario, worst first; noise in one line unless `verbose`."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

import click

from conformance.diff.cassettes import Comparison, explain
from conformance.diff.comparisons import Drift, noise_of, place_of
from conformance.diff.difference import Difference, Grade
from conformance.model.printable import encodable, short, visible
from conformance.report.console import wants_color

Line = Callable[..., None]
_COLORS = {Grade.CHANGE: "red", Grade.REVIEW: "yellow", Grade.NOISE: "blue"}


def write_text(drift: Drift, out: IO[str], *, verbose: bool) -> None:
    """Writes the report; with `verbose`, all noise in full, and the source of each row."""
    color = wants_color(out)

    def line(text: str, grade: Grade | None = None) -> None:
        shown = click.style(text, fg=_COLORS[grade]) if color and grade is not None else text
        out.write(encodable(shown, getattr(out, "encoding", None)) + "\n")

    for dialect, scenario, comparisons in drift.groups():
        listed = [one for one in comparisons if verbose or one.grade is not Grade.NOISE]
        if not listed:
            continue
        line(f"{visible(dialect) or '(no dialect)'} / {visible(scenario) or '(no scenario)'}")
        for one in listed:
            _head(one, line)
            for each in one.differences:
                if each.grade is not Grade.NOISE or verbose:
                    _difference(each, line, verbose=verbose)
            noise = noise_of(one.differences)
            if noise and not verbose:
                line(f"    noise   {noise}")
        line("")
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


def _difference(each: Difference, line: Line, *, verbose: bool) -> None:
    line(f"    {each.grade!s:7} {visible(place_of(each))}", each.grade)
    line(f"            {short(each.message)}")
    if verbose:
        line(f"            {each.row}: statement {each.cite} of docs/contract/diff.md")
