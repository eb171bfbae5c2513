"""A pool of worker processes that keep their state from one task to the next.

`concurrent.futures` has no such pool: its tasks cannot choose their worker, it does not report how a worker died, and
its workers go on when their parent is killed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from typing import Any, Literal, Self

from conformance.errors import ConformanceError, HarnessError
from conformance.model.frozen import dataclass

Note = Callable[[Any], None]
"""Sends a message to the parent while a task is running."""
Work = Callable[[Any, Note], Any]
"""Carries out one task in a worker, and returns its result."""

_DEEPEST = 20_000
"""The recursion limit for sending deep values, which JSON bounds to about a thousand levels."""
_END_SECONDS = 5.0
"""The time that a worker has to end after its pipe was closed."""


class WorkerDiedError(HarnessError):
    """A worker process ended before its tasks were done."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a worker sent about a task. A `failure` has a `ConformanceError` as its content."""

    worker: int
    task: Any
    kind: Literal["note", "result", "failure"]
    content: Any


class _Worker:
    """One process, the pipe to it, and the tasks that it has not finished, in the order in which it gets them."""

    def __init__(self, process: SpawnProcess, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.pending: deque[Any] = deque()
        self.error: ConformanceError | None = None
        """Why it cannot do tasks, once that is known."""

    def death(self) -> WorkerDiedError:
        self.process.join(_END_SECONDS)
        return WorkerDiedError(
            f"a worker process died ({_end_of(self.process.exitcode)})",
            "run the command again, with fewer --jobs if memory ran out",
        )


class Pool:
    """Spawned worker processes, from entering the context until leaving it; leaving it ends unfinished tasks as well.

    Each worker calls `start(*arguments)` once and applies the function that it returns to every task it gets; all
    of these, the tasks and what is sent back are pickled. Workers ignore Ctrl-C: the parent ends them. They also end
    when the parent is killed. With `replace`, a new worker takes the place of one that died.
    """

    def __init__(self, jobs: int, start: Callable[..., Work], *arguments: Any, replace: bool = False) -> None:
        self._context = get_context("spawn")
        self._start = start
        self._arguments = arguments
        self._replace = replace
        self._jobs = jobs
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        with _interrupts_delayed():
            for _ in range(self._jobs):
                self._workers.append(self._spawn())
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            if worker.pending:
                worker.process.terminate()
            with suppress(OSError):
                worker.pipe.close()  # an idle worker exits when its pipe is closed
        for worker in self._workers:
            worker.process.join(_END_SECONDS)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    def __len__(self) -> int:
        return self._jobs

    def pending(self, worker: int) -> int:
        """The number of tasks that a worker has been given and has not finished."""
        return len(self._workers[worker].pending)

    @property
    def idle(self) -> bool:
        """Whether a worker has no task."""
        return any(not worker.pending for worker in self._workers)

    @property
    def working(self) -> bool:
        """Whether a task is unfinished."""
        return any(worker.pending for worker in self._workers)

    def submit(self, task: Any, *, worker: int | None = None) -> int:
        """Assigns a task to a worker, by default to one with the fewest unfinished tasks.

        Returns:
            The number of the worker. If it is dead and not replaced, `receive` reports the failure.
        """
        number = min(range(self._jobs), key=self.pending) if worker is None else worker
        if self._replace and not self.pending(number) and not self._workers[number].process.is_alive():
            self._workers[number].pipe.close()
            with _interrupts_delayed():
                self._workers[number] = self._spawn()
        chosen = self._workers[number]
        chosen.pending.append(task)
        with suppress(OSError):  # it died; `receive` finds the pipe closed
            _send(chosen.pipe, task)
        return number

    def receive(self, workers: Collection[int] | None = None) -> Iterator[Message]:
        """What workers (by default, all) have sent; waits for it, if one of them has a task.

        The messages of one worker arrive in order. If it died, each of its tasks has a failure.
        """
        numbers = range(self._jobs) if workers is None else workers
        listened: dict[Any, int] = {self._workers[number].pipe: number for number in numbers if self.pending(number)}
        for pipe in wait(list(listened)) if listened else ():
            number = listened[pipe]
            worker = self._workers[number]
            try:
                kind, content = worker.pipe.recv()
            except (EOFError, OSError):
                kind, content = "end", worker.death()
            if kind == "end":
                lost = list(worker.pending)
                worker.pending.clear()
                worker.error = worker.error or content
                for task in lost:
                    yield Message(number, task, "failure", worker.error)
            else:
                yield Message(number, worker.pending[0] if kind == "note" else worker.pending.popleft(), kind, content)

    def _spawn(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._start, self._arguments), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)


def _send(pipe: Connection, content: Any) -> None:
    """Sends it, also if it has a value that is nested as deeply as JSON may be: to pickle one takes more calls."""
    try:
        pipe.send(content)
    except RecursionError:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(_DEEPEST)
        try:
            pipe.send(content)
        finally:
            sys.setrecursionlimit(before)


@contextmanager
def _interrupts_delayed() -> Iterator[None]:
    """Blocks Ctrl-C: a new process inherits the block until it ignores the signal itself."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # if the resource tracker is started later, it unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_of(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"


def _serve(pipe: Connection, start: Callable[..., Work], arguments: tuple[Any, ...]) -> None:
    """A worker process: one task after the other until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    inbox = _Inbox(pipe)
    with suppress(EOFError, OSError):
        try:
            work = start(*arguments)
        except Exception as error:  # noqa: BLE001 - reported by the parent
            pipe.send(("end", _portable(error)))
            return
        for task in inbox:
            try:
                _send(pipe, ("result", work(task, lambda content: _send(pipe, ("note", content)))))
            except Exception as error:  # noqa: BLE001 - reported by the parent
                pipe.send(("failure", _portable(error)))


class _Inbox:
    """The tasks of a worker, received by a thread.

    Then the parent can always send, even to a worker that is sending itself, and a worker notices at once that the
    parent has exited: it ends even in the middle of a task.
    """

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._tasks: SimpleQueue[tuple[Any] | None] = SimpleQueue()
        self._received = self._done = 0
        threading.Thread(target=self._receive, daemon=True).start()

    def __iter__(self) -> Iterator[Any]:
        while (item := self._tasks.get()) is not None:
            yield item[0]
            self._done += 1

    def _receive(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                task = self._pipe.recv()
                self._received += 1
                self._tasks.put((task,))
        if self._received > self._done:  # also if the task has not begun yet: nobody waits for it any more
            os._exit(1)
        self._tasks.put(None)


def _portable(error: Exception) -> ConformanceError:
    """The error in a form that can be pickled: a subclass may have other arguments."""
    if isinstance(error, ConformanceError):
        made = HarnessError if isinstance(error, HarnessError) else ConformanceError
        return made(error.message, error.hint)
    return HarnessError(f"{type(error).__name__}: {error}", "please report it")
