"""Text for the terminal: each finding with its rule and place, then a summary."""

from __future__ import annotations

import os
from collections import Counter
from typing import IO

import click

from conformance.judge.checker import Summary
from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, encodable, short, visible
from conformance.report.statements import file_of, statement
from conformance.report.totals import Totals, verdict

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
_TABLE_FROM = 5
"""The least number of findings for a table by rule."""


class TextReport:
    """Findings are written as they come. Of one rule, only the first few in a file are shown in full."""

    def __init__(
        self, stream: IO[str], *, color: bool | None = None, limit: int | None = 3, infos: bool = False
    ) -> None:
        self._stream = stream
        self._color = _wants_color(stream) if color is None else color
        self._limit = limit
        self._infos = infos
        self._file: str | None = None
        self._shown: Counter[str] = Counter()
        self._totals = Totals()

    def judged(self, source: str) -> None:
        pass

    def finding(self, finding: Finding) -> None:
        if finding.severity is Severity.INFO and not self._infos:
            self._totals.add(finding)
            return
        if file_of(finding) != self._file:
            self._end_file()
            self._file = file_of(finding)
        self._totals.add(finding)
        self._shown[finding.rule] += 1
        if self._limit is None or self._shown[finding.rule] <= self._limit:
            self._block(finding)

    def close(self, summary: Summary) -> None:
        self._end_file()
        if self._totals.findings >= _TABLE_FROM:
            self._table()
        for error in summary.harness_errors:
            self._line(f"{self._styled('internal error', 'magenta')}  {short(error)}")
        worst = "red" if summary.errors else "yellow" if summary.warnings else "green"
        nothing = summary.exchanges == summary.unclaimed
        self._line(self._styled(visible(verdict(summary)), "yellow" if nothing and worst == "green" else worst))

    def _block(self, finding: Finding) -> None:
        severity = self._styled(f"{finding.severity!s:<7}", _COLORS[finding.severity])
        rule = click.style(visible(finding.rule), bold=True) if self._color else visible(finding.rule)
        self._line(f"{severity}  {rule}  {visible(finding.source)}".rstrip())
        where = f"{finding.place} ({finding.dialect})" if finding.place and finding.dialect else finding.place
        for name, text in (
            ("rule", statement(finding.rule)),
            ("at", where),
            ("id", finding.id),
            ("conversation", finding.conversation),
            ("found", finding.message),
            ("occurs", _times(finding)),
            ("expected", finding.expected),
            ("actual", finding.actual),
            ("fix", finding.fix),
            ("because", finding.because and f"of the finding of {finding.because} there"),
            ("source", finding.cite),
        ):
            if text:
                self._line(f"  {self._dim(f'{name:<12}')}  {short(text)}")
        self._line("")

    def _end_file(self) -> None:
        """Counts the findings that were not shown in this file."""
        more = [(rule, number - (self._limit or number)) for rule, number in self._shown.items()]
        for rule, number in more:
            if number > 0:
                self._line(f"  … and {count(number, 'more finding')} of {visible(rule)} in {visible(self._file or '')}")
        if any(number > 0 for _, number in more):
            self._line("")
        self._shown.clear()

    def _table(self) -> None:
        totals = self._totals.by_weight()
        width = max(len(visible(total.rule)) for total in totals)
        self._line(self._dim(f"severity  {'rule':<{width}}  number  first in"))
        for total in totals:
            severity = self._styled(f"{total.severity!s:<8}", _COLORS[total.severity])
            self._line(f"{severity}  {visible(total.rule):<{width}}  {total.number:>6}  {visible(total.source)}")
        self._line("")

    def _styled(self, text: str, color: str) -> str:
        return click.style(text, fg=color, bold=True) if self._color else text

    def _dim(self, text: str) -> str:
        return click.style(text, dim=True) if self._color else text

    def _line(self, text: str) -> None:
        self._stream.write(encodable(text, getattr(self._stream, "encoding", None)) + "\n")


def _times(finding: Finding) -> str | None:
    """How often it occurs, with the next places of this exchange."""
    if finding.occurrences == 1:
        return None
    also = finding.tally.places[:3]
    where = f": also at {', '.join(also)}{' …' if len(finding.tally.places) > len(also) else ''}" if also else ""
    return f"{finding.occurrences} times{where}"


def _wants_color(stream: IO[str]) -> bool:
    """Whether the stream is a terminal and NO_COLOR is not set (https://no-color.org)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()
