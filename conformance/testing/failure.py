"""The text of a failed test: each finding as an assertion, with what to change and the command that reproduces it."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from conformance.cassette.saving import credentials
from conformance.judge.summary import Summary
from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, short, visible
from conformance.report.base import Case
from conformance.report.guarded import Guarded
from conformance.report.statements import statement
from conformance.testing.outcome import Outcome

_SHOWN = 5


class NonConformingError(AssertionError):
    """The traffic breaks a rule; the text has the findings."""


def failure_text(outcome: Outcome, where: str, again: Callable[[Finding], str]) -> str:
    """The failing findings, without secrets; `again` returns the command that reports a finding again."""
    report = _Text()
    guarded = Guarded(report, credentials(outcome.sent))
    failing = outcome.failing
    for finding in failing[:_SHOWN]:
        report.again = again(finding)
        guarded.finding(finding)
    withheld = Summary()
    guarded.close(withheld)
    errors = sum(each.severity is Severity.ERROR for each in failing)
    warnings = len(failing) - errors
    counts = [count(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
    lines = [f"conformance: {' and '.join(counts)} in {visible(where)}", *report.blocks, *withheld.harness_errors]
    if len(failing) > _SHOWN:
        lines += ["", f"… and {count(len(failing) - _SHOWN, 'more finding')}"]
    return "\n".join(lines)


def check_command(finding: Finding, path: str, dialect: str | None) -> str:
    """The `conformance check` command that reports the finding from a file."""
    words = ["conformance", "check", path, "--select", finding.rule]
    return shlex.join([*words, "--dialect", dialect] if dialect else words)


class _Text:
    """A report of findings as blocks of text."""

    shows_sources = False

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.again = ""

    def judged(self, source: str, case: Case | None = None) -> None:
        """Does nothing: only findings are shown."""

    def finding(self, finding: Finding) -> None:
        """Adds the block of one finding."""
        where = f"{finding.place} ({finding.dialect})" if finding.place and finding.dialect else finding.place
        rows = (
            ("rule", statement(finding.rule, finding.dialect)),
            ("at", where),
            ("found", finding.message),
            ("expected", finding.expected),
            ("actual", finding.actual),
            ("change", finding.fix or f"see `conformance explain {finding.rule}`"),
            ("source", finding.cite),
        )
        lines = ["", f"{finding.severity!s:<8} {visible(finding.rule)}  {visible(finding.source)}".rstrip()]
        lines += [f"  {name:<9} {short(text)}" for name, text in rows if text]
        self.blocks += [*lines, f"  {'again':<9} {visible(self.again)}"]

    def close(self, summary: Summary) -> None:
        """Does nothing: the report has no end."""
