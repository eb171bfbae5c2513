"""GitHub workflow commands: an annotation for each of the worst causes, and a summary of the job.

GitHub shows ten annotations of a step and drops the others without a word, so there are never more. The summary, in
Markdown, has every cause; it is added to the file that the runner names in `GITHUB_STEP_SUMMARY`.
"""

from __future__ import annotations

import os
from pathlib import Path

from conformance.judge.summary import Summary
from conformance.model.finding import Severity
from conformance.model.printable import count, short, visible
from conformance.report.causes import Block, CauseReport, how_often
from conformance.report.console import put
from conformance.report.locating import line_of
from conformance.report.markdown_report import page
from conformance.report.text_block import at, follows
from conformance.report.totals import notices, remarks, verdict

MOST = 10
"""How many annotations GitHub shows for a step."""
LARGEST = 1_000_000
"""The size of a job summary, in bytes; GitHub refuses more than 1 MiB."""
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


class GithubReport(CauseReport):
    def close(self, summary: Summary) -> None:
        blocks = self._causes.blocks()
        faults = summary.harness_errors[: MOST // 2]
        nothing = summary.why_nothing()
        notes = [f"::warning title=not judged::{_data(note)}" for note in notices(summary)]
        notes += [] if nothing is None else [f"::error title=nothing judged::{_data(short(str(nothing)))}"]
        shown = blocks[: MOST - len(faults) - len(notes)]
        for block in shown:
            self._annotation(block)
        for fault in faults:
            self._write(f"::error title=internal error::{_data(short(fault))}")
        for note in notes:
            self._write(note)
        if len(blocks) > len(shown):
            self._write(f"{count(len(blocks) - len(shown), 'more cause')} without an annotation: see the job summary")
        for remark in remarks(summary):
            self._write(remark)
        self._write(verdict(summary))
        self._job_summary(summary)

    def _annotation(self, block: Block) -> None:
        cause = block.cause
        file = cause.file
        line = line_of(cause.first) if file is not None else None
        properties = {
            "file": visible(_relative(file)) if file is not None else "",
            "line": str(line) if line else "",
            "title": visible(cause.rule),
        }
        listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
        lines = [short(cause.message), f"{how_often(cause, self._causes)}; first at {visible(at(cause))}"]
        lines += [f"place: {visible(cause.where)}"] if cause.where else []
        for name, text in (
            ("expected", cause.first.expected),
            ("actual", cause.first.actual),
            ("change", cause.fix),
            ("source", cause.first.cite),
            ("follows from it", follows(block) or None),
        ):
            lines += [f"{name}: {short(text)}"] if text is not None else []
        self._write(f"::{_COMMANDS[block.severity]} {listed}::{_data(chr(10).join(lines))}")

    def _job_summary(self, summary: Summary) -> None:
        name = os.environ.get("GITHUB_STEP_SUMMARY")
        if not name:
            return
        try:
            with Path(name).open("a", encoding="utf-8") as file:
                file.write(page(self._causes, summary, largest=LARGEST))
        except OSError as error:
            self._write(f"::warning title=conformance::the job summary cannot be written: {_data(str(error))}")

    def _write(self, line: str) -> None:
        put(self._stream, line + "\n")


def _relative(file: str) -> str:
    """The path relative to the repository, where a step runs, as GitHub requires."""
    base = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd())
    path = Path(file).absolute()
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else file


def _data(text: str) -> str:
    """As the runner's own toolkit escapes a message."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """As the runner's own toolkit escapes a property: a message's rules, and the two separators."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
