"""`conformance replay`: replays every cell of the matrix from its cassette, offline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from conformance.cassette.load import load_cassette
from conformance.commands.baseline import refuse_part
from conformance.commands.matrix import print_matrix
from conformance.commands.output import Display, destination, exit_code, report_verdicts, selected, stale_entries
from conformance.commands.progress import counted, suits
from conformance.errors import ConformanceError
from conformance.judge.run_rules import RunFinding
from conformance.matrix.cells import Cell, Filter, all_cells, is_own, playable_cells, why_skipped
from conformance.matrix.consistency import disagreements
from conformance.matrix.stored_targets import stored_target
from conformance.matrix.verdict import Verdict
from conformance.model.data_files import data_dir
from conformance.model.finding import Hit


def run(
    *,
    scenarios: Sequence[str],
    dialects: Sequence[str],
    drivers: Sequence[str],
    stream: bool | None,
    scenario_folders: Sequence[str] = (),
    cassettes: str | None,
    target: str = "reference",
    format_: str,
    output: str | None,
    verbose: bool,
    quiet: bool = False,
    cause: int | None = None,
    **choice: Any,
) -> int:
    """Replays the cells that match the filters, reports the findings, and prints the matrix."""
    wanted = Filter(scenarios, dialects, drivers, stream, scenario_folders)
    folder = Path(cassettes) if cassettes else data_dir("cassettes")
    if not folder.is_dir():
        raise ConformanceError(f"{folder}: folder does not exist", "pass the folder that `conformance record` wrote to")
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**choice)
    target = stored_target(target, folder)
    cells = cells_of(wanted, target, folder, own=cassettes is not None)
    whole = wanted.everything
    results: Iterator[Verdict] = replay_all(cells, folder, unused_of=wanted if whole else None)
    refuse_part(selection, whole=whole)
    results = chain(results, stale_entries(selection, lambda: whole))
    with destination(output, [str(folder)]) as out:
        results = counted(results, len(cells), "cells", bar=suits(format_, out, verbose=verbose))
        verdicts, summary = report_verdicts(results, display, out, selection=selection)
        if format_ == "text":
            print_matrix(verdicts, out, "replayed", display=display)
    return exit_code(summary, strict=selection.strict)


def replay_all(cells: Sequence[Cell], folder: Path, *, unused_of: Filter | None = None) -> Iterator[Verdict]:
    """The verdict of each cell, then of the differences between cells of one scenario.

    With `unused_of`, also one for each cassette that belongs to no cell of this filter.
    """
    from conformance.matrix.replay import replay

    verdicts: list[Verdict] = []
    for cell in cells:
        path = folder / cell.relative_path
        reason = why_skipped(cell)
        if reason:
            verdict = Verdict(cell, str(path), [], skipped=reason)
        else:
            verdict = replay(cell, path) if path.exists() else _missing(cell, path)
        verdicts.append(verdict)
        yield verdict
    yield from disagreements(verdicts)
    if unused_of is not None:
        target = cells[0].target if cells else "reference"
        known = {folder / cell.relative_path for cell in all_cells(unused_of, target) if not cell.not_applicable}
        strange = [path for path in sorted(folder.rglob("*.yaml")) if path not in known]
        yield from (_orphan(path) for path in strange if not _of_another(path, target))


def cells_of(wanted: Filter, target: str, folder: Path, *, own: bool) -> list[Cell]:
    """The cells to replay: all shipped cells; for a user's folder, the cells in it.

    A user's scenario, or one that is named, must have a cassette there. The cells of one that has none are found
    to be missing: those of the clients and modes that the folder has for other scenarios, else all. For other
    targets, which cells they support is not known offline.
    """
    if not own and target == "reference":
        cells = playable_cells(wanted)
        lost = next((cell for cell in cells if is_own(cell.scenario)), None)
        if lost is not None:
            raise ConformanceError(
                f"{lost.scenario.path}: the shipped cassettes have none of this scenario",
                "pass the folder of its cassettes with --cassettes",
            )
        return cells
    cells = all_cells(wanted, target)
    held = [cell for cell in cells if (folder / cell.relative_path).exists()]
    if target == "reference":
        recorded = {cell.scenario.id for cell in held}
        due = {cell.scenario.id for cell in cells if is_own(cell.scenario) or cell.scenario.id in wanted.scenarios}
        usual = {_client(cell) for cell in held}
        held += [cell for cell in cells if cell.scenario.id in due - recorded and (not usual or _client(cell) in usual)]
        cells = held if any(why_skipped(cell) is None for cell in held) else []
    else:
        cells = held
    unused = wanted.everything and any(folder.rglob("*.yaml"))  # each is reported
    if not cells and not unused:
        raise ConformanceError(
            f"{folder}: no cassette of the target {target!r} matches these filters",
            f"record them with `conformance record{_from(target)} --cassettes {folder}`",
        )
    return cells


def _client(cell: Cell) -> tuple[str, str, bool]:
    return cell.dialect, cell.driver.name, cell.stream


def _from(target: str) -> str:
    return "" if target == "reference" else f" --target {target}"


def _of_another(path: Path, target: str) -> bool:
    """Whether the cassette's name and metadata say that it was recorded from another target."""
    name, dashes, _ = path.name.partition("--")
    try:
        return bool(dashes) and name != target and load_cassette(path).metadata.get("target") == name
    except ConformanceError:
        return False


def _missing(cell: Cell, path: Path) -> Verdict:
    hit = Hit(None, f"no cassette for cell {cell.id!r}", str(path), "no such file")
    return Verdict(
        cell, str(path), [RunFinding("cassette-missing", None, hit).finding(dialect=cell.dialect, source=str(path))]
    )


def _orphan(path: Path) -> Verdict:
    hit = Hit(
        None,
        "this cassette belongs to no cell of the matrix",
        "the path of a cell",
        str(path),
        fix="pass the folder of its scenario with --scenarios, or remove the file",
    )
    return Verdict(None, str(path), [RunFinding("cassette-unused", None, hit).finding(dialect=None, source=str(path))])
