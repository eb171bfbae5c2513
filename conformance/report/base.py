"""The interface of every report."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from conformance.judge.summary import Summary
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

    shows_sources: bool
    """Whether it shows the sources of exchanges without findings; otherwise it counts them at most."""

    def judged(self, source: str, case: Case | None = None) -> None:
        """Announces an exchange, or the run of a cell, so that a report can show those without findings."""

    def finding(self, finding: Finding) -> None:
        """Adds one finding. Those of one source are consecutive."""

    def close(self, summary: Summary) -> None:
        """Writes the end of the report. The stream stays open: it belongs to the caller."""
