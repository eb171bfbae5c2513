"""Replaying cells from a folder of cassettes: which cells, and the verdict of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from conformance.cassette.load import load_cassette
from conformance.errors import ConformanceError
from conformance.judge.checker import Checker
from conformance.judge.run_rules import RunFinding
from conformance.matrix.cells import Cell, Filter, all_cells, is_own, playable_cells, why_skipped
from conformance.matrix.consistency import disagreements
from conformance.matrix.recorded import has_list, is_listed
from conformance.matrix.verdict import Verdict
from conformance.model.finding import Hit, Severity


def replay_all(
    cells: Sequence[Cell], folder: Path, *, unused_of: Filter | None = None, beside: Sequence[Cell] = ()
) -> Iterator[Verdict]:
    """The verdict of each cell, then of the differences between cells of one scenario.

    With `unused_of`, also one for each cassette that belongs to no cell of this filter. The cells `beside` have no
    cassette, and are warned of.
    """
    from conformance.matrix.replay import replay

    verdicts: list[Verdict] = []
    for cell in cells:
        path = folder / cell.relative_path
        reason = why_skipped(cell)
        if reason:
            verdict = Verdict(cell, str(path), [], skipped=reason)
        else:
            verdict = replay(cell, path) if path.is_file() else _missing(cell, path)
        verdicts.append(verdict)
        yield verdict
    yield from (_missing(cell, folder / cell.relative_path, Severity.WARNING) for cell in beside)
    yield from disagreements(verdicts)
    if unused_of is not None:
        target = cells[0].target if cells else "reference"
        known = {folder / cell.relative_path for cell in all_cells(unused_of, target) if not cell.not_applicable}
        strange = [path for path in sorted(folder.rglob("*.yaml")) if path not in known and path.is_file()]
        yield from (_orphan(path) for path in strange if not _of_another(path, target))


def cells_of(wanted: Filter, target: str, folder: Path, *, own: bool) -> list[Cell]:
    """The cells to replay: all shipped cells; for a user's folder, the cells in it.

    A user's scenario, or one that is named, must have a cassette there, and so must the cells that `record` has listed
    there. The cells of a scenario that has none are found to be missing: those of the clients and modes that the folder
    has for other scenarios, else all. For other targets, which cells they support is not known offline.
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
    held = [
        cell
        for cell in cells
        if (folder / cell.relative_path).is_file() or (is_listed(cell, folder) and not cell.not_applicable)
    ]
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


def cells_beside(wanted: Filter, cells: Sequence[Cell], folder: Path) -> list[Cell]:
    """The cells without a cassette that others of their scenario have: of the clients and modes that the folder has.

    They may never have been recorded, unless the folder has the list of `record`, which knows.
    """
    if not cells:
        return []
    held = [cell for cell in cells if (folder / cell.relative_path).is_file()]
    scenarios = {(cell.dialect, cell.scenario.id) for cell in held}
    usual = {_client(cell) for cell in held}
    return [
        cell
        for cell in all_cells(wanted, cells[0].target)
        if (cell.dialect, cell.scenario.id) in scenarios
        and _client(cell) in usual
        and cell not in cells
        and not has_list(cell.dialect, folder)
        and why_skipped(cell) is None
    ]


def _client(cell: Cell) -> tuple[str, str, bool]:
    return cell.dialect, cell.driver.name, cell.stream


def _from(target: str) -> str:
    return "" if target == "reference" else f" --target {target}"


def _of_another(path: Path, target: str) -> bool:
    """Whether, by its name and metadata, the cassette was recorded from another target."""
    name, dashes, _ = path.name.partition("--")
    try:
        return bool(dashes) and name != target and load_cassette(path).metadata.get("target") == name
    except ConformanceError:
        return False


def _missing(cell: Cell, path: Path, severity: Severity = Severity.ERROR) -> Verdict:
    fix = "record it with `conformance record`, or select other cells"
    hit = Hit(None, f"no cassette for cell {cell.id!r}", str(path), "no such file", fix=fix, severity=severity)
    finding = RunFinding("cassette-missing", None, hit).finding(dialect=cell.dialect, source=str(path))
    return Verdict(cell, str(path), [finding])


def _orphan(path: Path) -> Verdict:
    """The verdict of a cassette of no cell: as recorded, if it is one of ours without a scenario, as of the proxy."""
    with suppress(ConformanceError):
        cassette = load_cassette(path)
        if cassette.own and "scenario" not in cassette.metadata:
            checker = Checker()
            found = [finding for exchange in cassette.exchanges for finding in checker.feed(exchange)]
            return Verdict(None, str(path), found, len(cassette.exchanges), checker.summary.harness_errors)
    hit = Hit(
        None,
        "this cassette belongs to no cell of the matrix",
        "the path of a cell",
        str(path),
        fix="pass the folder of its scenario with --scenarios, or remove the file",
    )
    return Verdict(None, str(path), [RunFinding("cassette-unused", None, hit).finding(dialect=None, source=str(path))])
