"""GitLab's Code Quality report: a JSON array with an object for each cause, at its first file and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conformance.judge.summary import Summary
from conformance.model.finding import Severity
from conformance.model.printable import short, visible
from conformance.report.causes import Cause, CauseReport, how_often
from conformance.report.console import put_json
from conformance.report.locating import line_of
from conformance.report.sarif_report import fingerprint
from conformance.report.totals import notices, remarks

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


class GitlabReport(CauseReport):
    def close(self, summary: Summary) -> None:
        causes = [cause for block in self._causes.blocks() for cause in (block.cause, *block.follow)]
        entries = [self._entry(cause) for cause in causes]
        entries += [
            _about_the_run("internal-error", "blocker", f"internal error, no fault of the target: {short(fault)}")
            for fault in summary.harness_errors  # it may hide findings
        ]
        entries += [_about_the_run("not-judged", "info", note) for note in remarks(summary)]
        entries += [_about_the_run("not-judged", "minor", note) for note in notices(summary)]
        nothing = summary.why_nothing()
        if nothing is not None:
            entries.append(_about_the_run("nothing-judged", "blocker", short(str(nothing))))
        put_json(self._stream, entries)

    def _entry(self, cause: Cause) -> dict[str, Any]:
        pieces = [f"{short(cause.message)} ({how_often(cause, self._causes)})"]
        pieces += [f"at {visible(cause.where)}"] if cause.where else []
        pieces += [f"change: {short(cause.fix)}"] if cause.fix else []
        return {
            "description": "; ".join(pieces),
            "check_name": visible(cause.rule),
            "fingerprint": fingerprint(cause),
            "severity": _SEVERITIES[cause.severity],
            "location": {
                "path": visible(_relative(cause.names[0] if cause.names else "")) or "conformance",
                "lines": {"begin": (line_of(cause.first) if cause.file else None) or 1},
            },
        }


def _about_the_run(kind: str, severity: str, text: str) -> dict[str, Any]:
    """An entry that is about no finding."""
    return {
        "description": text,
        "check_name": kind,
        "fingerprint": f"{kind} {text}",
        "severity": severity,
        "location": {"path": "conformance", "lines": {"begin": 1}},
    }


def _relative(file: str) -> str:
    """The path relative to the project, where a job runs."""
    path = Path(file).absolute()
    return path.relative_to(Path.cwd()).as_posix() if file and path.is_relative_to(Path.cwd()) else file
