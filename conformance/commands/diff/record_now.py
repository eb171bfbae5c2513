"""`conformance diff --against-target`: records the new side first, as `conformance record` does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from conformance.campaign.targets import known_targets
from conformance.commands.common.groups import CampaignOptions, CellOptions, ReportOptions
from conformance.commands.common.targets import planned_targets
from conformance.commands.diff import Options
from conformance.commands.record import Options as RecordOptions
from conformance.commands.record.run import run as record
from conformance.diff.pairs import Axes, axes_in
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter


def recorded_now(old: Path, folder: Path, target: str, options: Options) -> Filter:
    """Records the cells of the old recordings that the target can run. Returns the filter for these cells.

    Raises:
        ConformanceError: the target can run no cell of the old recordings, or an option is wrong.
    """
    if not old.is_dir():
        raise ConformanceError(
            f"{old}: not a folder of cassettes", "pass the folder that `conformance record` wrote to"
        )
    there = [axes for axes in axes_in(old) if axes.admitted(options.cells.filter)]
    if not there:
        raise ConformanceError(
            f"{old}: contains no cassette that matches the filters",
            "change the filters, or pass a folder of recordings",
        )
    at = CampaignOptions(targets=options.targets, model=options.model, budget=options.budget)
    with ExitStack() as stack:
        playable = {
            (cell.dialect, cell.scenario.id, cell.driver.name, cell.mode)
            for each in planned_targets(stack, [target], _spoken(_of(there, options.cells).filter, target, at), at)
            for cell in each.cells
            if cell.id not in each.skipped
        }
    tried = [axes for axes in there if (axes.dialect, axes.scenario, axes.driver, axes.mode) in playable]
    if not tried:
        raise ConformanceError(
            f"{target} can run none of the cells recorded in {old}", "`conformance list` shows the matrix"
        )
    cells = _of(tried, options.cells)
    report = ReportOptions(output=str(folder / "report.txt"))
    code = record(RecordOptions(cells=cells, cassettes=str(folder), target=target, campaign=at, report=report))
    if code > 1:
        raise ConformanceError(f"recording from {target} failed with exit code {code}", "see the messages above")
    return cells.filter


def _of(axes: Sequence[Axes], cells: CellOptions) -> CellOptions:
    """The choice of cells, restricted to the axes."""
    return replace(
        cells,
        scenarios=tuple(sorted({each.scenario for each in axes})),
        dialects=tuple(sorted({each.dialect for each in axes})),
        drivers=tuple(sorted({each.driver for each in axes})),
    )


def _spoken(wanted: Filter, target: str, options: CampaignOptions) -> Filter:
    """The filter without the dialects that the target does not support; these are not compared."""
    known = known_targets(options.targets)
    if target not in known:
        return wanted  # the code that looks the target up has the hint
    spoken = tuple(dialect for dialect in wanted.dialects if dialect in known[target].models)
    return replace(wanted, dialects=spoken or wanted.dialects)
