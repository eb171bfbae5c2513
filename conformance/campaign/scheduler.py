"""A campaign: many tasks, one after the other or side by side, within a budget, until they are done or stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.campaign.attempt import Outcome, Task, Tell
from conformance.campaign.cost import Account
from conformance.campaign.workers import Workers, guarded
from conformance.errors import ConformanceError


def run_all(
    tasks: Sequence[Task], account: Account, *, jobs: int = 1, tell: Tell = lambda _: None
) -> Iterator[Outcome]:
    """The outcome of each task as it comes; none is begun any more when the budget is exhausted.

    Raises:
        ConformanceError: a cassette cannot be written, or a target does not answer, or lets nobody in, and never did.
    """
    prices = {task.key: task.endpoint.price for task in tasks}
    reached: set[str] = set()
    for outcome in _outcomes(tasks, account, jobs, tell):
        account.book(outcome.usage, prices[outcome.key])
        if outcome.unreachable and outcome.target not in reached:
            raise ConformanceError(
                f"{outcome.target}: {outcome.refused}", "check the base URL, and whether the server runs"
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
    with Workers(min(jobs, len(tasks)), tell) as workers:
        while True:
            while more and workers.free and not account.exhausted:
                following = next(waiting, None)
                more = following is not None
                if following is not None:
                    workers.begin(following)
            if not workers.working:
                return
            yield from workers.results()
