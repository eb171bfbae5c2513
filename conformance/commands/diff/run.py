"""`conformance diff`: compares two recordings; grades each difference as noise, review or change."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.commands.common.options import given
from conformance.commands.common.output import destination, report_faults
from conformance.commands.common.progress import counted
from conformance.commands.diff import Options
from conformance.diff.comparisons import Drift
from conformance.diff.difference import Grade
from conformance.diff.pairs import comparisons, recordings_in
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter, all_cells
from conformance.report.diff_report import write


def run(options: Options) -> int:
    """Compares two recordings, or two sets of them. Returns 1 if something changed.

    With `--against-target`, records the new one first. With `--strict`, a difference to review counts as a change.
    """
    _refuse_contradictions(options)
    wanted = options.cells.filter
    all_cells(wanted)  # an unknown name is reported before anything is compared
    return _compare_sets(options, wanted) if options.new_sets else _compare_two(options, wanted)


def _refuse_contradictions(options: Options) -> None:
    against_target = options.against_target is not None
    unused = next((name for name in ("targets", "model", "budget") if given(name)), None)
    if unused is not None and not against_target:
        raise ConformanceError(f"--{unused} works only with --against-target", f"remove --{unused}")
    if options.new_sets:
        if against_target:
            raise ConformanceError("--new and --against-target do not work together", "remove one of them")
        if options.format == "html":
            raise ConformanceError(
                "--format html shows two recordings, not sets", "use text, markdown or json, or leave out --new"
            )
        return
    if options.confidence is not None:
        raise ConformanceError("--confidence works only with sets", "pass the new side with --new DIR")
    if len(options.paths) > 2:
        raise ConformanceError("diff compares two recordings", "pass the new side with --new DIR to compare sets")
    if (len(options.paths) == 1) != against_target:
        raise ConformanceError(
            "diff needs two recordings", "pass OLD and NEW, or OLD and --against-target to record the new one now"
        )


def _compare_two(options: Options, wanted: Filter) -> int:
    old, target = options.paths[0], options.against_target
    with ExitStack() as stack:
        if target is not None:
            from conformance.commands.diff.record_now import recorded_now

            new = stack.enter_context(tempfile.TemporaryDirectory(prefix="conformance-"))
            wanted = recorded_now(Path(old), Path(new), target, options)
        else:
            new = options.paths[1]
        clean = Redactor(known_secrets()).text  # of all cassettes: one secret is one word in the whole report
        sides, bar = (Path(old), Path(new)), sys.stderr.isatty()
        total = recordings_in(*sides, wanted) if bar else 0
        pairs = counted(comparisons(*sides, wanted), total, "recordings", bar=bar)
        drift = Drift(old, target or new, [each.shown(clean) for each in pairs])
        if not drift.comparisons:
            raise ConformanceError(f"{old} and {new}: contain no recordings", "pass folders of cassettes")
        out = stack.enter_context(destination(options.output, [old, new]))
        write(drift, options.format, out, verbose=options.verbose)
    return _exit_code([fault for one in drift.comparisons for fault in one.faults], drift.worst, strict=options.strict)


def _compare_sets(options: Options, wanted: Filter) -> int:
    from conformance.diff.drift.sets import cells_of_sets
    from conformance.diff.drift.shifts import CONFIDENCE, compare_sets
    from conformance.report.sets_report import write_sets

    clean = Redactor(known_secrets()).text
    sides = options.paths, options.new_sets
    old, new = ([Path(each) for each in side] for side in sides)
    cells = cells_of_sets(old, new, wanted)
    names = [", ".join(side) for side in sides]
    drift = compare_sets(cells, *names, confidence=options.confidence or CONFIDENCE).shown(clean)
    if not drift.compared and not drift.unanswered:
        raise ConformanceError(f"{names[0]} and {names[1]}: have no cell in common", "record the same scenarios")
    with destination(options.output, [*options.paths, *options.new_sets]) as out:
        write_sets(drift, options.format, out, verbose=options.verbose)
    if not drift.compared:
        raise ConformanceError("nothing was compared: a side has only outages of the provider", "record it again")
    if options.strict and drift.fails_strictly:
        return _exit_code(drift.faults, Grade.REVIEW, strict=True)
    return _exit_code(drift.faults, drift.worst, strict=options.strict)


def _exit_code(faults: Sequence[str], worst: Grade | None, *, strict: bool) -> int:
    if report_faults(faults):
        return 3
    limit = Grade.REVIEW if strict else Grade.CHANGE
    return 1 if worst is not None and worst >= limit else 0
