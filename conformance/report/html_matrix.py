"""The matrix of the HTML page: a table for each target, with a link from each failed cell to its findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, visible
from conformance.report.base import Case
from conformance.report.statements import file_of

_LISTED = 500
"""How many cells list their causes; the marks of further ones link to the worst cause."""
_CAUSES = 6
"""How many causes a cell lists."""


@dataclass(slots=True)
class _Cell:
    case: Case
    number: int
    errors: int = 0
    findings: int = 0
    causes: dict[int, None] = field(default_factory=dict)


class Cells:
    """The cells of a run, and the causes that each shows. Empty for recordings that belong to no matrix."""

    def __init__(self) -> None:
        self._cells: dict[tuple[str, str], _Cell] = {}
        self._now: _Cell | None = None
        self._file = ""

    def judged(self, source: str, case: Case | None) -> None:
        """Announces the cell of the next findings: one of its runs, if there are samples."""
        self._now, self._file = None, source
        if case is not None:
            self._now = self._cells.setdefault((case.target, case.name), _Cell(case, len(self._cells)))

    def finding(self, finding: Finding, cause: int) -> None:
        """Counts a finding of the cell. `cause` is the number that `blocks` maps to that of the page."""
        if self._now is not None and file_of(finding) == self._file:
            self._now.errors += finding.severity is Severity.ERROR
            self._now.findings += 1
            self._now.causes.setdefault(cause)

    def __len__(self) -> int:
        return len(self._cells)

    def with_findings(self, blocks: Mapping[int, int]) -> list[dict[str, Any]]:
        """Each cell with findings, with the numbers of its causes on the page, the worst first."""
        found = []
        for each in [cell for cell in self._cells.values() if cell.causes][:_LISTED]:
            numbers = _numbers(each, blocks)
            name = f"{each.case.target} {each.case.scenario} {each.case.dialect} {each.case.driver} {each.case.mode}"
            more = max(0, len(numbers) - _CAUSES)
            found.append({"id": _id(each), "name": visible(name), "causes": numbers[:_CAUSES], "more": more})
        return found

    def matrices(self, blocks: Mapping[int, int]) -> list[dict[str, Any]]:
        """The tables in the form of the page's template."""
        cells = list(self._cells.values())
        listed = {each.number for each in [cell for cell in cells if cell.causes][:_LISTED]}

        def link(cell: _Cell) -> str:
            numbers = _numbers(cell, blocks)
            return "" if not numbers else _id(cell) if cell.number in listed else f"cause-{numbers[0]}"

        return [
            {
                "title": f"Matrix of {visible(target)}",
                **table(
                    (each.case.scenario, each.case.dialect, _mark(each, link(each)))
                    for each in cells
                    if each.case.target == target
                ),
            }
            for target in dict.fromkeys(each.case.target for each in cells)
        ]


def table(marks: Any) -> dict[str, Any]:
    """The columns and rows of the page's template, from marks with the row and the column of each."""
    placed: dict[tuple[str, str], list[Mapping[str, str]]] = {}
    for row, column, mark in marks:
        placed.setdefault((row, column), []).append(mark)
    columns = list(dict.fromkeys(column for _, column in placed))
    return {
        "columns": list(map(visible, columns)),
        "rows": [
            {"name": visible(row), "cells": [placed.get((row, column), ()) for column in columns]}
            for row in dict.fromkeys(row for row, _ in placed)
        ],
    }


def _numbers(cell: _Cell, blocks: Mapping[int, int]) -> Sequence[int]:
    return sorted({blocks[each] for each in cell.causes if each in blocks})


def _mark(cell: _Cell, link: str) -> dict[str, str]:
    name = f"{cell.case.driver}, {cell.case.mode}"
    if cell.case.skipped is not None:
        return {"text": "·", "style": "muted", "title": visible(f"{name}: {cell.case.skipped}"), "link": ""}
    if cell.errors:
        return {"text": "✗", "style": "error", "title": visible(f"{name}: {count(cell.errors, 'error')}"), "link": link}
    found = count(cell.findings, "finding") + " without an error" if cell.findings else "no error"
    return {"text": "✓", "style": "ok", "title": visible(f"{name}: {found}"), "link": link}


def _id(cell: _Cell) -> str:
    return f"cell-{cell.number}"
