"""Shipped cassettes for tests: found, copied, and broken on purpose."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import yaml

from conformance.cassette.format import dump
from conformance.matrix.cells import Cell, all_cells
from conformance.model.data_files import data_dir
from tests.sampling import sample

SHIPPED = data_dir("cassettes")
PLAYED = [each for each in all_cells() if each.not_applicable is None]
"""The cells that have a cassette."""


def some(cells: Iterable[Cell]) -> list[Cell]:
    """Cells that have every driver of every dialect, streamed and not, and every scenario; in a full run all."""
    return sample(
        cells,
        lambda cell: (cell.dialect, cell.driver.name, cell.stream),
        lambda cell: cell.scenario.id,
        risk="a cell that alone is wrong: one scenario with one driver, while both are right in other cells",
    )


CassetteEdit = Callable[[list[dict[str, Any]]], None]
"""Changes the recorded interactions as vcrpy holds them; exchanges are changed by `Edit`."""


def cell(cell_id: str) -> Cell:
    return next(each for each in all_cells() if each.id == cell_id)


def broken(cell: Cell, folder: Path, edit: CassetteEdit) -> Path:
    """A copy of the cell's cassette in the folder, its interactions edited."""
    document = yaml.safe_load((SHIPPED / cell.relative_path).read_text(encoding="utf-8"))
    edit(document["interactions"])
    path = folder / cell.relative_path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dump(document), encoding="utf-8")
    return path


def in_response(number: int, old: str, new: str, *, count: int = 1) -> CassetteEdit:
    """Replaces text in the recorded response of one exchange."""

    def edit(interactions: list[dict[str, Any]]) -> None:
        body = interactions[number]["response"]["body"]
        assert old in body["string"], f"{old!r} is not in the recorded response"
        body["string"] = body["string"].replace(old, new, count)

    return edit


def in_request(number: int, old: str, new: str) -> CassetteEdit:
    """Replaces text in the recorded request of one exchange."""

    def edit(interactions: list[dict[str, Any]]) -> None:
        request = interactions[number]["request"]
        assert old in request["body"], f"{old!r} is not in the recorded request"
        request["body"] = request["body"].replace(old, new, 1)

    return edit
