"""`conformance replay`: replays each cell from its cassette, offline, or compares versions of clients over them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from conformance.commands.common.baseline import refuse_part
from conformance.commands.common.matrix import print_matrix
from conformance.commands.common.output import destination, exit_code, stale_entries
from conformance.commands.common.progress import counted, suits
from conformance.commands.replay import Options
from conformance.commands.replay.versions import compare
from conformance.errors import ConformanceError
from conformance.matrix.replaying import cells_beside, cells_of, replay_all
from conformance.matrix.stored_targets import stored_target
from conformance.matrix.verdict import Verdict
from conformance.model.data_files import data_dir
from conformance.report.verdicts import report_verdicts


def run(options: Options) -> int:
    """Replays the cells that match the filters, reports the findings, and prints the matrix."""
    if options.versions or options.version_range:
        return compare(options)
    wanted = options.cells.filter
    folder = Path(options.cassettes) if options.cassettes else data_dir("cassettes")
    if not folder.is_dir():
        raise ConformanceError(f"{folder}: folder does not exist", "pass the folder that `conformance record` wrote to")
    display = options.report.display
    selection = options.findings.selection()
    target = stored_target(options.target, folder)
    cells = cells_of(wanted, target, folder, own=options.cassettes is not None)
    whole = wanted.everything
    beside = cells_beside(wanted, cells, folder) if options.cassettes else []
    results: Iterator[Verdict] = replay_all(cells, folder, unused_of=wanted if whole else None, beside=beside)
    refuse_part(selection, whole=whole)
    results = chain(results, stale_entries(selection, lambda: whole))
    with destination(options.report.output, [str(folder)]) as out:
        results = counted(results, len(cells), "cells", bar=suits(display.format, out, verbose=display.verbose))
        verdicts, summary = report_verdicts(results, display, out, selection=selection)
        if display.format == "text":
            print_matrix(verdicts, out, "replayed", display=display)
    return exit_code(summary, strict=selection.strict)
