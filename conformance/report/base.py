"""What every report is to those who write it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from conformance.judge.checker import Summary
from conformance.model.finding import Finding


class Case(NamedTuple):
    """A cell of the matrix. Its name is the same in every run; `skipped` is why it was not run."""

    name: str
    target: str
    scenario: str
    dialect: str
    driver: str
    mode: str
    skipped: str | None = None


class Report(Protocol):
    """A report that is being written. `close` must be called, whatever happens before: it completes the document."""

    def judged(self, source: str, case: Case | None = None) -> None:
        """Says that an exchange, or the run of a cell, comes next; a report may then show what had no finding."""

    def finding(self, finding: Finding) -> None:
        """Takes one finding. Those of one source come one after the other."""

    def close(self, summary: Summary) -> None:
        """Writes what comes last. The stream stays open: it belongs to the caller."""
