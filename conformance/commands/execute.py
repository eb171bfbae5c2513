"""Shared parts of `record` and `run`: running the tasks with progress, journal and budget, and the summary."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from conformance.judge.run_rules import RunFinding
from conformance.matrix.verdict import Verdict
from conformance.model.finding import Hit
from conformance.model.printable import count, visible


class TerminatedError(KeyboardInterrupt):
    """SIGTERM: ends a run as Ctrl-C does, with a report of what was done."""


@dataclass
class Done:
    """Which tasks are done, and the signal or the `error` that stopped the rest. `kept`: a journal allows --resume."""

    tasks: Sequence[Task]
    account: Account
    outcomes: dict[tuple[str, str, int], Outcome] = field(default_factory=dict)
    signal: signal.Signals | None = None
    error: ConformanceError | None = None
    kept: bool = False

    @property
    def left(self) -> list[Task]:
        return [task for task in self.tasks if task.key not in self.outcomes]

    @property
    def complete(self) -> bool:
        """Whether every task has been judged."""
        return not (self.left or self.refused or self.signal or self.error)

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
        with terminable(), watching(len(tasks), len(done.outcomes), note=lambda: _so_far(done)) as watch:
            for outcome in run_all(done.left, account, jobs=jobs, tell=watch.tell):
                done.outcomes[outcome.key] = outcome
                if journal is not None:
                    journal.note(outcome)
                watch.step()
    except KeyboardInterrupt as interrupt:
        done.signal = signal.SIGTERM if isinstance(interrupt, TerminatedError) else signal.SIGINT
    except ConformanceError as error:
        if not done.outcomes:
            raise
        done.error = error
    finally:
        if journal is not None:
            journal.close(left=bool(done.left or done.refused))
    return done


def _so_far(done: Done) -> str:
    return f"{len(done.outcomes)} of {len(done.tasks)} cells, {done.account}"


@contextmanager
def terminable() -> Iterator[None]:
    """Raises `TerminatedError` on SIGTERM. Only the main thread can: in another, SIGTERM ends the process at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def terminate(*_: object) -> None:
        raise TerminatedError

    old = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, old)


def verdicts(
    done: Done, aimed: Sequence[Aim], sources: Mapping[tuple[str, str], str], not_done: str
) -> Iterator[Verdict]:
    """The verdicts to report: the outcomes of each cell, or why it was skipped or not done."""
    of_cells: dict[tuple[str, str], list[Verdict]] = {}
    for task in done.tasks:
        of_cells.setdefault((task.cell.target, task.cell.id), []).append(verdict_of(done, task, not_done))
    for aim in aimed:
        for cell in aim.cells:
            if cell.id in aim.skipped:
                yield Verdict(cell, sources.get((aim.name, cell.id), cell.id), [], skipped=aim.skipped[cell.id])
            yield from of_cells.get((aim.name, cell.id), ())


def verdict_of(done: Done, task: Task, not_done: str) -> Verdict:
    """The verdict of one task, or that it was not done and why."""
    outcome = done.outcomes.get(task.key)
    if outcome is not None and outcome.refused is None:
        return Verdict(
            task.cell,
            task.source,
            outcome.findings,
            outcome.exchanges,
            outcome.harness_errors,
            exercised=outcome.exercised,
        )
    hit = Hit(None, f"{not_done}: {outcome.refused if outcome is not None else why_stopped(done)}")
    missing = RunFinding("cell-missing", None, hit).finding(dialect=task.cell.dialect, source=task.source)
    return Verdict(task.cell, task.source, [missing])


def why_stopped(done: Done) -> str:
    """Why tasks were left."""
    if done.signal is not None:
        return f"interrupted by {done.signal.name}"
    return str(done.error) if done.error is not None else f"budget of {done.account.budget} spent"


def ended(done: Done, aimed: Sequence[Aim], summary: Summary, *, strict: bool, not_done: str) -> int:
    """Prints the tasks that were not done, the reasons and the cost to standard error. Returns the exit code."""
    for aim in aimed:
        summary.harness_errors += aim.server.faults if aim.server is not None else []
    code = exit_code(summary, strict=strict)
    reasons: dict[tuple[str, str], list[str]] = {}
    for each in done.refused:
        reasons.setdefault((each.target, str(each.refused)), []).append(each.cell)
    for (target, reason), cells in reasons.items():
        subject = f"{cells[0]}:" if len(cells) == 1 else count(len(cells), "cell")
        _say(f"{target}: {subject} {not_done}: {reason}")
    left = done.left
    paid = any(aim.server is None for aim in aimed)
    if paid and (done.account.usage.tokens or done.account.usage.unmetered):
        _say(f"cost: {done.account}")
    if left:
        names = ", ".join(dict.fromkeys(task.cell.id for task in left[:5])) + (", …" if len(left) > 5 else "")
        how = "continue with --resume" if done.kept else "use --save DIR to make a run resumable"
        why = "stopped" if done.error is not None else why_stopped(done)
        _say(f"{why}; {len(left)} of {len(done.tasks)} cells not done: {names}; {how}")
    if done.signal is not None:
        return 128 + done.signal
    if done.error is not None:
        _say(str(done.error))
        return done.error.exit_code
    troubles = [outcome.trouble for outcome in done.refused]
    if troubles and troubles[-1] is not None and all(troubles) and len(troubles) == len(done.outcomes):
        _say(f"no endpoint gave a usable response; {troubles[-1].hint}")
        return ConformanceError.exit_code
    return code or (1 if done.refused or left else 0)


def _say(text: str) -> None:
    print(f"conformance: {visible(text)}", file=sys.stderr, flush=True)  # noqa: T201
