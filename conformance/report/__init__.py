"""Reports: findings, written as they come, in one of several formats."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from io import StringIO
from typing import IO, TYPE_CHECKING, Any

from conformance.errors import ConformanceError

if TYPE_CHECKING:
    from conformance.judge.summary import Summary
    from conformance.model.finding import Finding
    from conformance.report.base import Report
    from conformance.report.guarded import Guarded

__all__ = ["FORMATS", "open_report", "render"]

FORMATS = ("text", "json", "junit", "github", "gitlab", "html", "markdown", "sarif", "issue")


def open_report(
    format: str,  # noqa: A002 - the option's own word
    stream: IO[str],
    *,
    color: bool | None = None,
    verbose: bool = False,
    quiet: bool = False,
    cause: int | None = None,
) -> Guarded:
    """A report of the format onto the stream; it shows no secrets.

    `color`, `verbose` and `quiet` are for text: `color` None decides by the terminal and NO_COLOR, `verbose` shows
    every finding as it comes, `quiet` only the verdict. `cause` is for an issue: the number of the cause, from 1.

    Raises:
        ConformanceError: there is no such format.
    """
    if format not in FORMATS:
        raise ConformanceError(f"unknown report format {format!r}", f"choose one of {', '.join(FORMATS)}")
    from conformance.report.guarded import Guarded

    module: Any = import_module(f"{__name__}.{format}_report")
    if format == "text":
        report: Report = module.TextReport(stream, color=color, verbose=verbose, quiet=quiet)
    elif format == "issue":
        report = module.IssueReport(stream, cause=cause or 1)
    else:
        report = getattr(module, f"{format.capitalize()}Report")(stream)
    return Guarded(report)


def render(
    findings: Iterable[Finding],
    format: str = "text",  # noqa: A002 - the option's own word
    *,
    summary: Summary | None = None,
) -> str:
    """A report of the findings as `conformance check -v` prints it, in any of its formats, without secrets.

    `summary` is that of the `Checker` which found them. Without it, only exchanges with findings are
    counted.

    Raises:
        ConformanceError: there is no such format.
    """
    found = list(findings)
    out = StringIO()
    report = open_report(format, out, color=False, verbose=True)
    total = summary or _summary(found)
    for source in dict.fromkeys(finding.source for finding in found):
        report.judged(source)
    for finding in found:
        report.finding(finding)
    report.close(total)
    return "no findings\n" if format == "text" and not found and summary is None else out.getvalue()


def _summary(findings: list[Finding]) -> Summary:
    from conformance.judge.summary import Summary

    summary = Summary(
        exchanges=len({(each.source, each.conversation, each.exchange) for each in findings}),
        conversations=len({(each.source, each.conversation) for each in findings}),
    )
    summary.judged = summary.exchanges
    for each in findings:
        summary.count(each)
    return summary
