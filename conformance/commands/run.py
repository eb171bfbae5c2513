"""`conformance run`: runs clients against endpoints and checks the traffic; leaves shipped cassettes alone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

import click

from conformance.campaign.attempt import Task
from conformance.campaign.backoff import BackoffPolicy
from conformance.campaign.statistics import statistics
from conformance.campaign.thresholds import missed, threshold_of
from conformance.cassette.lock import writing
from conformance.commands.baseline import refuse_part
from conformance.commands.execute import budgeted, ended, run_tasks, verdicts
from conformance.commands.matrix import print_matrix
from conformance.commands.output import Display, destination, report_verdicts, selected, stale_entries
from conformance.commands.resolve import aims, path_of
from conformance.commands.statistics import print_statistics
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter


def run(
    *,
    scenarios: Sequence[str],
    dialects: Sequence[str],
    drivers: Sequence[str],
    stream: bool | None,
    scenario_folders: Sequence[str] = (),
    save: str | None,
    samples: int | None,
    fail_under: Sequence[str] = (),
    target: Sequence[str],
    targets: Sequence[str],
    base_url: str | None,
    name: str | None = None,
    model: Sequence[str],
    api_key_env: str | None,
    header: Sequence[str],
    timeout: float,
    profile: str | None = None,
    jobs: int,
    attempts: int,
    budget: str | None,
    max_wait: float,
    resume: bool,
    format_: str,
    output: str | None,
    verbose: bool,
    quiet: bool = False,
    cause: int | None = None,
    **choice: Any,
) -> int:
    """Runs the cells that match the filters at each target, once for each sample."""
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**choice)
    thresholds = [threshold_of(each) for each in fail_under]
    if thresholds and not samples:
        raise ConformanceError("--fail-under works only with --samples", "add --samples N")
    wanted = Filter(scenarios, dialects, drivers, stream, scenario_folders)
    refuse_part(selection, whole=wanted.everything)
    folder = Path(save) if save else None
    with ExitStack() as stack:
        aimed = aims(
            stack,
            wanted,
            target=target,
            targets=targets,
            base_url=base_url,
            name=name,
            model=model,
            api_key_env=api_key_env,
            header=header,
            timeout=timeout,
            profile=profile,
        )
        tasks = [
            Task(
                cell,
                aim.endpoints[cell.dialect],
                path_of(folder, cell, sample),
                sample=sample,
                attempts=1 if samples else attempts,  # each sample counts: nothing is retried for a better result
                backoff=BackoffPolicy(longest=max_wait),
            )
            for aim in aimed
            for cell in aim.cells
            if cell.id not in aim.skipped
            for sample in (range(1, samples + 1) if samples else (0,))
        ]
        account = budgeted(budget, aimed)
        out = stack.enter_context(destination(output, [str(folder)] if folder else []))
        identity = {"verb": "run", "samples": samples, "targets": {aim.name: aim.identity for aim in aimed}}
        if folder is not None:
            stack.enter_context(writing(folder))
        done = run_tasks(tasks, account, jobs=jobs, folder=folder, identity=identity, resume=resume)
        measured = None
        if samples or len(aimed) > 1:
            observed = [(task.cell, each.observation) for task, each in done.judged() if each.observation is not None]
            models = {aim.name: {dialect: each.model for dialect, each in aim.endpoints.items()} for aim in aimed}
            measured = statistics(observed, samples or 1, models)
        below = list(missed(measured, thresholds)) if measured is not None else []
        if measured is not None and thresholds:
            measured["missed"] = [each.as_json() for each in below]
        stale = stale_entries(selection, lambda: wanted.everything and done.complete)
        results, summary = report_verdicts(
            chain(verdicts(done, aimed, {}, "not judged"), stale),
            display,
            out,
            selection=selection,
            statistics=measured,
        )
        if format_ == "text":
            for aim in aimed if samples is None else ():
                print_matrix(
                    [each for each in results if each.cell and each.cell.target == aim.name],
                    out,
                    "run",
                    planned=aim.cells,
                    title=aim.name if len(aimed) > 1 else None,
                    display=display,
                )
            if measured is not None and not quiet:
                print_statistics(measured, out)
        code = ended(done, aimed, summary, strict=selection.strict, not_done="not judged")
        for each in below:
            click.echo(f"conformance: {each}", err=True)
        return code or (1 if below else 0)
