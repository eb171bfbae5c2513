"""Runs the tasks of a plan, with progress, journal and budget."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from conformance.campaign.attempt import Note, Notify
from conformance.campaign.journal import Journal
from conformance.campaign.scheduler import run_all
from conformance.commands.common.done import Done
from conformance.commands.common.plan import Plan
from conformance.commands.common.progress import Watch, print_message, watching
from conformance.errors import ConformanceError
from conformance.model.printable import count


class TerminatedError(KeyboardInterrupt):
    """SIGTERM: ends a run as Ctrl-C does, with a report of what was done."""


def run_tasks(plan: Plan) -> Done:
    """Runs the tasks and always ends with a summary. With a folder, keeps a journal in it.

    Raises:
        ConformanceError: not one task could be done.
    """
    done = Done(plan)
    journal = Journal(plan.folder, plan.identity, resume=plan.resume) if plan.folder is not None else None
    if journal is None and plan.resume:
        raise ConformanceError("--resume works only with saved recordings", "pass their folder with --save")
    if journal is not None:
        _resume(journal, done)
        journal.__enter__()
    try:
        with (
            terminable(),
            watching(len(plan.tasks), len(done.outcomes), note=lambda: _so_far(done)) as watch,
            _first_of_each(watch) as notify,
        ):
            for outcome in run_all(done.left, plan.account, plan.perform, jobs=plan.jobs, notify=notify):
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


@contextmanager
def _first_of_each(watch: Watch) -> Iterator[Notify]:
    """Shows the first note of each kind at once, and at the end how many more there were."""
    times: Counter[str] = Counter()

    def notify(note: Note) -> None:
        times[note.what] += 1
        if times[note.what] == 1:
            watch.message(note.line)

    try:
        yield notify
    finally:
        for what, number in times.items():
            if number > 1:
                watch.message(f"{count(number - 1, 'more time')}: {what}")


def _resume(journal: Journal, done: Done) -> None:
    """Takes over the outcomes in the journal whose cassettes still exist."""
    wanted = {task.key: task for task in done.tasks}
    gone = [key for key, task in wanted.items() if key in journal.done and task.path and not task.path.exists()]
    for key in gone:
        del journal.done[key]
    done.outcomes = {key: outcome for key, outcome in journal.done.items() if key in wanted}
    if done.outcomes:
        print_message(f"resumed: {len(done.outcomes)} of {len(done.tasks)} cells are already done")


def _so_far(done: Done) -> str:
    return f"{len(done.outcomes)} of {len(done.tasks)} cells, {done.plan.account}"


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
