"""`conformance diff --against-target`: records the new side first, as `conformance record` does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from conformance.campaign.targets import known_targets
from conformance.commands import record
from conformance.commands.resolve import aims
from conformance.diff.pairs import axes_in
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter


def recorded_now(
    old: Path,
    folder: Path,
    target: str,
    wanted: Filter,
    *,
    targets: Sequence[str] = (),
    model: Sequence[str] = (),
    budget: str | None = None,
) -> Filter:
    """Records the cells of the old recordings that the target can run. Returns the filter for these cells.

    Raises:
        ConformanceError: the target can run no cell of the old recordings, or an option is wrong.
    """
    if not old.is_dir():
        raise ConformanceError(
            f"{old}: not a folder of cassettes", "pass the folder that `conformance record` wrote to"
        )
    there = [axes for axes in axes_in(old) if axes.admitted(wanted)]
    if not there:
        raise ConformanceError(
            f"{old}: contains no cassette that matches the filters",
            "change the filters, or pass a folder of recordings",
        )
    have = replace(
        wanted,
        scenarios=tuple(sorted({axes.scenario for axes in there})),
        dialects=tuple(sorted({axes.dialect for axes in there})),
        drivers=tuple(sorted({axes.driver for axes in there})),
    )
    with ExitStack() as stack:
        playable = {
            (cell.dialect, cell.scenario.id, cell.driver.name, cell.mode)
            for aim in aims(stack, _spoken(have, target, targets), target=[target], targets=targets, model=model)
            for cell in aim.cells
            if cell.id not in aim.skipped
        }
    tried = [axes for axes in there if (axes.dialect, axes.scenario, axes.driver, axes.mode) in playable]
    if not tried:
        raise ConformanceError(
            f"{target} can run none of the cells recorded in {old}", "`conformance list` shows the matrix"
        )
    chosen = replace(
        wanted,
        scenarios=tuple(sorted({axes.scenario for axes in tried})),
        dialects=tuple(sorted({axes.dialect for axes in tried})),
        drivers=tuple(sorted({axes.driver for axes in tried})),
    )
    code = record.run(
        scenarios=chosen.scenarios,
        dialects=chosen.dialects,
        drivers=chosen.drivers,
        stream=chosen.stream,
        scenario_folders=chosen.folders,
        cassettes=str(folder),
        target=target,
        targets=targets,
        model=model,
        budget=budget,
        output=str(folder / "report.txt"),
    )
    if code > 1:
        raise ConformanceError(f"recording from {target} failed with exit code {code}", "see the messages above")
    return chosen


def _spoken(wanted: Filter, target: str, files: Sequence[str]) -> Filter:
    """The filter without the dialects that the target does not support; these are not compared."""
    known = known_targets(files)
    if target not in known:
        return wanted  # the code that looks the target up has the hint
    spoken = tuple(dialect for dialect in wanted.dialects if dialect in known[target].models)
    return replace(wanted, dialects=spoken or wanted.dialects)
