"""The matrix of the HTML page: a table for each target, with a link from each failed cell to its causes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, visible
from conformance.report.base import Case
from conformance.report.statements import file_of


@dataclass(slots=True)
class _Cell:
    case: Case
    file: str
    number: int
    errors: int = 0


class Cells:
    """The cells of a run, and how many errors each has. Empty for recordings that belong to no matrix."""

    def __init__(self) -> None:
        self._cells: dict[tuple[str, str], _Cell] = {}
        self._now: _Cell | None = None

    def judged(self, source: str, case: Case | None) -> None:
        """Announces the cell of the next findings."""
        if case is None:
            self._now = None
            return
        self._now = self._cells.setdefault((case.target, case.name), _Cell(case, source, len(self._cells)))

    def finding(self, finding: Finding) -> None:
        """Counts an error of the cell."""
        if self._now is not None and finding.severity is Severity.ERROR and file_of(finding) == self._now.file:
            self._now.errors += 1

    def anchors(self) -> list[dict[str, str]]:
        """The targets of links in failed cells: the page then shows the causes that name the file."""
        return [{"id": _link(each), "file": visible(each.file)} for each in self._cells.values() if each.errors]

    def matrices(self) -> list[dict[str, Any]]:
        """The tables in the form of the page's template."""
        cells = list(self._cells.values())
        return [
            _table(target, [each for each in cells if each.case.target == target])
            for target in dict.fromkeys(each.case.target for each in cells)
        ]


def _table(target: str, cells: list[_Cell]) -> dict[str, Any]:
    dialects = list(dict.fromkeys(each.case.dialect for each in cells))
    by_row: dict[tuple[str, str], list[_Cell]] = {}
    for each in cells:
        by_row.setdefault((each.case.scenario, each.case.dialect), []).append(each)
    return {
        "title": f"Matrix of {visible(target)}",
        "columns": dialects,
        "rows": [
            {
                "name": scenario,
                "cells": [[_mark(each) for each in by_row.get((scenario, dialect), ())] for dialect in dialects],
            }
            for scenario in dict.fromkeys(each.case.scenario for each in cells)
        ],
    }


def _mark(cell: _Cell) -> dict[str, str]:
    name = f"{cell.case.driver}, {cell.case.mode}"
    if cell.case.skipped is not None:
        return {"text": "·", "style": "muted", "title": visible(f"{name}: {cell.case.skipped}"), "link": ""}
    if cell.errors:
        return {"text": "✗", "style": "error", "title": f"{name}: {count(cell.errors, 'error')}", "link": _link(cell)}
    return {"text": "✓", "style": "ok", "title": f"{name}: no error", "link": ""}


def _link(cell: _Cell) -> str:
    return f"cell-{cell.number}"
