"""Reports: findings, written as they come, in one of several formats."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from io import StringIO
from typing import IO, TYPE_CHECKING, Any

from conformance.errors import ConformanceError
from conformance.report.guarded import Guarded

if TYPE_CHECKING:
    from conformance.judge.checker import Summary
    from conformance.model.finding import Finding
    from conformance.report.base import Report

__all__ = ["FORMATS", "open_report", "render"]

FORMATS = ("text", "json", "junit", "github", "html")


def open_report(
    format: str,  # noqa: A002 - the option's own word
    stream: IO[str],
    *,
    color: bool | None = None,
    limit: int | None = 3,
    infos: bool = False,
) -> Guarded:
    """A report of the format onto the stream; it shows no secrets.

    `color` is for text: None decides by the terminal and NO_COLOR. `limit` is for text, too: how many findings
    of one rule are shown in full for each file, None for all of them. `infos` shows findings of severity info in
    full as well; without it text only counts them. Every other format always has everything.

    Raises:
        ConformanceError: there is no such format.
    """
    if format not in FORMATS:
        raise ConformanceError(f"unknown report format {format!r}", f"choose one of {', '.join(FORMATS)}")
    module: Any = import_module(f"{__name__}.{format}_report")
    if format == "text":
        report: Report = module.TextReport(stream, color=color, limit=limit, infos=infos)
    else:
        report = getattr(module, f"{format.capitalize()}Report")(stream)
    return Guarded(report)


def render(
    findings: Iterable[Finding],
    format: str = "text",  # noqa: A002 - the option's own word
    *,
    summary: Summary | None = None,
) -> str:
    """A report of the findings as `conformance check` prints it, in any of its formats, without secrets.

    `summary` is that of the `Checker` which found them. Without it, only exchanges with findings are
    counted.

    Raises:
        ConformanceError: there is no such format.
    """
    found = list(findings)
    out = StringIO()
    report = open_report(format, out, color=False, limit=None, infos=True)
    total = summary or _summary(found)
    for source in dict.fromkeys(finding.source for finding in found):
        report.judged(source)
    for finding in found:
        report.finding(finding)
    report.close(total)
    return "no findings\n" if format == "text" and not found and summary is None else out.getvalue()


def _summary(findings: list[Finding]) -> Summary:
    from conformance.judge.checker import Summary

    summary = Summary(
        exchanges=len({(each.source, each.conversation, each.exchange) for each in findings}),
        conversations=len({(each.source, each.conversation) for each in findings}),
    )
    for each in findings:
        summary.count(each)
    return summary
