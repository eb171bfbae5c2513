"""GitLab's Code Quality report: a JSON array with an object for each cause, at its first file and line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conformance.judge.checker import Summary
from conformance.model.finding import Severity
from conformance.model.printable import short, visible
from conformance.report.causes import Cause, CauseReport, how_often
from conformance.report.locating import line_of
from conformance.report.sarif_report import fingerprint

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


class GitlabReport(CauseReport):
    def close(self, summary: Summary) -> None:
        causes = [cause for block in self._causes.blocks() for cause in (block.cause, *block.follow)]
        entries = [self._entry(cause) for cause in causes]
        entries += [_fault(fault) for fault in summary.harness_errors]
        json.dump(entries, self._stream, indent=1)
        self._stream.write("\n")

    def _entry(self, cause: Cause) -> dict[str, Any]:
        pieces = [f"{short(cause.message)} ({how_often(cause, self._causes)})"]
        pieces += [f"at {visible(cause.where)}"] if cause.where else []
        pieces += [f"change: {short(cause.fix)}"] if cause.fix else []
        return {
            "description": "; ".join(pieces),
            "check_name": visible(cause.rule),
            "fingerprint": fingerprint(cause.key),
            "severity": _SEVERITIES[cause.severity],
            "location": {
                "path": visible(_relative(cause.names[0] if cause.names else "")) or "conformance",
                "lines": {"begin": (line_of(cause.first) if cause.file else None) or 1},
            },
        }


def _fault(fault: str) -> dict[str, Any]:
    """An internal error is a blocker, because it may hide findings."""
    return {
        "description": f"internal error, not counted against the target: {short(fault)}",
        "check_name": "internal-error",
        "fingerprint": f"internal-error {short(fault)}",
        "severity": "blocker",
        "location": {"path": "conformance", "lines": {"begin": 1}},
    }


def _relative(file: str) -> str:
    """The path relative to the project, where a job runs."""
    path = Path(file).absolute()
    return path.relative_to(Path.cwd()).as_posix() if file and path.is_relative_to(Path.cwd()) else file
