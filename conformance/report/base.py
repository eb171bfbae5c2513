"""What every report is to those who write it."""

from __future__ import annotations

from typing import Protocol

from conformance.judge.checker import Summary
from conformance.model.finding import Finding


class Report(Protocol):
    """A report that is being written. `close` must be called, whatever happens before: it completes the document."""

    def judged(self, source: str) -> None:
        """Says that an exchange of this source comes next; a report may then show what had no finding."""

    def finding(self, finding: Finding) -> None:
        """Takes one finding. Those of one source come one after the other."""

    def close(self, summary: Summary) -> None:
        """Writes what comes last. The stream stays open: it belongs to the caller."""
