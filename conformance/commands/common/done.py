"""What came of a plan: the verdicts to report, and at the end what was not done, what it cost, and the exit code."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from conformance.campaign.task import Key, Outcome, Task
from conformance.commands.common.output import exit_code
from conformance.commands.common.plan import Plan, path_of
from conformance.commands.common.progress import print_message
from conformance.errors import ConformanceError
from conformance.judge.run_rules import RunFinding
from conformance.judge.summary import Summary
from conformance.matrix.verdict import Verdict
from conformance.model.finding import Hit
from conformance.model.printable import count


@dataclass
class Done:
    """Which tasks of a plan are done, and the signal or the `error` that stopped the rest."""

    plan: Plan
    outcomes: dict[Key, Outcome] = field(default_factory=dict)
    signal: signal.Signals | None = None
    error: ConformanceError | None = None

    @property
    def tasks(self) -> Sequence[Task]:
        return self.plan.tasks

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


def verdicts(done: Done, not_done: str) -> Iterator[Verdict]:
    """The verdicts to report: the outcomes of each cell, or why it was skipped or not done."""
    of_cells: dict[tuple[str, str], list[Verdict]] = {}
    for task in done.tasks:
        of_cells.setdefault((task.cell.target, task.cell.id), []).append(verdict_of(done, task, not_done))
    for target in done.plan.targets:
        for cell in target.cells:
            if cell.id in target.skipped:
                source = str(path_of(done.plan.folder, cell, 0) or cell.id)
                yield Verdict(cell, source, [], skipped=target.skipped[cell.id])
            yield from of_cells.get((target.name, cell.id), ())


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
            not_offered=outcome.not_offered,
        )
    hit = Hit(None, f"{not_done}: {outcome.refused if outcome is not None else why_stopped(done)}")
    missing = RunFinding("cell-missing", None, hit).finding(dialect=task.cell.dialect, source=task.source)
    return Verdict(task.cell, task.source, [missing])


def why_stopped(done: Done) -> str:
    """Why tasks were left."""
    if done.signal is not None:
        return f"interrupted by {done.signal.name}"
    return str(done.error) if done.error is not None else f"budget of {done.plan.account.budget} spent"


def ended(done: Done, summary: Summary, *, strict: bool, not_done: str) -> int:
    """Prints the tasks that were not done, the reasons and the cost to standard error. Returns the exit code."""
    for target in done.plan.targets:
        summary.harness_errors += target.server.faults if target.server is not None else []
    code = exit_code(summary, strict=strict)
    _print_refused(done, not_done)
    _print_cost(done)
    _print_left(done)
    if done.signal is not None:
        return 128 + done.signal
    if done.error is not None:
        print_message(str(done.error))
        return done.error.exit_code
    troubles = [outcome.trouble for outcome in done.refused]
    if troubles and troubles[-1] is not None and all(troubles) and len(troubles) == len(done.outcomes):
        print_message(f"no endpoint gave a usable response; {troubles[-1].hint}")
        return ConformanceError.exit_code
    return code or (1 if done.refused or done.left else 0)


def _print_refused(done: Done, not_done: str) -> None:
    reasons: dict[tuple[str, str], list[str]] = {}
    for each in done.refused:
        reasons.setdefault((each.target, str(each.refused)), []).append(each.cell)
    for (target, reason), cells in reasons.items():
        subject = f"{cells[0]}:" if len(cells) == 1 else count(len(cells), "cell")
        print_message(f"{target}: {subject} {not_done}: {reason}")


def _print_cost(done: Done) -> None:
    account = done.plan.account
    paid = any(target.server is None for target in done.plan.targets)
    if paid and (account.usage.tokens or account.usage.unmetered):
        print_message(f"cost: {account}")


def _print_left(done: Done) -> None:
    left = done.left
    if left:
        names = ", ".join(dict.fromkeys(task.cell.id for task in left[:5])) + (", …" if len(left) > 5 else "")
        how = "continue with --resume" if done.plan.folder is not None else "use --save DIR to make a run resumable"
        why = "stopped" if done.error is not None else why_stopped(done)
        print_message(f"{why}; {len(left)} of {len(done.tasks)} cells not done: {names}; {how}")
    elif done.refused and done.plan.folder is not None:
        print_message(f"{done.plan.folder} keeps what is done; try the rest again with --resume")
