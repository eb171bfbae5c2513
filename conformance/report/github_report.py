"""GitHub workflow commands: each finding becomes an annotation of the run and, where it has a file, of the file."""

from __future__ import annotations

from typing import IO

from conformance.judge.checker import Summary
from conformance.model.finding import Finding, Severity
from conformance.model.printable import encodable, short, visible
from conformance.report.statements import split_source
from conformance.report.totals import verdict

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


class GithubReport:
    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def judged(self, source: str) -> None:
        pass

    def finding(self, finding: Finding) -> None:
        file, line = split_source(finding.source)
        properties = {"file": visible(file), "line": str(line) if line else "", "title": visible(finding.rule)}
        listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
        self._write(f"::{_COMMANDS[finding.severity]} {listed}::{_data(_message(finding))}")

    def close(self, summary: Summary) -> None:
        self._write(verdict(summary))
        for error in summary.harness_errors:
            self._write(f"::error title=internal error::{_data(short(error))}")

    def _write(self, line: str) -> None:
        self._stream.write(encodable(line, getattr(self._stream, "encoding", None)) + "\n")


def _message(finding: Finding) -> str:
    lines = [short(finding.message)]
    lines += [f"at {visible(finding.place)}"] if finding.place else []
    lines += [f"expected: {short(finding.expected)}"] if finding.expected is not None else []
    lines += [f"actual: {short(finding.actual)}"] if finding.actual is not None else []
    lines += [f"source: {visible(finding.cite)}"] if finding.cite else []
    return "\n".join(lines)


def _data(text: str) -> str:
    """As the runner's own toolkit escapes a message."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """As the runner's own toolkit escapes a property: a message's rules, and the two separators."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
