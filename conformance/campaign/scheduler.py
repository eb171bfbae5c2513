"""Runs the tasks of a campaign, in one process or several, within a budget, while their endpoints answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from conformance.campaign.attempt import Notify
from conformance.campaign.cost import Account
from conformance.campaign.failures import scripted_to_fail
from conformance.campaign.health import Health
from conformance.campaign.task import Outcome, Task
from conformance.errors import ConformanceError
from conformance.judge.parallel.pool import Message, Pool, WorkerDiedError

Perform = Callable[[Task, Notify], Outcome]
"""Runs a task to its end."""


def run_all(
    tasks: Sequence[Task], account: Account, perform: Perform, *, jobs: int, notify: Notify
) -> Iterator[Outcome]:
    """The outcome of each task as it comes. No task starts once the budget is spent.

    The tasks of an endpoint that is given up are not started; their outcomes have the reason.

    Raises:
        ConformanceError: a cassette cannot be written.
    """
    by_key = {task.key: task for task in tasks}
    endpoints = _Endpoints(tasks)
    for outcome in _outcomes(tasks, account, partial(guarded, perform), endpoints, jobs=jobs, notify=notify):
        task = by_key[outcome.key]
        account.book(outcome.usage, task.endpoint.price)
        if not outcome.started or (outcome.trouble is None and (scripted_to_fail(task.cell) or outcome.harness_errors)):
            yield outcome
            continue
        health = endpoints.of(task)
        cell = task.cell.scenario.id, task.cell.id
        yield from (_decided(each, health) for each in health.add(outcome, cell, outcome.trouble))
    for health in endpoints.all():
        yield from (_decided(each, health) for each in health.finish())


class _Endpoints:
    """The health of each endpoint of a campaign: of each target, in each dialect."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        scenarios: dict[tuple[str, str], set[str]] = {}
        for task in tasks:
            scenarios.setdefault(_endpoint(task), set()).add(task.cell.scenario.id)
        self._health = {key: Health[Outcome](len(each)) for key, each in scenarios.items()}

    def of(self, task: Task) -> Health[Outcome]:
        return self._health[_endpoint(task)]

    def all(self) -> list[Health[Outcome]]:
        return list(self._health.values())

    def ready(self, task: Task) -> Task | Outcome:
        """The task with its deadline, or its outcome if the endpoint has been given up."""
        health = self.of(task)
        if health.given_up is None:
            return replace(task, deadline=health.deadline())
        return Outcome(*task.key, refused=health.given_up.what, trouble=health.given_up, started=False)


def _endpoint(task: Task) -> tuple[str, str]:
    return task.cell.target, task.cell.dialect


def _decided(outcome: Outcome, health: Health[Outcome]) -> Outcome:
    """The outcome as it is reported: refused if its endpoint was given up, else without the trouble."""
    if outcome.trouble is None:
        return outcome
    if health.given_up is None:
        return replace(outcome, trouble=None)
    return replace(outcome, refused=outcome.trouble.what, findings=[], exchanges=0, observation=None)


def _outcomes(
    tasks: Sequence[Task],
    account: Account,
    perform: Perform,
    endpoints: _Endpoints,
    *,
    jobs: int,
    notify: Notify,
) -> Iterator[Outcome]:
    if jobs == 1 or len(tasks) < 2:
        for task in tasks:
            if account.exhausted:
                return
            ready = endpoints.ready(task)
            yield ready if isinstance(ready, Outcome) else perform(ready, notify)
        return
    waiting = iter(tasks)
    more = True
    # Processes, because vcrpy patches the HTTP libraries of a whole process.
    with Pool(min(jobs, len(tasks)), partial(_performer, perform), replace=True) as pool:
        while True:
            while more and pool.idle and not account.exhausted:
                following = next(waiting, None)
                more = following is not None
                if following is not None:
                    ready = endpoints.ready(following)
                    if isinstance(ready, Outcome):
                        yield ready
                    else:
                        pool.submit(ready)
            if not pool.working:
                return
            for message in pool.receive():
                if message.kind == "note":
                    notify(message.content)
                else:
                    yield _outcome(message)


def _performer(perform: Perform) -> Perform:
    """What a worker process does with a task."""
    return perform


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


def guarded(perform: Perform, task: Task, notify: Notify) -> Outcome:
    """Performs a task. An unexpected error becomes an internal error of its outcome; the other tasks continue.

    Raises:
        ConformanceError: as `perform`.
    """
    try:
        return perform(task, notify)
    except ConformanceError:
        raise
    except Exception as error:  # noqa: BLE001 - our own fault, whatever it is: reported as such
        return Outcome(*task.key, harness_errors=[f"{task.cell.id}: {type(error).__name__}: {error}"])
