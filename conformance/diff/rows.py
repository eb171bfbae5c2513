"""The rows of the table, from `rows.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conformance.diff.difference import Grade
from conformance.diff.row import Row, Where
from conformance.model.data_files import read_data
from conformance.model.registry import contract_headers

_TABLE = read_data(Path(__file__).with_name("rows.yaml"))


def _row(written: Mapping[str, Any]) -> Row:
    lists = {name: tuple(written[name]) for name in ("at", "how") if isinstance(written.get(name), list)}
    if written.get("at") == "contract headers":
        lists["at"] = tuple(f"/{name}" for name in contract_headers())
    return Row(**{"words": "", **written, **lists, "grade": Grade[written["grade"].upper()]})


FACTS = {name: _row({"id": name, **written}) for name, written in _TABLE["facts"].items()}
PLACES: tuple[Row, ...] = tuple(map(_row, _TABLE["places"]))
"""In order: the first row that fits decides."""


def place_row(where: Where) -> Row:
    """The row that grades a place; the last rows fit everything."""
    return next(row for row in PLACES if row.fits(where))
