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
from conformance.commands.output import destination
from conformance.commands.progress import counted
from conformance.diff.difference import Grade
from conformance.diff.drift import Drift
from conformance.diff.pairs import comparisons, recordings_in
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter, all_cells
from conformance.report.diff_report import write


def run(
    *,
    old: str,
    new: str | None,
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
    """Compares two recordings; records the new one first if asked to. Returns 1 if something changed.

    With `strict`, a difference to review counts as a change.
    """
    wanted = Filter(scenarios, dialects, drivers, stream, scenario_folders)
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
    faults = [fault for one in drift.comparisons for fault in one.faults]
    for fault in faults:
        print(f"conformance: internal error: {fault}", file=sys.stderr)  # noqa: T201
    if faults:
        return 3
    limit = Grade.REVIEW if strict else Grade.CHANGE
    return 1 if drift.worst is not None and drift.worst >= limit else 0
