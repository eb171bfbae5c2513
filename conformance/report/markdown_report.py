"""Markdown, for a comment or a job summary: a table of the causes, and the details of each."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.summary import Summary
from conformance.model.finding import Severity
from conformance.model.printable import count, visible
from conformance.report.causes import Block, CauseReport, Causes, how_often, sums
from conformance.report.console import put
from conformance.report.diff_markdown import escaped
from conformance.report.excerpt import Excerpt
from conformance.report.text_block import also_in, at, follows, wire
from conformance.report.totals import notices_and_reason, verdict

LARGEST = 65_536
"""The longest comment that GitHub accepts, in characters; counting bytes never exceeds it."""
_MARKS = {Severity.ERROR: "🔴 error", Severity.WARNING: "🟡 warning", Severity.INFO: "🔵 info"}
_ROOM = 300


class MarkdownReport(CauseReport):
    def close(self, summary: Summary) -> None:
        text = page(self._causes, summary, largest=LARGEST)
        put(self._stream, text)


def page(causes: Causes, summary: Summary, *, largest: int | None = None) -> str:
    """The whole report; beyond the limit in bytes, the last causes are only counted."""
    blocks = causes.blocks()
    head = ["## Conformance", "", f"**{escaped(verdict(summary))}**", ""]
    head += [f"- internal error: {escaped(fault)}" for fault in summary.harness_errors]
    head += [f"- {escaped(note)}" for note in notices_and_reason(summary)]
    if blocks:
        head += [f"{escaped(sums(blocks))}, the worst first:", ""]
        head += ["| | | rule | place | how often | what |", "| ---: | --- | --- | --- | --- | --- |"]
    rows = [_row(block, causes) for block in blocks]
    parts = ["\n".join(_part(block, causes)) for block in blocks]
    size = sum(len(line.encode()) + 1 for line in head) + _ROOM
    kept_rows = _fitting(rows, size, largest)
    size += sum(len(row.encode()) + 1 for row in rows[:kept_rows])
    kept_parts = _fitting(parts, size, largest) if kept_rows == len(rows) else 0
    lines = [*head, *rows[:kept_rows], "", *parts[:kept_parts]]
    left = len(blocks) - kept_parts
    if left:
        lines.append(f"… and the details of {count(left, 'more cause')}, left out because of the length limit.")
    return "\n".join(lines).rstrip() + "\n"


def _fitting(pieces: list[str], size: int, largest: int | None) -> int:
    """The number of pieces that still fit after text of this size."""
    if largest is None:
        return len(pieces)
    for number, piece in enumerate(pieces):
        size += len(piece.encode()) + 1
        if size > largest:
            return number
    return len(pieces)


def _row(block: Block, causes: Causes) -> str:
    cause = block.cause
    cells = (cause.rule, cause.where, how_often(cause, causes), cause.message)
    return f"| {block.number} | {_MARKS[block.severity]} | {' | '.join(map(escaped, cells))} |"


def _part(block: Block, causes: Causes) -> Iterator[str]:
    cause = block.cause
    yield f"<details><summary>{block.number}. {escaped(cause.rule)}: {escaped(cause.message)}</summary>"
    yield ""
    facts = (
        ("First at", at(cause)),
        ("Also in", also_in(cause, causes) if cause.files > 1 else None),
        ("Must hold", cause.holds),
        ("Expected", cause.first.expected),
        ("Actual", cause.first.actual),
        ("Change", cause.first.fix),
        ("Follows from it", follows(block) or None),
        ("Source", cause.first.cite),
    )
    yield from (f"- **{name}**: {escaped(text)}" for name, text in facts if text)
    if cause.excerpt is not None:
        yield ""
        yield from fenced(cause.excerpt)
    yield ""
    yield "</details>"
    yield ""


def fenced(excerpt: Excerpt) -> Iterator[str]:
    """An excerpt as a block of code that nothing in it can end."""
    lines = list(wire(excerpt))
    longest = max((len(run) for line in lines for run in _backticks(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return iter([f"{fence}text", *map(visible, lines), fence])


def _backticks(line: str) -> list[str]:
    return "".join(char if char == "`" else " " for char in line).split()
