"""The lists that `record` keeps beside its cassettes: one that was deleted is missed, not forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from conformance.cassette.persist import write_atomically
from conformance.matrix.cells import Cell

LIST = "recorded.txt"
"""The name of a list, in the folder of each dialect: the path of a cassette below that folder on each line."""


def is_listed(cell: Cell, folder: Path) -> bool:
    """Whether the folder should have the cassette of this cell."""
    return _line(cell) in _lines(folder / cell.dialect / LIST)


def has_list(dialect: str, folder: Path) -> bool:
    """Whether the folder knows which cassettes of a dialect it should have."""
    return (folder / dialect / LIST).is_file()


def add_to_lists(folder: Path, cells: Iterable[Cell]) -> None:
    """Adds the cassettes of these cells.

    Raises:
        ConformanceError: a list cannot be written.
    """
    of_dialects: dict[str, set[str]] = {}
    for cell in cells:
        of_dialects.setdefault(cell.dialect, set()).add(_line(cell))
    for dialect, lines in of_dialects.items():
        path = folder / dialect / LIST
        before = _lines(path)
        if not lines <= before:
            write_atomically(path, "".join(f"{each}\n" for each in sorted(lines | before)))


def _line(cell: Cell) -> str:
    return cell.relative_path.relative_to(cell.dialect).as_posix()


def _lines(path: Path) -> set[str]:
    if not path.is_file():
        return set()
    return set(path.read_text(encoding="utf-8", errors="replace").split("\n")) - {""}
