"""The rows of a result in Arrow: findings, what was not judged, and counts; one schema for all of them.

| kind | has |
| --- | --- |
| `finding` | the fields of the JSON report, and day, provider, model and client of its exchange |
| `not_judged` | the reason in `message`, and the place in `source` |
| `seen` | by day, dialect, provider, model and client: how many exchanges (`count`) of how many conversations |
| `count` | a number of the summary: its name in `rule`, its key in `message` |
| `read` | a file or several that belong together: how many exchanges, or why they were not read |
| `file`, `exchange` | the first exchange of a file, and, where the report lists them, each exchange |

`file` and `number` are the place in the inputs, `position` counts the findings of one exchange.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from conformance.inputs.extra import needed
from conformance.judge.exercised import ExchangeShape
from conformance.judge.summary import Summary
from conformance.model.finding import Finding, Severity

pa = needed("pyarrow", "judging in Arrow", "arrow")
needed("pyarrow.compute", "judging in Arrow", "arrow")  # `pa.compute`

_TEXTS = (
    *("kind", "rule", "severity", "dialect", "source", "id", "conversation", "side", "pointer", "message"),
    *("expected", "actual", "cite", "fix", "because", "run", "day", "provider", "model", "client"),
)
_NUMBERS = ("file", "number", "position", "exchange", "occurrences", "count", "conversations")
FINDINGS = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in _TEXTS),
        *(pa.field(name, pa.int64()) for name in _NUMBERS),
        pa.field("also", pa.list_(pa.string())),
    ]
)
Row = dict[str, Any]
_OF_FINDING = tuple(Finding("", Severity.INFO, "").as_json())
"""The fields that a row has of a finding."""
_COUNTS = ("exchanges", "conversations", "not_exercised", "unclaimed", "judged")


def table_of(rows: Iterable[Row]) -> Any:
    """The rows as an Arrow table."""
    return pa.Table.from_pylist([{name: _text(value) for name, value in row.items()} for row in rows], FINDINGS)


def _text(value: Any) -> Any:
    """Text that Arrow can keep, without lone surrogates; any other value as it is."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) and not value.isascii() else value


def finding_row(finding: Finding, **place: Any) -> Row:
    """The row of a finding."""
    return {"kind": "finding", **finding.as_json(), **place}


def finding_of(row: Mapping[str, Any]) -> Finding:
    """The finding of a row."""
    return Finding.from_json({name: row[name] for name in _OF_FINDING})


class Tally:
    """The counts of many summaries, each with the place where it occurred first, so that their order is kept."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[Any]] = {}

    def add(self, summary: Summary, place: tuple[int, int]) -> None:
        """Adds the counts of one exchange."""
        for name in _COUNTS:
            self._add(name, "", getattr(summary, name), place)
        for lack, number in summary.not_recorded.items():
            self._add("not_recorded", lack, number, place)
        for reason, number in summary.not_exercised_because.items():
            self._add("not_exercised_because", reason, number, place)
        for omission, number in summary.omitted.items():
            self._add("omitted", json.dumps(omission), number, place)
        for shape, number in summary.exercised.items():
            self._add("exercised", json.dumps(shape), number, place)
        for error in summary.harness_errors:
            self._add("harness_errors", error, 1, place)
        self._add("nearest", summary.nearest, bool(summary.nearest), place)

    def _add(self, name: str, key: str, number: int, place: tuple[int, int]) -> None:
        if number:
            entry = self._found.setdefault((name, key), [place, 0])
            entry[0], entry[1] = min(entry[0], place), entry[1] + number

    def rows(self) -> list[Row]:
        """The counts as rows."""
        return [
            {"kind": "count", "rule": name, "message": key, "count": number, "file": place[0], "number": place[1]}
            for (name, key), (place, number) in self._found.items()
        ]


def add_count(summary: Summary, name: str, key: str, number: int) -> None:
    """Adds a count to a summary; those of a table in the order in which they occurred."""
    if name in _COUNTS:
        setattr(summary, name, getattr(summary, name) + number)
    elif name == "omitted":
        kind, source, reason = json.loads(key)
        summary.omit(kind, source, reason, number)
    elif name == "exercised":
        summary.add_exercised({ExchangeShape.from_json(json.loads(key)): number})
    elif name == "harness_errors":
        summary.harness_errors += [key] * number
    elif name == "nearest":
        summary.nearest = summary.nearest or key
    else:
        counts = getattr(summary, name)
        counts[key] = counts.get(key, 0) + number
