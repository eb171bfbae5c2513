"""`conformance run`: runs clients against endpoints and checks the traffic; leaves shipped cassettes alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

import click

from conformance.campaign.statistics import statistics
from conformance.campaign.thresholds import Missed, Threshold, missed, threshold_of
from conformance.cassette.lock import writing
from conformance.cassette.redact import shown
from conformance.commands.common.baseline import refuse_part
from conformance.commands.common.done import Done, ended, verdicts
from conformance.commands.common.execute import run_tasks
from conformance.commands.common.matrix import print_matrix
from conformance.commands.common.output import destination, stale_entries
from conformance.commands.common.plan import Plan, planned
from conformance.commands.common.statistics import print_statistics
from conformance.commands.common.targets import planned_targets
from conformance.commands.run import Options, mcp
from conformance.errors import ConformanceError
from conformance.matrix.cells import LIVE
from conformance.matrix.verdict import Verdict
from conformance.model.printable import visible
from conformance.report.verdicts import Display, report_verdicts


def run(options: Options) -> int:
    """Runs the cells that match the filters at each target, once for each sample."""
    if mcp.is_meant(options):
        return mcp.run(options)
    display = options.report.display
    selection = options.findings.selection()
    thresholds = _thresholds(options)
    whole = _is_whole(options)
    selection.dialects = options.cells.dialects
    refuse_part(selection, whole=whole)
    with ExitStack() as stack:
        plan = _plan(stack, options)
        folder = plan.folder
        out = stack.enter_context(destination(options.report.output, [str(folder)] if folder else []))
        if folder is not None:
            stack.enter_context(writing(folder))
        done = run_tasks(plan)
        measured, below = _measured(done, options.samples, thresholds)
        stale = stale_entries(selection, lambda: whole and done.complete)
        judged = chain(verdicts(done, "not judged"), stale)
        results, summary = report_verdicts(judged, display, out, selection=selection, statistics=measured)
        if display.format == "text":
            _print(results, plan, measured, display, out)
        code = ended(done, summary, strict=selection.strict, not_done="not judged")
        for each in below:
            click.echo(f"conformance: {each}", err=True)
        code = code or (1 if below else 0)
        if not code and (reason := _nothing_exercised(done)) is not None:
            click.echo(f"conformance: nothing was exercised: {visible(shown(reason))}", err=True)
            return ConformanceError.exit_code
        return code


def _is_whole(options: Options) -> bool:
    """Whether all cells of each target are run; an endpoint that has only its URL has no dialect but those named."""
    wanted = options.cells.filter
    only_url = options.campaign.base_url is not None and not options.target
    return replace(wanted, dialects=() if only_url else wanted.dialects).everything


def _nothing_exercised(done: Done) -> str | None:
    """Why no run did what its scenario names; None if one did."""
    missing = [
        next((each for each in outcome.findings if each.rule == "exercise-missing"), None)
        for _, outcome in done.judged()
        if outcome.not_offered is None
    ]
    first = missing[0] if missing else None
    if first is None or None in missing:
        return None
    runs = f"all of {len(missing)} runs" if len(missing) > 1 else "1 run"
    return f"in {runs}, {first.message}; run a scenario that the model can do"


def _thresholds(options: Options) -> list[Threshold]:
    thresholds = [threshold_of(each) for each in options.fail_under]
    if thresholds and not options.samples:
        raise ConformanceError("--fail-under works only with --samples", "add --samples N")
    return thresholds


def _plan(stack: ExitStack, options: Options) -> Plan:
    wanted = options.cells.filter.with_live(*LIVE)
    targets = planned_targets(stack, options.target, wanted, options.campaign, profile=options.profile)
    folder = Path(options.save) if options.save else None
    return planned("run", targets, options.campaign, folder=folder, samples=options.samples)


def _measured(
    done: Done, samples: int | None, thresholds: Sequence[Threshold]
) -> tuple[dict[str, Any] | None, list[Missed]]:
    """The statistics of samples, or of several targets, and the thresholds that are missed."""
    targets = done.plan.targets
    if not samples and len(targets) == 1:
        return None, []
    observed = [(task.cell, each.observation) for task, each in done.judged() if each.observation is not None]
    models = {each.name: {dialect: at.model for dialect, at in each.endpoints.items()} for each in targets}
    measured = statistics(observed, samples or 1, models)
    below = list(missed(measured, thresholds))
    if thresholds:
        measured["missed"] = [each.as_json() for each in below]
    return measured, below


def _print(
    results: Sequence[Verdict], plan: Plan, measured: Mapping[str, Any] | None, display: Display, out: IO[str]
) -> None:
    """The matrix of each target, or the statistics of samples."""
    sampled = any(task.sample for task in plan.tasks)
    for target in () if sampled else plan.targets:
        print_matrix(
            [each for each in results if each.cell and each.cell.target == target.name],
            out,
            "run",
            planned=target.cells,
            title=target.name if len(plan.targets) > 1 else None,
            display=display,
        )
    if measured is not None and not display.quiet:
        print_statistics(measured, out)
