"""What the sessions of `serve` come to, so far or at the end, and the report of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import IO

import click

from conformance.commands.common.baseline import write_baseline
from conformance.commands.common.output import destination, report_faults
from conformance.commands.serve.faults import Row, rows_as_json, table
from conformance.judge.selection import Selection
from conformance.judge.summary import Summary
from conformance.reference.sessions import Sessions
from conformance.report.json_report import JsonReport
from conformance.report.sessions import ClientRun, Record, Verdict, conclude, lines
from conformance.report.verdicts import Display


@dataclass(frozen=True)
class Outcome:
    """`faults` are the server's own. `rows` are the runs under each behaviour, None if these were not asked for."""

    sessions: Sessions
    selection: Selection
    faults: Sequence[str]
    client: ClientRun | None = None
    rows: Sequence[Row] | None = None

    @cached_property
    def _concluded(self) -> tuple[list[Record], Verdict]:
        kept = self.selection
        return conclude(self.sessions.all, kept.keeps, self.client, strict=kept.strict)

    @property
    def records(self) -> list[Record]:
        """The sessions as the reports have them."""
        return self._concluded[0]

    @property
    def notes(self) -> list[str]:
        """What is worth knowing, but no reason to fail."""
        return self._concluded[1].notes

    @property
    def wrong(self) -> list[str]:
        """The reasons for which it fails; a run under a behaviour fails if it went wrong silently."""
        silent = [each for each in self.rows or () if each.verdict == "silently wrong"]
        return [
            *self._concluded[1].wrong,
            *(f"silently wrong under {each.behaviour}: {each.detail}" for each in silent),
        ]

    def write(self, out: IO[str], display: Display) -> None:
        """Writes the findings of all sessions in a format."""
        report = display.opened(out)
        if isinstance(report.inner, JsonReport):
            report.inner.more = self._members()
        summary = self._summary()
        for session in self.sessions.all:
            report.judged(f"session {session.name}")
            for finding in filter(self.selection.keeps, session.all_findings):
                report.finding(finding)
        report.close(summary)

    def _summary(self) -> Summary:
        summary = self.sessions.summary(self.selection.keeps)
        summary.selection = self.selection
        summary.harness_errors += self.faults
        return summary

    def report(self, display: Display, output: str | None) -> int:
        """Writes the report of everything; returns the exit code."""
        text, summary = display.format == "text", self._summary()
        nothing = None if summary.errors else summary.why_nothing()
        wrong = self.wrong or ([] if nothing is None else [str(nothing)])
        with destination(output) as out:
            if text and not display.quiet:
                out.writelines(f"{line}\n" for line in (*self._lines(), ""))
            self.write(out, display)
            if text:
                out.writelines(f"{line}\n" for line in self.notes)
                out.writelines(f"failed: {line}\n" for line in wrong)
                out.write("" if wrong else "the client passes\n")
        for line in () if text else wrong:
            click.echo(f"conformance: {line}", err=True)
        write_baseline(self.selection)
        if report_faults(summary.harness_errors):
            return 3
        if nothing is not None and (wrong == [str(nothing)] or not any(each["requests"] for each in self.records)):
            return nothing.exit_code
        return 1 if wrong else 0

    def _members(self) -> Record:
        """Further members of the JSON report."""
        found: Record = {"sessions": self.records}
        if self.client is not None:
            found["client"] = self.client.as_json()
        if self.rows is not None:
            found["faults"] = rows_as_json(self.rows)
        return found

    def _lines(self) -> Iterator[str]:
        """The beginning of the text report."""
        yield from lines(self.records)
        if self.rows:
            yield from ("", *table(self.rows))
