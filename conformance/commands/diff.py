"""`conformance diff`: compares two recordings; grades each difference as noise, review or change."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.commands.output import destination, tell_faults
from conformance.commands.progress import counted
from conformance.diff.difference import Grade
from conformance.diff.drift import Drift
from conformance.diff.pairs import comparisons, recordings_in
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter, all_cells
from conformance.report.diff_report import write


def run(
    *,
    paths: Sequence[str],
    new_sets: Sequence[str] = (),
    confidence: float | None = None,
    against_target: str | None,
    scenarios: Sequence[str],
    dialects: Sequence[str],
    drivers: Sequence[str],
    stream: bool | None,
    scenario_folders: Sequence[str] = (),
    format_: str,
    output: str | None,
    verbose: bool,
    strict: bool,
    **recording: Any,
) -> int:
    """Compares two recordings, or with `new_sets` two sets of them. Returns 1 if something changed.

    With `against_target`, records the new one first. With `strict`, a difference to review counts as a change.
    """
    wanted = Filter(scenarios, dialects, drivers, stream, scenario_folders)
    unused = next((name for name, value in recording.items() if value), None)
    if unused is not None and against_target is None:
        raise ConformanceError(f"--{unused} works only with --against-target", f"remove --{unused}")
    if new_sets:
        if against_target is not None:
            raise ConformanceError("--new and --against-target do not work together", "remove one of them")
        if format_ == "html":
            raise ConformanceError(
                "--format html shows two recordings, not sets", "use text, markdown or json, or leave out --new"
            )
        all_cells(wanted)
        sets = list(map(Path, paths)), list(map(Path, new_sets))
        return _sets(sets, wanted, confidence, format_, output, verbose=verbose, strict=strict)
    if confidence is not None:
        raise ConformanceError("--confidence works only with sets", "pass the new side with --new DIR")
    if len(paths) > 2:
        raise ConformanceError("diff compares two recordings", "pass the new side with --new DIR to compare sets")
    old, new = paths[0], paths[1] if len(paths) > 1 else None
    if (new is None) == (against_target is None):
        raise ConformanceError(
            "diff needs two recordings", "pass OLD and NEW, or OLD and --against-target to record the new one now"
        )
    all_cells(wanted)  # an unknown name is reported before anything is compared
    with ExitStack() as stack:
        if against_target is not None:
            from conformance.commands.record_now import recorded_now

            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="conformance-")))
            wanted = recorded_now(Path(old), folder, against_target, wanted, **recording)
            new = str(folder)
        clean = Redactor(known_secrets()).text  # of all cassettes: one secret is one word in the whole report
        sides, bar = (Path(old), Path(str(new))), sys.stderr.isatty()
        total = recordings_in(*sides, wanted) if bar else 0
        pairs = counted(comparisons(*sides, wanted), total, "recordings", bar=bar)
        compared = [each.shown(clean) for each in pairs]
        drift = Drift(old, against_target or str(new), compared)
        out = stack.enter_context(destination(output, [old, *([new] if new else [])]))
        write(drift, format_, out, verbose=verbose)
    return _exit_code([fault for one in drift.comparisons for fault in one.faults], drift.worst, strict=strict)


def _sets(
    sides: tuple[Sequence[Path], Sequence[Path]],
    wanted: Filter,
    confidence: float | None,
    format_: str,
    output: str | None,
    *,
    verbose: bool,
    strict: bool,
) -> int:
    from conformance.diff.sets import cells_of_sets
    from conformance.diff.shifts import CONFIDENCE, compare_sets
    from conformance.report.sets_report import write_sets

    clean = Redactor(known_secrets()).text
    old, new = sides
    names = [", ".join(map(str, side)) for side in (old, new)]
    cells = cells_of_sets(old, new, wanted)
    drift = compare_sets(cells, names[0], names[1], confidence=confidence or CONFIDENCE).shown(clean)
    if not drift.compared and not drift.unanswered:
        raise ConformanceError(f"{names[0]} and {names[1]}: have no cell in common", "record the same scenarios")
    with destination(output, [*map(str, old), *map(str, new)]) as out:
        write_sets(drift, format_, out, verbose=verbose)
    return _exit_code(drift.faults, drift.worst, strict=strict)


def _exit_code(faults: Sequence[str], worst: Grade | None, *, strict: bool) -> int:
    if tell_faults(faults):
        return 3
    limit = Grade.REVIEW if strict else Grade.CHANGE
    return 1 if worst is not None and worst >= limit else 0
