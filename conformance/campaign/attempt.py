"""Runs one cell against an endpoint, with back-off and retries, and judges the result."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from conformance.campaign import failures
from conformance.campaign.backoff import BackoffPolicy, RetryAfter, busy
from conformance.campaign.cost import Usage, used
from conformance.campaign.health import Trouble
from conformance.campaign.judging import judged, outcome_of
from conformance.campaign.task import Outcome, Task
from conformance.matrix.record import RecordedRun, RefusedError, capture_run, kept
from conformance.model.printable import count


class Note(NamedTuple):
    """A line about the progress of a cell; `what` is the part that is the same for the same reason in other cells."""

    what: str
    line: str


Notify = Callable[[Note], None]
"""Takes a note, as soon as it is known."""
Recorded = TypeVar("Recorded", bound=RecordedRun)


@dataclass(frozen=True, slots=True)
class Tries:
    """How often a task was run so far: at most `Task.attempts` times because of the model, and more for a server."""

    attempts: int = 1
    waits: int = 0
    reconnected: bool = False


@dataclass(frozen=True, slots=True)
class Again:
    """The task has to be run again, after `seconds`; `note` is why, for the user."""

    tries: Tries
    note: Note | None = None
    seconds: float | None = None


def perform(
    task: Task,
    notify: Notify = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Runs a task to its end. Calls `notify` when it waits or retries, and `sleep` to wait.

    Raises:
        ConformanceError: the cassette cannot be written.
    """
    capture = partial(capture_run, task.cell, task.endpoint, Path(task.source))
    return settle(task, capture, notify, sleep, clock)[1]


def settle(
    task: Task,
    capture: Callable[[], Recorded],
    notify: Notify,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Recorded, Outcome]:
    """The last run of a task, and its outcome: `capture` is called until there is nothing to wait for or to retry.

    Raises:
        ConformanceError: the cassette cannot be written.
    """
    tries, usage = Tries(), Usage()
    while True:
        taken = capture()
        usage += used(taken.exchanges)
        result = _attempt(task, taken, tries, clock)
        if isinstance(result, Outcome):
            return taken, replace(result, usage=usage)
        if result.note is not None:
            notify(result.note)
        if result.seconds is not None:
            sleep(result.seconds)
        tries = result.tries


def _attempt(task: Task, taken: RecordedRun, tries: Tries, clock: Callable[[], float]) -> Outcome | Again:
    """What one run leads to: an outcome, or another run."""
    failure = failures.failure_of(taken)
    if failure is not None and failures.is_unreachable(failure) and not taken.exchanges:
        origin = taken.redactor.url(task.endpoint.origin)
        reason = f"no server answers at {origin}: {failures.error_line(taken, failure)}"
        return _refused(task, reason, Trouble("unreachable", reason))
    if failure is not None and not tries.reconnected and failures.is_dropped(failure):
        return Again(replace(tries, reconnected=True))
    return _waited(task, taken, tries, clock) or _judged(task, taken, tries, failure)


def _waited(task: Task, taken: RecordedRun, tries: Tries, clock: Callable[[], float]) -> Outcome | Again | None:
    """Another run after the time that a busy server asks for, a refusal if that is too long; None if it is not busy."""
    wait = busy(taken.exchanges) if not failures.scripted_to_fail(task.cell) else None
    if wait is None or task.backoff is None:
        return None
    seconds, trouble = task.backoff.delay(wait, tries.waits), failures.trouble_of(taken)
    if seconds is None:
        reason = _impatient(wait, tries.waits, task.backoff)
        return _refused(task, reason, trouble or Trouble("busy", reason, final=wait.hopeless))
    if trouble is not None and task.deadline is not None and clock() + seconds > task.deadline:
        return _refused(task, _impatient(wait, tries.waits, task.backoff), replace(trouble, final=True))
    asked = "" if wait.seconds is not None else " without Retry-After"
    words = failures.first_words(taken) if tries.waits == 0 else ""
    what = f"{task.cell.target} returned {wait.what}{asked}"
    note = Note(what, f"{task.cell.id}: {what}{words}; retrying in {seconds:g} s")
    return Again(replace(tries, waits=tries.waits + 1), note, seconds)


def _impatient(wait: RetryAfter, waited: int, backoff: BackoffPolicy) -> str:
    if wait.hopeless:
        return f"the account has no credit left ({wait.what})"
    if wait.seconds is not None and wait.seconds > backoff.longest:
        return (
            f"it returned {wait.what} and asks to wait {wait.seconds:g} s, longer than --max-wait {backoff.longest:g}"
        )
    return f"it still returned {wait.what} after {count(waited, 'wait')}"


def _judged(task: Task, taken: RecordedRun, tries: Tries, failure: Exception | None) -> Outcome | Again:
    """The judged run, or another attempt if the model did not do what the scenario exercises."""
    verdict, reason = None, ""
    try:
        verdict = kept(taken, task.path) if task.keep_good and task.path else judged(task, taken, failure)
        again = any(each.rule == "exercise-missing" for each in verdict.findings)  # none if it is not offered
    except RefusedError as error:
        again, reason = error.again, error.reason
    number = tries.attempts
    if again and number < task.attempts:
        what = "the model did not do what the scenario exercises"
        note = Note(what, f"{task.cell.id}: {what}; starting attempt {number + 1}")
        return Again(replace(tries, attempts=number + 1), note)
    if verdict is not None:
        return outcome_of(task, taken, verdict)
    return _refused(
        task, f"{reason} (after {count(number, 'attempt')})" if again else reason, failures.trouble_of(taken)
    )


def _refused(task: Task, reason: str, trouble: Trouble | None) -> Outcome:
    return Outcome(*task.key, refused=reason, trouble=trouble)
