"""The pool of worker processes: order, keys, failures, deaths and ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from conformance.errors import ConformanceError, HarnessError
from conformance.judge.parallel.pool import Message, Note, Pool, Work, WorkerDiedError
from conformance.judge.parallel.shards import Shards
from devtools.places import ROOT


class TwoPartError(ConformanceError):
    """An exception that cannot be pickled by its arguments."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}", "repair it")


def start(offset: int) -> Work:
    """A worker that carries out one of a few commands, and counts its tasks."""
    done = 0

    def work(task: tuple[str, Any], note: Note) -> Any:
        nonlocal done
        done += 1
        command, value = task
        if command == "add":
            return value + offset
        if command == "count":
            return done
        if command == "note":
            note("under way")
            return len(value)
        if command == "fail":
            raise TwoPartError("file", value)
        if command == "bug":
            return {}[value]
        if command == "closure":
            return lambda: value
        if command == "exit":
            os._exit(value)
        if command == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(value)
        return None

    return work


def broken_start() -> Work:
    raise ConformanceError("no such dialect", "name another")


def messages(pool: Pool) -> Iterator[Message]:
    while pool.working:
        yield from pool.receive()


def test_tasks_go_to_the_least_loaded_worker_and_all_results_come_back() -> None:
    with Pool(2, start, 100) as pool:
        assert len(pool) == 2
        assert [pool.submit(("add", number)) for number in range(6)] == [0, 1, 0, 1, 0, 1]
        assert (pool.pending(0), pool.idle, pool.working) == (3, False, True)
        found = list(messages(pool))
        assert (pool.pending(0), pool.idle, pool.working) == (0, True, False)
    assert {message.task: message.content for message in found} == {("add", n): n + 100 for n in range(6)}
    assert {message.kind for message in found} == {"result"}


def test_the_tasks_of_one_worker_share_its_state_and_are_done_in_order() -> None:
    with Pool(2, start, 0) as pool:
        for number in range(3):
            pool.submit(("count", number), worker=1)
        assert [(each.worker, each.task[1], each.content) for each in messages(pool)] == [
            (1, 0, 1),
            (1, 1, 2),
            (1, 2, 3),
        ]


def test_a_note_arrives_before_the_result_of_its_task() -> None:
    with Pool(1, start, 0) as pool:
        pool.submit(("note", "ab"))
        assert [(each.kind, each.content) for each in messages(pool)] == [("note", "under way"), ("result", 2)]


def test_large_tasks_and_results_do_not_block_each_other() -> None:
    with Pool(2, start, b"x" * 1_000_000) as pool:
        for _ in range(20):
            pool.submit(("add", b"y" * 1_000_000))
        assert [len(message.content) for message in messages(pool)] == [2_000_000] * 20


def test_only_the_workers_that_are_named_are_listened_to() -> None:
    with Pool(2, start, 0) as pool:
        pool.submit(("add", 1), worker=0)
        pool.submit(("add", 2), worker=1)
        assert [message.content for message in pool.receive([1])] == [2]
        assert [message.content for message in pool.receive()] == [1]


@pytest.mark.parametrize(
    ("task", "kind", "text"),
    [
        (("fail", "broken"), ConformanceError, "file: broken; repair it"),
        (("bug", "x"), HarnessError, "KeyError: 'x'; please report it"),
        (("closure", 1), HarnessError, "please report it"),
    ],
)
def test_an_error_is_a_failure_of_its_task_and_the_worker_goes_on(task: Any, kind: type, text: str) -> None:
    with Pool(1, start, 0) as pool:
        pool.submit(task)
        pool.submit(("add", 7))
        failure, result = messages(pool)
    assert (failure.kind, type(failure.content)) == ("failure", kind)
    assert text in str(failure.content)
    assert result.content == 7


def test_a_worker_that_cannot_start_is_a_failure() -> None:
    with Pool(1, broken_start) as pool:
        pool.submit(("add", 1))
        (failure,) = pool.receive()
        assert (failure.kind, str(failure.content)) == ("failure", "no such dialect; name another")
        pool.submit(("add", 2))
        (failure,) = pool.receive()
        assert (failure.kind, str(failure.content)) == ("failure", "no such dialect; name another")


