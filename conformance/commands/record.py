"""`conformance record`: records cassettes from the reference server or from a target."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

from conformance.campaign.attempt import ATTEMPTS, Task
from conformance.campaign.backoff import MAX_WAIT_SECONDS, BackoffPolicy
from conformance.cassette.lock import writing
from conformance.commands.baseline import refuse_part
from conformance.commands.execute import budgeted, ended, run_tasks, verdicts
from conformance.commands.matrix import print_matrix
from conformance.commands.output import Display, destination, report_verdicts, selected, stale_entries
from conformance.commands.resolve import aims, path_of
from conformance.drivers import TIMEOUT_SECONDS
from conformance.matrix.cells import Filter


def run(
    *,
    scenarios: Sequence[str],
    dialects: Sequence[str],
    drivers: Sequence[str],
    stream: bool | None,
    scenario_folders: Sequence[str] = (),
    cassettes: str,
    samples: int | None = None,
    target: str | None = None,
    targets: Sequence[str] = (),
    base_url: str | None = None,
    name: str | None = None,
    model: Sequence[str] = (),
    api_key_env: str | None = None,
    header: Sequence[str] = (),
    timeout: float = TIMEOUT_SECONDS,
    jobs: int = 1,
    attempts: int = ATTEMPTS,
    budget: str | None = None,
    max_wait: float = MAX_WAIT_SECONDS,
    resume: bool = False,
    behaviours: Sequence[str] = (),
    format_: str = "text",
    output: str | None = None,
    verbose: bool = False,
    quiet: bool = False,
    cause: int | None = None,
    **choice: Any,
) -> int:
    """Records the cells that match the filters, `samples` times each. A rejected recording does not stop the others."""
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**choice)
    wanted = Filter(scenarios, dialects, drivers, stream, scenario_folders)
    refuse_part(selection, whole=wanted.everything)
    names = [target] if target else [] if base_url else ["reference"]
    folder = Path(cassettes)
    with ExitStack() as stack:
        (aim,) = aimed = aims(
            stack,
            wanted,
            target=names,
            targets=targets,
            base_url=base_url,
            name=name,
            model=model,
            api_key_env=api_key_env,
            header=header,
            timeout=timeout,
            behaviours=behaviours,
        )
        numbers = range(1, samples + 1) if samples else (0,)
        tasks = [
            Task(
                cell,
                aim.endpoints[cell.dialect],
                path_of(folder, cell, sample),
                keep_good=not samples,  # of samples, each one counts: also one without what its scenario exercises
                sample=sample,
                attempts=1 if samples else attempts,
                backoff=BackoffPolicy(longest=max_wait),
            )
            for sample in numbers
            for cell in aim.cells
            if cell.id not in aim.skipped
        ]
        account = budgeted(budget, aimed)
        out = stack.enter_context(destination(output, [str(folder)]))
        identity: dict[str, Any] = {
            "verb": "record",
            "targets": {aim.name: aim.identity},
            "behaviours": sorted(behaviours),
        }
        identity |= {"samples": samples} if samples else {}
        stack.enter_context(writing(folder))
        done = run_tasks(tasks, account, jobs=jobs, folder=folder, identity=identity, resume=resume)
        sources = {(aim.name, cell.id): str(path_of(folder, cell, 0)) for cell in aim.cells}
        stale = stale_entries(selection, lambda: wanted.everything and done.complete)
        told = chain(verdicts(done, aimed, sources, "not recorded"), stale)
        results, summary = report_verdicts(told, display, out, selection=selection)
        if format_ == "text":
            print_matrix(results, out, "recorded", planned=aim.cells, display=display)
        return ended(done, aimed, summary, strict=selection.strict, not_done="not recorded")
