"""Reports of verdicts: the findings of each, as it comes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from conformance.errors import ConformanceError
from conformance.judge.run_rules import is_about_model
from conformance.judge.selection import Selection
from conformance.judge.summary import Summary
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass
from conformance.report import open_report
from conformance.report.base import Case
from conformance.report.guarded import Guarded

if TYPE_CHECKING:
    from conformance.matrix.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Display:
    """How a report is shown: its format, and the options of the command line that go with it."""

    format: str = "text"
    verbose: bool = False
    quiet: bool = False
    cause: int | None = None

    def __post_init__(self) -> None:
        """Refuses options that contradict each other, or have no meaning for the format.

        Raises:
            ConformanceError: they do.
        """
        if self.verbose and self.quiet:
            raise ConformanceError("--verbose and --quiet exclude each other", "pass one of them")
        if self.cause is not None and self.format != "issue":
            raise ConformanceError("--cause works only with --format issue", "add --format issue")

    def opened(self, out: IO[str]) -> Guarded:
        """A report onto the stream."""
        return open_report(self.format, out, verbose=self.verbose, quiet=self.quiet, cause=self.cause)


def report_verdicts(
    results: Iterable[Verdict],
    display: Display,
    out: IO[str],
    *,
    selection: Selection | None = None,
    statistics: Mapping[str, Any] | None = None,
    more: Mapping[str, Any] | None = None,
) -> tuple[list[Verdict], Summary]:
    """Reports the findings of each verdict as it comes, without those that the selection leaves out.

    `statistics`, and `more` members of the JSON report, are added to reports that can contain them.
    """
    selection = selection or Selection()
    report = display.opened(out)
    if hasattr(report.inner, "statistics"):
        report.inner.statistics = statistics
    if more is not None and hasattr(report.inner, "more"):
        report.inner.more = more
    verdicts: list[Verdict] = []
    summary = Summary(selection=selection)
    try:
        for result in results:
            kept = [each for each in result.findings if each.rule.startswith("baseline-") or selection.keeps(each)]
            verdict = replace(result, findings=kept)
            verdicts.append(verdict)
            summary.conversations += verdict.cell is not None and verdict.skipped is verdict.not_offered is None
            summary.exchanges += verdict.exchanges
            summary.judged += verdict.exchanges
            summary.cells += verdict.cell is not None and verdict.exchanges > 0
            if verdict.not_offered is not None and verdict.cell is not None:
                summary.offer_lacks(verdict.not_offered, verdict.cell.id)
            elif not (verdict.exchanges or verdict.findings or verdict.skipped) and verdict.cell is not None:
                why = next((each.message for each in result.findings), "no exchange")
                summary.omit("cell", verdict.cell.id, why)
            summary.harness_errors += verdict.harness_errors
            summary.add_exercised(verdict.exercised)
            report.judged(verdict.source, _case(verdict))
            for finding in verdict.findings:
                report.finding(finding)
                summary.count(finding)
                summary.not_exercised += finding.rule == "exercise-missing"
                summary.model += finding.severity is Severity.INFO and is_about_model(finding.rule)
            verdict.findings[:] = [replace(finding, traffic=None) for finding in verdict.findings]
    finally:
        report.close(summary)
    return verdicts, summary


def _case(verdict: Verdict) -> Case | None:
    cell = verdict.cell
    if cell is None:
        return None
    skipped = verdict.skipped if verdict.not_offered is None else f"not offered: {verdict.not_offered}"
    return Case(cell.id, cell.target, cell.scenario.id, cell.dialect, cell.driver.name, cell.mode, skipped)
