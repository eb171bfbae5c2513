"""Markdown for a pull request comment: what a reviewer must decide, within GitHub's length limit."""

from __future__ import annotations

import re
from typing import IO

from conformance.diff.cassettes import Comparison, explain
from conformance.diff.changes import Change, changes
from conformance.diff.comparisons import Drift, noise_of, place_of
from conformance.diff.difference import Grade
from conformance.model.printable import count, cut, visible
from conformance.report.console import put

LIMIT = 65_536
"""The longest comment that GitHub accepts, in characters."""
_ROOM = 500
_FACTS = 20
MARKS = {Grade.CHANGE: "🔴 change", Grade.REVIEW: "🟡 review", Grade.NOISE: "⚪ noise"}
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$@#]|:(?=//)|(?<=www)\.|^[-+=]|^\d(?=\d*[.)])")
_BREAKS = {"@": "@<!-- -->", "#": "#<!-- -->"}
"""Text that would mention a user or link an issue, even as an entity."""


def escaped(text: str) -> str:
    """The text, escaped so that Markdown shows it literally, also in a table: one line, no links or mentions."""
    return _SPECIAL.sub(lambda found: _BREAKS.get(found[0]) or f"&#{ord(found[0])};", visible(cut(text)))


def write(drift: Drift, out: IO[str], *, verbose: bool) -> None:
    """Writes the comment, with the number of omitted changes at its end; with `verbose`, noise too."""
    lines = [f"## Wire drift: {escaped(_headline(drift))}", "", escaped(drift.verdict), ""]
    lines += [escaped(drift.uncertain), ""] if drift.uncertain else []
    facts = dict.fromkeys(fact for one in drift.comparisons for fact in _facts(one))
    listed = changes(drift.comparisons, noise=True) if verbose else drift.changes
    rows = ["| | what | where |", "| --- | --- | --- |"] if listed else []
    rows += [_row(change, len(drift.comparisons)) for change in listed]
    noise = noise_of([each for one in drift.comparisons for each in one.differences])
    rows += ["", f"<sub>noise: {escaped(noise)}</sub>"] if noise and not verbose else []
    lines += [f"- {escaped(fact)}" for fact in list(facts)[:_FACTS]] + [""]
    length = sum(len(line) + 1 for line in lines)
    for number, row in enumerate(rows):
        length += len(row) + 1
        if length > LIMIT - _ROOM:
            left = count(len(rows) - number, "change")
            lines += [
                "",
                f"… and {left} more, left out because of GitHub's length limit; the JSON report has all of them.",
            ]
            break
        lines.append(row)
    text = "\n".join(lines).rstrip() + "\n"
    put(out, text)


def _headline(drift: Drift) -> str:
    return {
        None: "identical",
        Grade.NOISE: "noise only",
        Grade.REVIEW: "differences to review",
        Grade.CHANGE: "behaviour changed",
    }[drift.worst]


def _facts(one: Comparison) -> list[str]:
    """Whose change it is, and what else the recordings know of themselves that changed."""
    paired = one.old is not None and one.new is not None
    known = ("target", "model", "driver_version")
    context = [f"{key} {old} → {new}" for key, (old, new) in one.context.items() if key in known and old != new]
    return [*explain(one), *(context if paired else ())]


def _row(change: Change, number: int) -> str:
    _, first = change.places[0]
    therefore = f" (therefore: {', '.join(change.therefore)})" if change.therefore else ""
    where = f"{change.cells(number)}; first at {place_of(first)}"
    return f"| {MARKS[change.grade]} | {escaped(change.head.message + therefore)} | {escaped(where)} |"
