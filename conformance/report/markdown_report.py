"""Markdown, for a comment or a job summary: a table of the causes, and the details of each."""

from __future__ import annotations

from typing import IO

from conformance.judge.checker import Summary
from conformance.model.finding import Finding
from conformance.model.printable import encodable
from conformance.report.base import Case
from conformance.report.causes import Causes
from conformance.report.markdown import page

LARGEST = 65_536
"""The longest comment that GitHub accepts, in characters; counting bytes never exceeds it."""


class MarkdownReport:
    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._causes = Causes()

    def judged(self, source: str, case: Case | None = None) -> None:
        self._causes.judged(source, case)

    def finding(self, finding: Finding) -> None:
        self._causes.add(finding)

    def close(self, summary: Summary) -> None:
        text = page(self._causes, summary, largest=LARGEST)
        self._stream.write(encodable(text, getattr(self._stream, "encoding", None)))