@pytest.mark.parametrize(
    ("task", "how"), [(("exit", 3), r"\(exit code 3\)"), (("kill", None), r"\(killed by SIGKILL\)")]
)
def test_each_task_of_a_worker_that_died_is_a_failure(task: Any, how: str) -> None:
    with Pool(2, start, 0) as pool:
        pool.submit(task, worker=0)
        pool.submit(("add", 1), worker=0)
        pool.submit(("add", 2), worker=1)
        found = sorted(messages(pool), key=lambda message: message.worker)
    assert [(each.task, each.kind) for each in found] == [
        (task, "failure"),
        (("add", 1), "failure"),
        (("add", 2), "result"),
    ]
    with pytest.raises(WorkerDiedError, match=f"a worker process died {how}; run the command again"):
        raise found[0].content


def test_nothing_is_waited_for_where_nothing_is_due() -> None:
    with Pool(2, start, 0) as pool:
        pool.submit(("sleep", 60), worker=0)
        assert list(pool.receive([1])) == []
        assert list(pool.receive([])) == []


def test_an_idle_worker_that_died_is_noticed() -> None:
    with Pool(1, start, 0) as pool:
        (process,) = multiprocessing.active_children()[-1:]
        process.kill()
        process.join()
        pool.submit(("add", 1))
        (failure,) = pool.receive()
    assert (failure.task, failure.kind) == (("add", 1), "failure")


def test_a_worker_that_died_is_replaced_where_that_is_wanted() -> None:
    others = set(multiprocessing.active_children())
    with Pool(1, start, 0, replace=True) as pool:
        pool.submit(("exit", 1))
        assert [message.kind for message in messages(pool)] == ["failure"]
        pool.submit(("add", 5))
        assert [message.content for message in messages(pool)] == [5]
        [worker] = set(multiprocessing.active_children()) - others
        worker.kill()
        worker.join()
        pool.submit(("add", 6))
        assert [message.content for message in messages(pool)] == [6]


def test_leaving_ends_workers_in_the_middle_of_a_task() -> None:
    before = set(multiprocessing.active_children())
    begun = time.monotonic()
    with Pool(2, start, 0) as pool:
        pool.submit(("sleep", 300))
        workers = set(multiprocessing.active_children()) - before
    assert len(workers) == 2
    assert not any(process.is_alive() for process in workers)
    assert time.monotonic() - begun < 30


SLEEPING = """
from conformance.judge.parallel.pool import Pool
from tests.judge.test_pool import start
with Pool(2, start, 0) as pool:
    pool.submit(("add", 1))
    list(pool.receive())
    pool.submit(("sleep", 300))
    print("ready", flush=True)
    list(pool.receive())
"""


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_its_parent(number: signal.Signals) -> None:
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-c", SLEEPING]
    with subprocess.Popen(command, text=True, env=environ, start_new_session=True, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.readline() == "ready\n"
        if number is signal.SIGINT:
            os.killpg(process.pid, number)  # as the terminal does: to all of them
        else:
            process.send_signal(number)
        out, err = process.communicate(timeout=120)  # returns when all are gone that could write there
    assert out == ""
    assert err.count("Traceback") == (number is signal.SIGINT)


def test_a_key_stays_with_its_shard_and_a_new_one_goes_to_the_lightest() -> None:
    shards = Shards(2)
    assert [shards.shard_of(key, weight) for key, weight in [("a", 10), ("b", 1), ("c", 1), ("a", 1), (None, 1)]] == [
        0,
        1,
        1,
        0,
        1,
    ]


def test_only_the_latest_keys_are_remembered() -> None:
    shards = Shards(2, remembered=2)
    for key in ("a", "b", "c"):
        shards.shard_of(key, 10 if key == "a" else 1)
    assert shards.shard_of("a", 1) == 1
