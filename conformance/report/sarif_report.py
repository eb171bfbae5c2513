"""SARIF 2.1.0 (OASIS), for code scanning: a result for each cause, at the file and line of its first finding."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from conformance.judge.summary import Summary
from conformance.model.finding import Severity
from conformance.model.printable import short, visible
from conformance.model.version import VERSION
from conformance.report.causes import Block, Cause, CauseReport, how_often
from conformance.report.console import put_json
from conformance.report.locating import line_of
from conformance.report.text_block import at, follows, wire
from conformance.report.totals import notices, remarks

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


class SarifReport(CauseReport):
    def close(self, summary: Summary) -> None:
        blocks = self._causes.blocks()
        causes = [cause for block in blocks for cause in (block.cause, *block.follow)]
        rules = list(dict.fromkeys(cause.rule for cause in causes))
        faults = [{"level": "error", "message": {"text": short(fault)}} for fault in summary.harness_errors]
        if summary.files.broken:
            faults.append({"level": "error", "message": {"text": short(summary.files.broken)}})
        notes = [{"level": "note", "message": {"text": note}} for note in remarks(summary)]
        notes += [{"level": "warning", "message": {"text": note}} for note in notices(summary)]
        nothing = summary.why_nothing()
        if nothing is not None:
            faults.append({"level": "error", "message": {"text": short(str(nothing))}})
        run = {
            "tool": {
                "driver": {
                    "name": "conformance",
                    "version": VERSION,
                    "rules": [_rule(rule, next(each for each in causes if each.rule == rule)) for rule in rules],
                }
            },
            "invocations": [{"executionSuccessful": not faults, "toolExecutionNotifications": [*faults, *notes]}],
            "results": [
                self._result(block, cause, rules.index(cause.rule))
                for block in blocks
                for cause in (block.cause, *block.follow)
            ],
        }
        put_json(self._stream, {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})

    def _result(self, block: Block, cause: Cause, rule: int) -> dict[str, Any]:
        lines = [short(cause.message), f"{how_often(cause, self._causes)}; first at {visible(at(cause))}"]
        facts = (
            ("Place", cause.where),
            ("Expected", cause.first.expected),
            ("Actual", cause.first.actual),
            ("Change", cause.fix),
            ("Because of", cause.because),
            ("Follows from it", follows(block) if cause is block.cause else None),
            ("Source", cause.first.cite),
        )
        lines += [f"{name}: {short(text)}" for name, text in facts if text]
        return {
            "ruleId": visible(cause.rule),
            "ruleIndex": rule,
            "level": _LEVELS[cause.severity],
            "message": {"text": "\n".join(lines)},
            "locations": [_location(cause)],
            "occurrenceCount": cause.count,
            "partialFingerprints": {"cause/v1": fingerprint(cause)},
        }


def fingerprint(cause: Cause) -> str:
    """The same for the same cause in another run, whatever the values are."""
    parts = (*cause.key, *([] if cause.because is None else [cause.because]))
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "backslashreplace")).hexdigest()


def _rule(rule: str, cause: Cause) -> dict[str, Any]:
    holds = cause.holds or cause.first.message
    return {
        "id": visible(rule),
        "shortDescription": {"text": short(holds)},
        "help": {"text": f"Run `conformance explain {visible(rule)}` for the evidence and an example."},
        "defaultConfiguration": {"level": _LEVELS[cause.severity]},
    }


def _location(cause: Cause) -> dict[str, Any]:
    """The file and the line; without a file (a run that was not saved) the cell by its name."""
    name = visible(" ".join(filter(None, (cause.first.source, cause.first.place)))) or "the run"
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": name}]}
    if cause.file is not None:
        region: dict[str, Any] = {"startLine": line_of(cause.first) or 1}
        if cause.excerpt is not None:
            region["snippet"] = {"text": "\n".join(wire(cause.excerpt))}
        location["physicalLocation"] = {"artifactLocation": {"uri": _uri(cause.file)}, "region": region}
    return location


def _uri(file: str) -> str:
    """A path below the current folder as a relative reference, any other as a `file:` URI."""
    path = Path(file).absolute()
    if path.is_relative_to(Path.cwd()):
        return quote(path.relative_to(Path.cwd()).as_posix())
    return path.as_uri()
