"""`conformance record`: makes cassettes, here from the reference server."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from conformance.cells import Cell, Filter, playable_cells, why_skipped
from conformance.commands.matrix import print_matrix
from conformance.commands.output import destination, exit_code, report_verdicts
from conformance.errors import HarnessError
from conformance.judging import Verdict
from conformance.record import Endpoint, RefusedError, record
from conformance.reference.server import ReferenceServer
from conformance.scenario import all_scenarios
from conformance.selection import chosen
from conformance.targets import all_targets

_REFERENCE_KEY = "reference-needs-no-key"


def run(
    *,
    scenarios: Sequence[str],
    dialects: Sequence[str],
    drivers: Sequence[str],
    stream: bool | None,
    cassettes: str,
    format_: str,
    output: str | None,
    verbose: bool,
    **choice: Any,
) -> int:
    """Records the cells that the filters admit. One that is refused does not lose the others."""
    selection = chosen(**choice)
    cells = playable_cells(Filter(scenarios, dialects, drivers, stream))
    refused: list[RefusedError] = []
    with destination(output) as out, ReferenceServer(all_scenarios()) as server:
        verdicts, summary = report_verdicts(
            _record(cells, server, Path(cassettes), refused), format_, out, verbose=verbose, selection=selection
        )
        if format_ == "text":
            print_matrix(verdicts, out, "recorded")
    summary.harness_errors += server.faults
    for error in refused:
        print(f"conformance: {error}", file=sys.stderr)  # noqa: T201
    return exit_code(summary, strict=selection.strict) or (1 if refused else 0)


def _record(
    cells: Sequence[Cell], server: ReferenceServer, folder: Path, refused: list[RefusedError]
) -> Iterator[Verdict]:
    models = all_targets()["reference"].models
    for cell in cells:
        reason = why_skipped(cell)
        if reason:
            yield Verdict(cell, str(folder / cell.relative_path), [], skipped=reason)
            continue
        if cell.dialect not in models:
            raise HarnessError(f"specs/targets.yaml names no model of the reference server for {cell.dialect}")
        endpoint = Endpoint("reference", server.origin, models[cell.dialect], _REFERENCE_KEY, "reference")
        try:
            yield record(cell, endpoint, folder)
        except RefusedError as error:
            refused.append(error)
