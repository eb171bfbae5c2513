"""Markdown, for a comment or a job summary: a table of the causes, and the details of each."""

from __future__ import annotations

from conformance.judge.summary import Summary
from conformance.report.causes import CauseReport
from conformance.report.console import put
from conformance.report.markdown import page

LARGEST = 65_536
"""The longest comment that GitHub accepts, in characters; counting bytes never exceeds it."""


class MarkdownReport(CauseReport):
    def close(self, summary: Summary) -> None:
        text = page(self._causes, summary, largest=LARGEST)
        put(self._stream, text)
