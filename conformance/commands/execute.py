"""Shared parts of `record` and `run`: running the tasks with progress, journal and budget, and the summary."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.campaign.attempt import Outcome, Task
from conformance.campaign.cost import Account, Budget, budget_of
from conformance.campaign.journal import Journal
from conformance.campaign.scheduler import run_all
from conformance.commands.output import exit_code
from conformance.commands.progress import watching
from conformance.commands.resolve import Aim
from conformance.errors import ConformanceError
from conformance.judge.checker import Summary
from conformance.matrix.verdict import Verdict
from conformance.model.printable import visible

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in a shell: 128 + SIGINT."""


@dataclass
class Done:
    """Which tasks are done, and the `error` that stopped the rest. `kept`: a journal allows --resume."""

    tasks: Sequence[Task]
    account: Account
    outcomes: dict[tuple[str, str, int], Outcome] = field(default_factory=dict)
    interrupted: bool = False
    error: ConformanceError | None = None
    kept: bool = False

    @property
    def left(self) -> list[Task]:
        return [task for task in self.tasks if task.key not in self.outcomes]

    @property
    def complete(self) -> bool:
        """Whether every task has been judged."""
        return not (self.left or self.refused or self.interrupted or self.error)

    @property
    def refused(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes.values() if outcome.refused is not None]

    def judged(self) -> Iterator[tuple[Task, Outcome]]:
        """The tasks that have an outcome, in order."""
        for task in self.tasks:
            outcome = self.outcomes.get(task.key)
            if outcome is not None and outcome.refused is None:
                yield task, outcome


def budgeted(text: str | None, aimed: Sequence[Aim]) -> Account:
    """The account of a campaign, within the budget of the option.

    Raises:
        ConformanceError: the option is not a budget, or is in dollars for a model without a known price.
    """
    budget = budget_of(text) if text is not None else Budget()
    if budget.dollars is not None:
        for aim in aimed:
            for each in aim.endpoints.values():
                if each.price is None:
                    raise ConformanceError(
                        f"--budget {text}: no known price for model {each.model} of target {aim.name}",
                        "set the budget in tokens, e.g. 200000tokens, or add prices to a --targets file",
                    )
    return Account(budget)


def run_tasks(
    tasks: Sequence[Task],
    account: Account,
    *,
    jobs: int,
    folder: Path | None,
    identity: Mapping[str, Any],
    resume: bool,
) -> Done:
    """Runs the tasks and always ends with a summary. With a folder, keeps a journal in it.

    Raises:
        ConformanceError: not one task could be done.
    """
    done = Done(tasks, account, kept=folder is not None)
    journal = Journal(folder, identity, resume=resume) if folder is not None else None
    if journal is None and resume:
        raise ConformanceError("--resume works only with saved recordings", "pass their folder with --save")
    if journal is not None:
        wanted = {task.key: task for task in tasks}
        gone = [key for key, task in wanted.items() if key in journal.done and task.path and not task.path.exists()]
        for key in gone:
            del journal.done[key]
        done.outcomes = {key: outcome for key, outcome in journal.done.items() if key in wanted}
        if done.outcomes:
            _say(f"resumed: {len(done.outcomes)} of {len(tasks)} cells are already done")
        journal.__enter__()
    try:
        with watching(len(tasks), len(done.outcomes), account) as watch:
            for outcome in run_all(done.left, account, jobs=jobs, tell=watch.tell):
                done.outcomes[outcome.key] = outcome
                if journal is not None:
                    journal.note(outcome)
                watch.step()
    except KeyboardInterrupt:
        done.interrupted = True
    except ConformanceError as error:
        if not done.outcomes:
            raise
        done.error = error
    finally:
        if journal is not None:
            journal.close(left=bool(done.left or done.refused))
    return done


def verdicts(done: Done, aimed: Sequence[Aim], sources: Mapping[tuple[str, str], str]) -> Iterator[Verdict]:
    """The verdicts to report: the outcomes of each cell, or why it was skipped."""
    judged: dict[tuple[str, str], list[Verdict]] = {}
    for task, outcome in done.judged():
        judged.setdefault((task.cell.target, task.cell.id), []).append(
            Verdict(task.cell, task.source, outcome.findings, outcome.exchanges, outcome.harness_errors)
        )
    for aim in aimed:
        for cell in aim.cells:
            if cell.id in aim.skipped:
                yield Verdict(cell, sources.get((aim.name, cell.id), cell.id), [], skipped=aim.skipped[cell.id])
            yield from judged.get((aim.name, cell.id), ())


def ended(done: Done, aimed: Sequence[Aim], summary: Summary, *, strict: bool, not_done: str) -> int:
    """Prints the tasks that were not done, the reasons and the cost to standard error. Returns the exit code."""
    for aim in aimed:
        summary.harness_errors += aim.server.faults if aim.server is not None else []
    code = exit_code(summary, strict=strict)
    for outcome in done.refused:
        _say(f"{outcome.target}: {outcome.cell}: {not_done}: {outcome.refused}")
    left = done.left
    paid = any(aim.server is None for aim in aimed)
    if paid and (done.account.usage.tokens or done.account.usage.unmetered):
        _say(f"cost: {done.account}")
    if left:
        names = ", ".join(dict.fromkeys(task.cell.id for task in left[:5])) + (", …" if len(left) > 5 else "")
        why = "interrupted" if done.interrupted else "stopped"
        if done.error is None and not done.interrupted:
            why = f"budget of {done.account.budget} spent"
        how = "continue with --resume" if done.kept else "use --save DIR to make a run resumable"
        _say(f"{why}; {len(left)} of {len(done.tasks)} cells not done: {names}; {how}")
    if done.interrupted:
        return INTERRUPTED
    if done.error is not None:
        _say(str(done.error))
        return done.error.exit_code
    return code or (1 if done.refused or left else 0)


def _say(text: str) -> None:
    print(f"conformance: {visible(text)}", file=sys.stderr, flush=True)  # noqa: T201
