"""Work in several processes: vcrpy patches the HTTP libraries of a whole process, so no two cells share one."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Self

from conformance.campaign.attempt import Outcome, Task, Tell, perform
from conformance.errors import ConformanceError, HarnessError

_END_SECONDS = 5.0


class Workers:
    """Processes that perform tasks while the context is open; spawned, so that they share nothing with this one."""

    def __init__(self, number: int, tell: Tell) -> None:
        self._context = get_context("spawn")
        self._number = number
        self._tell = tell
        self._idle: list[Connection] = []
        self._busy: dict[Connection, Task] = {}
        self._processes: dict[Connection, BaseProcess] = {}

    def __enter__(self) -> Self:
        for _ in range(self._number):
            self._idle.append(self._start())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection, process in self._processes.items():
            if connection in self._busy:
                process.terminate()  # what it has begun is not wanted any more
            with suppress(OSError):
                connection.close()  # at which an idle one ends by itself
        for process in self._processes.values():
            process.join(_END_SECONDS)
            if process.is_alive():
                process.kill()
                process.join()

    @property
    def free(self) -> bool:
        """Whether another task can be begun."""
        return bool(self._idle)

    @property
    def working(self) -> bool:
        return bool(self._busy)

    def begin(self, task: Task) -> None:
        """Gives a task to a worker that is free."""
        connection = self._idle.pop()
        self._busy[connection] = task
        connection.send(task)

    def results(self) -> Iterator[Outcome]:
        """Waits until at least one worker has said something; what is done.

        Raises:
            ConformanceError: a worker could not go on, as `perform` says.
        """
        ready: Sequence[Any] = wait(list(self._busy))
        for connection in ready:
            try:
                kind, content = connection.recv()
            except (EOFError, OSError):
                task = self._busy.pop(connection)
                process = self._processes.pop(connection)
                process.join(_END_SECONDS)
                self._idle.append(self._start())
                fault = f"{task.cell.id}: the process that ran it died (exit code {process.exitcode})"
                yield Outcome(*task.key, harness_errors=[fault])
                continue
            if kind == "told":
                self._tell(content)
                continue
            if kind == "error":
                raise content
            self._busy.pop(connection)
            self._idle.append(connection)
            yield content

    def _start(self) -> Connection:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs,), daemon=True)
        process.start()
        theirs.close()
        self._processes[ours] = process
        return ours


def _work(connection: Connection) -> None:
    """The life of a worker: a task, what came of it, the next. An interrupt is for the parent, which ends us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            task: Task = connection.recv()
            try:
                connection.send(("done", guarded(task, lambda text: connection.send(("told", text)))))
            except ConformanceError as error:
                # An exception travels by its arguments, and a subclass may have others than ours.
                made = HarnessError if isinstance(error, HarnessError) else ConformanceError
                connection.send(("error", made(error.message, error.hint)))


def guarded(task: Task, tell: Tell) -> Outcome:
    """Performs a task; what we fail at ourselves is a harness error of its outcome, and loses no other.

    Raises:
        ConformanceError: as `perform`.
    """
    try:
        return perform(task, tell)
    except ConformanceError:
        raise
    except Exception as error:  # noqa: BLE001 - our own fault, whatever it is: told as such
        return Outcome(*task.key, harness_errors=[f"{task.cell.id}: {type(error).__name__}: {error}"])
