"""What `record` and `run` are going to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.campaign.attempt import perform
from conformance.campaign.backoff import BackoffPolicy
from conformance.campaign.cost import Account, Budget, budget_of
from conformance.campaign.scheduler import Perform
from conformance.campaign.task import Task
from conformance.commands.common.groups import CampaignOptions
from conformance.commands.common.targets import PlannedTarget
from conformance.errors import ConformanceError
from conformance.matrix.cells import Cell


@dataclass(frozen=True)
class Plan:
    """The tasks at each target, within a budget. Recordings and a journal, which allows --resume, go to `folder`.

    `identity` is what must be the same when an interrupted run is resumed. `perform` runs one task.
    """

    tasks: Sequence[Task]
    targets: Sequence[PlannedTarget] = ()
    account: Account = field(default_factory=Account)
    jobs: int = 1
    folder: Path | None = None
    identity: Mapping[str, Any] = field(default_factory=dict)
    resume: bool = False
    perform: Perform = perform


def planned(
    verb: str,
    targets: Sequence[PlannedTarget],
    options: CampaignOptions,
    *,
    folder: Path | None,
    samples: int | None,
    keep_good: bool = False,
    behaviours: Sequence[str] = (),
) -> Plan:
    """The plan for all cells of the targets, `samples` times each. With `keep_good`, as in `Task`.

    Raises:
        ConformanceError: the budget is not one, or is in dollars for a model without a known price.
    """
    tasks = [
        Task(
            cell,
            target.endpoints[cell.dialect],
            path_of(folder, cell, sample),
            keep_good=keep_good,
            sample=sample,
            attempts=1 if samples else options.attempts,  # each sample counts: nothing is retried for a better result
            backoff=BackoffPolicy(longest=options.max_wait),
        )
        for target in targets
        for cell in target.cells
        if cell.id not in target.skipped
        for sample in (range(1, samples + 1) if samples else (0,))
    ]
    identity = {
        "verb": verb,
        "samples": samples,
        "targets": {target.name: target.identity for target in targets},
        "behaviours": sorted(behaviours),
    }
    account = _budgeted(options.budget, targets)
    return Plan(tasks, targets, account, options.jobs, folder, identity, options.resume)


def path_of(folder: Path | None, cell: Cell, sample: int) -> Path | None:
    """The path of a run's cassette. Each sample has its own folder, which can be replayed separately."""
    if folder is None:
        return None
    return (folder / f"sample-{sample}" if sample else folder) / cell.relative_path


def _budgeted(text: str | None, targets: Sequence[PlannedTarget]) -> Account:
    budget = budget_of(text) if text is not None else Budget()
    if budget.dollars is not None:
        for target in targets:
            for each in target.endpoints.values():
                if each.price is None:
                    raise ConformanceError(
                        f"--budget {text}: no known price for model {each.model} of target {target.name}",
                        "set the budget in tokens, e.g. 200000tokens, or add prices to a --targets file",
                    )
    return Account(budget)
