"""Sets of recordings: many of each cell on each side, from folders of samples, of nights, or of both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from conformance.cassette.load import Cassette, load_cassette
from conformance.diff.drift.observed import Observed, observe
from conformance.diff.pairs import Axes as Place
from conformance.diff.pairs import Kept, kept_in, placed
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter

Axes = tuple[str, str, str, str]
"""Dialect, scenario, driver and mode."""


@dataclass(slots=True)
class CellSet:
    """The recordings of one cell on both sides, as observations."""

    axes: Axes
    target: str = ""
    old: list[Observed] = field(default_factory=list)
    new: list[Observed] = field(default_factory=list)
    context: dict[str, tuple[set[str], set[str]]] = field(default_factory=dict)
    unanswered: int = 0
    """How many recordings were left out, because the provider was down; no change of its behaviour."""
    several: bool = False
    """Whether other targets have the same cell, so that its name needs the target."""

    def without_outages(self) -> None:
        """Leaves out the recordings in which the provider was down, unless most of the old ones are like that."""
        if 2 * sum(run.down for run in self.old) > len(self.old):
            return
        self.unanswered += sum(run.down for run in (*self.old, *self.new))
        self.old, self.new = ([run for run in side if not run.down] for side in (self.old, self.new))

    @property
    def name(self) -> str:
        dialect, scenario, driver, mode = self.axes
        return " / ".join(filter(None, (self.target if self.several else "", dialect, scenario, driver, mode)))


CONTEXT = ("target", "model", "driver_version", "provenance")


def cells_of_sets(old: Sequence[Path], new: Sequence[Path], wanted: Filter) -> list[CellSet]:
    """The cells of both sides. Recordings of another target belong to the same cell if each side has only one.

    Raises:
        ConformanceError: a path does not exist or cannot be read, or a side has no recording that matches the filters.
    """
    sides = [list(recordings(paths, wanted)) for paths in (old, new)]
    for paths, side in zip((old, new), sides, strict=True):
        if not side:
            names = ", ".join(map(str, paths))
            raise ConformanceError(
                f"{names}: no recording matches the filters", "change the filters, or pass folders of recordings"
            )
    targets = [{kept.target for kept, _ in side} for side in sides]
    one_each = all(len(names) == 1 for names in targets)
    found: dict[tuple[Axes, str], CellSet] = {}
    for number, side in enumerate(sides):
        for kept, place in side:
            axes = (place.dialect, place.scenario, place.driver, place.mode)
            key = axes, "" if one_each else kept.target
            cell = found.setdefault(key, CellSet(axes, kept.target, several=not one_each))
            add(cell, load_cassette(kept.path), new=bool(number))
    for cell in found.values():
        cell.without_outages()
    return [found[key] for key in sorted(found)]


def add(cell: CellSet, cassette: Cassette, *, new: bool) -> None:
    """Adds a recording to one side of its cell."""
    (cell.new if new else cell.old).append(observe(cassette))
    for name in CONTEXT:
        if name in cassette.metadata:
            cell.context.setdefault(name, (set(), set()))[int(new)].add(str(cassette.metadata[name]))


def recordings(paths: Iterable[Path], wanted: Filter) -> Iterator[tuple[Kept, Place]]:
    """The cassettes of some paths, with their places in the matrix.

    Raises:
        ConformanceError: a path does not exist, or a file is not named as a cassette.
    """
    for path in paths:
        if not path.exists():
            raise ConformanceError(f"{path}: no such file or folder", "pass a cassette, or a folder of cassettes")
        if path.is_dir():
            yield from ((kept, kept.axes) for kept in kept_in(path, wanted).values() if kept.axes is not None)
        else:
            kept = placed(path.resolve(), path.resolve().parent)
            if kept.axes is None:
                raise ConformanceError(
                    f"{path}: its path does not name dialect, scenario, target and driver",
                    "pass a cassette as `conformance record` names it, or two files without --new",
                )
            if kept.axes.admitted(wanted):
                yield kept, kept.axes
