"""Text for the terminal: the verdict, then the causes, the worst first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

import click

from conformance.judge.run_rules import is_about_model, run_rules
from conformance.judge.summary import Summary
from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, short, visible
from conformance.report.base import Case
from conformance.report.causes import Block, Cause, Causes, sums
from conformance.report.console import put, wants_color
from conformance.report.statements import statement
from conformance.report.text_block import Field, compact, cut, follows, full, heading
from conformance.report.totals import notices, remarks, verdict

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
_SCREENS = 93
"""The lines that all causes may use together: two screens of 50 lines, less the head and the verdict."""
_PLACE = 400
"""The longest place that is shown, in characters: a path that is cut short is of no use."""
_IN_FULL = 3
"""How many of the worst causes are shown in full before any other gets more than one line."""


class TextReport:
    """Causes wait for the end. With `verbose`, each finding is written in full as it comes, infos included."""

    shows_sources = False

    def __init__(
        self, stream: IO[str], *, color: bool | None = None, verbose: bool = False, quiet: bool = False
    ) -> None:
        self._stream = stream
        self._color = wants_color(stream) if color is None else color
        self._verbose = verbose
        self._quiet = quiet
        self._causes = Causes()

    def judged(self, source: str, case: Case | None = None) -> None:
        self._causes.judged(source, case)

    def finding(self, finding: Finding) -> None:
        self._causes.add(finding)
        if self._verbose:
            self._finding(finding)

    def close(self, summary: Summary) -> None:
        for error in summary.harness_errors:
            self._line(f"{self._styled('internal error', 'magenta')}  {short(error)}")
        if not self._quiet:
            self._all_causes()
        for line in () if self._quiet else (*remarks(summary), *notices(summary)):
            self._line(line)
        worst = "red" if summary.errors else "yellow" if summary.warnings else "green"
        doubtful = worst == "green" and (summary.incomplete or summary.why_nothing() is not None)
        self._line(self._styled(visible(verdict(summary)), "yellow" if doubtful else worst))

    def _all_causes(self) -> None:
        blocks = self._causes.blocks()
        shown = [block for block in blocks if self._verbose or block.severity is not Severity.INFO]
        infos = [block.cause for block in blocks if not self._verbose and block.severity is Severity.INFO]
        of_model = [cause for cause in infos if is_about_model(cause.rule)]
        if shown:
            findings = sum(cause.count for block in shown for cause in (block.cause, *block.follow))
            of_wire = "The wire: " if of_model else ""
            self._line(f"{of_wire}{count(findings, 'finding')} from {sums(shown)}")
            self._line("")
        fields: list[Field] | None = []
        for block, fields in _fitted(shown, self._causes, verbose=self._verbose):
            self._block(block, fields)
        if fields is None:
            self._line("")
        if of_model:
            self._of_the_model(of_model)
        left = len(infos) - len(of_model)
        if left:
            number = sum(cause.count for cause in infos) - sum(cause.count for cause in of_model)
            self._line(f"{count(number, 'info')} from {count(left, 'cause')} not shown; use -v to show them")
            self._line("")

    def _of_the_model(self, causes: list[Cause]) -> None:
        """How often each expectation of the model was not met: no fault of the endpoint."""
        findings = sum(cause.count for cause in causes)
        self._line(f"The model: {count(findings, 'finding')} about its answers, which do not decide the exit code")
        self._line("")
        for rule in dict.fromkeys(cause.rule for cause in causes):
            number = sum(cause.count for cause in causes if cause.rule == rule)
            self._line(f"{self._dim(f'{number:>5}')}  {rule:<22}  {run_rules()[rule].requirement}")
        self._line("")

    def _block(self, block: Block, fields: Iterable[Field] | None) -> None:
        number = self._dim(f"{block.number:>3}")
        severity = self._styled(f"{block.severity!s:<7}", _COLORS[block.severity])
        more = f"; follows: {follows(block)}" if fields is None and block.follow else ""
        self._line(f"{number}  {severity}  {self._bold(heading(block, self._causes))}{more}")
        if fields is None:
            return
        self._fields(fields, indent=5)

    def _finding(self, finding: Finding) -> None:
        severity = self._styled(f"{finding.severity!s:<7}", _COLORS[finding.severity])
        self._line(f"{severity}  {self._bold(visible(finding.rule))}  {visible(finding.source)}".rstrip())
        where = f"{finding.place} ({finding.dialect})" if finding.place and finding.dialect else finding.place
        fields = (
            ("rule", statement(finding.rule, finding.dialect)),
            ("at", where),
            ("id", finding.id),
            ("conversation", finding.conversation),
            ("found", finding.message),
            ("occurs", _times(finding)),
            ("expected", finding.expected),
            ("actual", finding.actual),
            ("change", finding.fix),
            ("because", finding.because and f"of the finding of {finding.because} there"),
            ("source", finding.cite),
        )
        self._fields(((name, short(text)) for name, text in fields if text), indent=2, width=1000)

    def _fields(self, fields: Iterable[Field], *, indent: int, width: int = 160) -> None:
        for name, text in fields:
            self._line(f"{' ' * indent}{self._dim(f'{name:<8}')}  {cut(text, _PLACE if name == 'at' else width)}")
        self._line("")

    def _styled(self, text: str, color: str) -> str:
        return click.style(text, fg=color, bold=True) if self._color else text

    def _bold(self, text: str) -> str:
        return click.style(text, bold=True) if self._color else text

    def _dim(self, text: str) -> str:
        return click.style(text, dim=True) if self._color else text

    def _line(self, text: str) -> None:
        put(self._stream, text + "\n")


def _fitted(blocks: list[Block], causes: Causes, *, verbose: bool) -> Iterable[tuple[Block, list[Field] | None]]:
    """Each cause in the length that it gets: the worst in full, the next shorter, the last on one line.

    With `verbose`, every finding was shown in full already.
    """
    if verbose:
        return ((block, None) for block in blocks)
    lengths: list[list[Field] | None] = [None] * len(blocks)
    left = _SCREENS - len(blocks)

    def lengthen(number: int, fields: list[Field]) -> None:
        nonlocal left
        now = lengths[number]
        more = len(fields) + 1 - (0 if now is None else len(now) + 1)
        if more <= left:
            left -= more
            lengths[number] = fields

    for number, block in enumerate(blocks[:_IN_FULL]):
        lengthen(number, list(full(block, causes)))
    for number, block in enumerate(blocks):
        if lengths[number] is None:
            lengthen(number, list(compact(block)))
    for number, block in enumerate(blocks[_IN_FULL:], _IN_FULL):
        if lengths[number] is not None:
            lengthen(number, list(full(block, causes)))
    return zip(blocks, lengths, strict=True)


def _times(finding: Finding) -> str | None:
    """How often it occurs, with the next places of this exchange."""
    if finding.occurrences == 1:
        return None
    also = finding.tally.places[:3]
    where = f": also at {', '.join(also)}{' …' if len(finding.tally.places) > len(also) else ''}" if also else ""
    return f"{finding.occurrences} times{where}"
