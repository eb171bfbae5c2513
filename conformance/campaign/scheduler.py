"""Runs the tasks of a campaign, in one process or several, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from conformance.campaign.attempt import Outcome, Task, Tell, perform
from conformance.campaign.cost import Account
from conformance.errors import ConformanceError
from conformance.judge.pool import Message, Pool, WorkerDiedError


def run_all(
    tasks: Sequence[Task], account: Account, *, jobs: int = 1, tell: Tell = lambda _: None
) -> Iterator[Outcome]:
    """The outcome of each task as it comes. No task starts once the budget is spent.

    Raises:
        ConformanceError: a cassette cannot be written, or a target never answered or rejected every request.
    """
    prices = {task.key: task.endpoint.price for task in tasks}
    reached: set[str] = set()
    for outcome in _outcomes(tasks, account, jobs, tell):
        account.book(outcome.usage, prices[outcome.key])
        if outcome.unreachable and outcome.target not in reached:
            raise ConformanceError(
                f"{outcome.target}: {outcome.refused}", "check the base URL, and that the server is running"
            )
        if outcome.shut_out and outcome.target not in reached:
            raise ConformanceError(f"{outcome.target}: {outcome.shut_out}", "check the key, the model and the base URL")
        reached.add(outcome.target)
        yield outcome


def _outcomes(tasks: Sequence[Task], account: Account, jobs: int, tell: Tell) -> Iterator[Outcome]:
    if jobs == 1 or len(tasks) < 2:
        for task in tasks:
            if account.exhausted:
                return
            yield guarded(task, tell)
        return
    waiting = iter(tasks)
    more = True
    # Processes, because vcrpy patches the HTTP libraries of a whole process.
    with Pool(min(jobs, len(tasks)), _performer, replace=True) as pool:
        while True:
            while more and pool.idle and not account.exhausted:
                following = next(waiting, None)
                more = following is not None
                if following is not None:
                    pool.submit(following)
            if not pool.working:
                return
            for message in pool.receive():
                if message.kind == "note":
                    tell(message.content)
                else:
                    yield _outcome(message)


def _performer() -> Callable[[Task, Tell], Outcome]:
    """Runs a task in a worker process."""
    return guarded


def _outcome(message: Message) -> Outcome:
    """The outcome of a task. A worker that dies is an internal error; the other tasks continue.

    Raises:
        ConformanceError: as `perform`.
    """
    if message.kind == "result":
        outcome: Outcome = message.content
        return outcome
    if isinstance(message.content, WorkerDiedError):
        task: Task = message.task
        return Outcome(*task.key, harness_errors=[f"{task.cell.id}: {message.content.message}"])
    raise message.content


def guarded(task: Task, tell: Tell) -> Outcome:
    """Performs a task. An unexpected error becomes an internal error of its outcome; the other tasks continue.

    Raises:
        ConformanceError: as `perform`.
    """
    try:
        return perform(task, tell)
    except ConformanceError:
        raise
    except Exception as error:  # noqa: BLE001 - our own fault, whatever it is: reported as such
        return Outcome(*task.key, harness_errors=[f"{task.cell.id}: {type(error).__name__}: {error}"])
