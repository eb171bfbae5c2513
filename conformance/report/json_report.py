"""JSON, version 1: the contract of `specs/report.schema.json`, written finding by finding."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any

from conformance.judge.exercised import rules_exercised
from conformance.judge.summary import Summary
from conformance.model.finding import Finding
from conformance.model.printable import cut
from conformance.model.version import VERSION
from conformance.report.base import Case
from conformance.report.causes import Cause, Causes
from conformance.report.excerpt import Excerpt

_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonReport:
    """One object on a few lines, each finding on its own. It is ASCII, so it survives every stream and pipe."""

    shows_sources = False

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._empty = True
        self._causes = Causes()
        self.statistics: Mapping[str, Any] | None = None
        """The member `statistics`, for runs with samples."""
        self.more: Mapping[str, Any] = {}
        """Further members: `tools` of `conformance tools`; `sessions`, `client` and `faults` of `conformance serve`."""
        stream.write('{"version": 1, "findings": [')

    def judged(self, source: str, case: Case | None = None) -> None:
        pass

    def finding(self, finding: Finding) -> None:
        self._causes.add(finding)
        record = finding.as_json()
        for name in ("message", "expected", "actual", "fix"):
            record[name] = record[name] and cut(record[name])
        self._stream.write(("\n" if self._empty else ",\n") + _ascii(record))
        self._empty = False

    def close(self, summary: Summary) -> None:
        end = "" if self._empty else "\n"
        causes = ",\n".join(_ascii(_record(cause)) for cause in self._causes.in_order())
        self._stream.write(f'{end}], "causes": [{causes}], "summary": {_ascii(summary.as_json())}')
        if self.statistics is not None:
            self._stream.write(f',\n"statistics": {json.dumps(self.statistics)}')
        exercised = _exercised(summary)
        if exercised:
            self._stream.write(f',\n"exercised": {{{exercised}\n}}')
        self._stream.write(f',\n"conformance_version": {_ascii(VERSION)}')
        for name, value in self.more.items():
            self._stream.write(f",\n{json.dumps(name)}: {_ascii(value)}")
        self._stream.write("}\n")


def _exercised(summary: Summary) -> str:
    """The members of `exercised`: a line for each dialect and side, without rules whose findings were left out."""
    found = []
    for dialect, sides in rules_exercised(summary.exercised).items():
        lines = []
        for side, rules in sides.items():
            reported = {rule: number for rule, number in rules.items() if summary.reports_all(rule)}
            if reported:
                lines.append(f"{_ascii(side)}: {_ascii(reported)}")
        if lines:
            inner = ",\n".join(lines)
            found.append(f"\n{_ascii(dialect)}: {{{inner}}}")
    return ",".join(found)


def _excerpt(excerpt: Excerpt | None) -> dict[str, Any] | None:
    if excerpt is None:
        return None
    marked = [number for number, line in enumerate(excerpt.lines) if line.marked]
    return {
        "side": excerpt.side,
        "head": cut(excerpt.head),
        "lines": [cut(line.text) for line in excerpt.lines],
        "marked": marked,
    }


def _record(cause: Cause) -> dict[str, Any]:
    return {
        "rule": cause.rule,
        "place": cause.place,
        "message": cut(cause.message),
        "count": cause.count,
        "first": cause.number,
        "because": cause.because,
        "excerpt": _excerpt(cause.excerpt),
    }


def _ascii(value: Any) -> str:
    """JSON without DEL and without lone surrogates, which strict parsers refuse."""
    return json.dumps(_plain(value)).replace("\x7f", "\\u007f")


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value
