"""Markdown for a pull request comment: what a reviewer must decide, within GitHub's length limit."""

from __future__ import annotations

import re
from typing import IO

from conformance.diff.cassettes import Comparison, explain
from conformance.diff.comparisons import Drift, noise_of, place_of
from conformance.diff.difference import Difference, Grade
from conformance.model.printable import count, cut, encodable, visible

LIMIT = 65_536
"""The longest comment that GitHub accepts, in characters."""
_ROOM = 500
_MARKS = {Grade.CHANGE: "🔴 change", Grade.REVIEW: "🟡 review", Grade.NOISE: "⚪ noise"}
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$@#]|:(?=//)|(?<=www)\.|^[-+=]|^\d(?=\d*[.)])")
_BREAKS = {"@": "@<!-- -->", "#": "#<!-- -->"}
"""Text that would mention a user or link an issue, even as an entity."""


def escaped(text: str) -> str:
    """The text, escaped so that Markdown shows it literally, also in a table: one line, no links or mentions."""
    return _SPECIAL.sub(lambda found: _BREAKS.get(found[0]) or f"&#{ord(found[0])};", visible(cut(text)))


def write_markdown(drift: Drift, out: IO[str], *, verbose: bool) -> None:
    """Writes the comment, with the number of omitted differences at its end."""
    head = [f"## Wire drift: {escaped(_headline(drift))}", "", escaped(drift.verdict), ""]
    head += [escaped(drift.uncertain), ""] if drift.uncertain else []
    length = sum(len(line) + 1 for line in head)
    blocks = [
        block for _, _, ones in drift.groups() for block in (_section(one, verbose=verbose) for one in ones) if block
    ]
    written = list(head)
    for number, block in enumerate(blocks):
        size = sum(len(line) + 1 for line in block)
        if length + size > LIMIT - _ROOM:
            left = count(len(blocks) - number, "cassette")
            written.append(
                f"… and {left} more, left out because of GitHub's length limit; the JSON report has all of them."
            )
            break
        written += block
        length += size
    text = "\n".join(written).rstrip() + "\n"
    out.write(encodable(text, getattr(out, "encoding", None)))


def _headline(drift: Drift) -> str:
    return {
        None: "identical",
        Grade.NOISE: "noise only",
        Grade.REVIEW: "differences to review",
        Grade.CHANGE: "behaviour changed",
    }[drift.worst]


def _section(one: Comparison, *, verbose: bool) -> list[str]:
    """The lines about one pair of cassettes; none if it has only noise."""
    listed = [each for each in one.differences if verbose or each.grade is not Grade.NOISE]
    if not listed:
        return []
    axes = " / ".join(filter(None, (one.dialect, one.scenario, one.driver, one.mode)))
    lines = [f"### {escaped(axes)}", ""]
    paired = one.old is not None and one.new is not None
    context = [f"{key} {old} → {new}" for key, (old, new) in one.context.items() if paired and old != new]
    lines += [f"- {escaped(sentence)}" for sentence in (*explain(one), *context)]
    lines += ["", "| | what | where |", "| --- | --- | --- |", *map(_row, listed)]
    noise = noise_of(one.differences)
    if noise and not verbose:
        lines += ["", f"<sub>noise: {escaped(noise)}</sub>"]
    return [*lines, ""]


def _row(each: Difference) -> str:
    return f"| {_MARKS[each.grade]} | {escaped(each.message)} | {escaped(place_of(each))} |"
