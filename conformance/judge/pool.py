"""Judging in several processes, with the findings of one: what belongs to one run goes to one process, in order.

The lines of exchange JSONL are handed on as they are, so that their parsing is shared out as well.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Self

from conformance.errors import ConformanceError, HarnessError
from conformance.inputs import RawRecord
from conformance.inputs.jsonl import Line
from conformance.judge.checker import Checker, Summary
from conformance.judge.rule import all_rules
from conformance.model.finding import Finding

_BATCH = 256
"""How many exchanges a process gets at once: enough to make the way there cheap, few enough to keep all busy."""
_USUAL_SIZE = 10_000
"""What an exchange is taken to weigh whose size is not known, in bytes."""
_RUNS = 8192
"""How many runs have a home at once, the latest ones: far more than the judge keeps open."""

_END_SECONDS = 5.0
"""How long a process that has closed its pipe may take to end."""

Judged = tuple[str, list[Finding]]
"""The source of an exchange, and its findings."""


def settle() -> None:
    """Reads the rules, and has the garbage collector look at them no more: a tenth of the time goes there.

    What judging makes holds no cycles, so that the collector need not come often either.
    """
    all_rules()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


class _Member:
    """One process that judges, and the pipe to it.

    `owes` says that it was sent something and has not answered; `sound` that no message was cut short, as an interrupt
    does: what comes through the pipe after that means nothing.
    """

    def __init__(self, process: BaseProcess, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.owes = False
        self.sound = True

    def tell(self, what: Any) -> None:
        """Sends it something to be answered.

        Raises:
            HarnessError: it is no more.
        """
        self.sound = False
        try:
            self.pipe.send(what)
        except OSError as error:
            raise self._died() from error
        self.sound = self.owes = True

    def heard(self) -> Any:
        """Its answer.

        Raises:
            HarnessError: it is no more.
        """
        self.sound = False
        try:
            answer = self.pipe.recv()
        except (EOFError, OSError) as error:
            raise self._died() from error
        self.sound, self.owes = True, False
        return answer

    def _died(self) -> HarnessError:
        self.process.join(_END_SECONDS)
        return HarnessError(
            f"a process that judges died ({_end_of(self.process.exitcode)}): the rest is not judged",
            "run it again; with less --jobs, if memory ran out",
        )


class Crew:
    """Processes that judge, while the context is open. `summary` holds their counts once all is judged."""

    def __init__(self, jobs: int, dialect: str | None = None) -> None:
        settle()  # once, before the processes part
        forks = "fork" in multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("fork" if forks else "spawn")
        self.summary = Summary()
        self._members: list[_Member] = []
        self._shares = _Shares(jobs)
        with _undisturbed():
            for _ in range(jobs):
                here, there = context.Pipe()
                # A fork has our ends of the pipes, too: while it keeps one open, nobody at its other end learns that
                # we have gone.
                ours = [*(member.pipe for member in self._members), here] if forks else []
                process = context.Process(target=_work, args=(there, dialect, ours), daemon=True)
                process.start()
                there.close()
                self._members.append(_Member(process, here))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for member in self._members:
            member.pipe.close()
        for member in self._members:
            member.process.terminate()
            member.process.join()

    def judge(self, records: Iterable[RawRecord]) -> Iterator[Judged]:
        """The exchanges of all records in their order, each with its findings.

        Raises:
            ConformanceError: a record cannot be read; all before it were told.
            HarnessError: a process died.
        """
        stream = iter(records)
        failure: ConformanceError | None = None
        try:
            while failure is None:
                # A block is read while the processes have the one before, and findings are told while they have it.
                block, failure = self._shares.block(stream)
                found = self._heard()
                if not any(block):
                    yield from _sound(found)
                    break
                for member, part in zip(self._members, block, strict=True):
                    member.tell(part)
                yield from _sound(found)
            yield from _sound(self._heard())
            if failure is not None:
                raise failure
        except HarnessError as error:
            self.summary.harness_errors.append(error.message)
            raise
        finally:
            self._sum_up()

    def _sum_up(self) -> None:
        """Takes over what the processes counted, all that are still there."""
        for member in self._members:
            with suppress(HarnessError):
                if member.owes and member.sound:
                    member.heard()
                if member.sound:
                    member.tell(None)
                    self.summary.add(member.heard())

    def _heard(self) -> list[Judged | ConformanceError]:
        """What all processes found in the block that they have, in the order of the input."""
        found: list[tuple[int, Judged | ConformanceError]] = []
        for member in self._members:
            if member.owes:
                found.extend(member.heard())
        return [result for _, result in sorted(found, key=lambda each: each[0])]


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits meanwhile: a process that has just begun does not yet know that it is not for him."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_of(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"by {signal.Signals(-code).name}"
    return f"exit code {code}"


def _sound(results: list[Judged | ConformanceError]) -> Iterator[Judged]:
    for result in results:
        if isinstance(result, ConformanceError):
            raise result
        yield result


class _Shares:
    """Who judges what: a run stays with the process that began it, the next one goes to who had the least so far."""

    def __init__(self, jobs: int) -> None:
        self._homes: OrderedDict[str, int] = OrderedDict()
        self._loads = [0] * jobs

    def block(self, stream: Iterator[RawRecord]) -> tuple[list[list[tuple[int, RawRecord]]], ConformanceError | None]:
        """The next records, shared out, each with its number in the block; why there are no more, if by an error."""
        parts: list[list[tuple[int, RawRecord]]] = [[] for _ in self._loads]
        try:
            for number, record in enumerate(islice(stream, _BATCH * len(parts))):
                whose = self._home(_run_of(record))
                self._loads[whose] += len(record.text) if isinstance(record, Line) else _USUAL_SIZE
                parts[whose].append((number, record))
        except ConformanceError as error:
            return parts, error
        return parts, None

    def _home(self, run: str | None) -> int:
        home = self._homes.pop(run, None) if run is not None else None
        if home is None:
            home = self._loads.index(min(self._loads))
        if run is not None:
            self._homes[run] = home
            if len(self._homes) > _RUNS:
                self._homes.popitem(last=False)
        return home


def _run_of(record: RawRecord) -> str | None:
    if isinstance(record, Line):
        return record.run
    return record.group or (None if record.conversation is None else f"{record.source}#{record.conversation}")


def _work(pipe: Connection, dialect: str | None, others: Iterable[Connection]) -> None:
    """One process: judges what it is sent, until it is sent None, and then says what it counted; or until nobody is
    there any more. Ctrl-C is for the parent, which ends us. `others` are ends of pipes that are not its own.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in others:
        other.close()
    checker = Checker(dialect)
    with suppress(EOFError, OSError):
        while (part := pipe.recv()) is not None:
            pipe.send([(number, _judged(checker, record)) for number, record in part])
        pipe.send(checker.summary)


def _judged(checker: Checker, record: RawRecord) -> Any:
    try:
        exchange = record.opened() if isinstance(record, Line) else record
        return exchange.source, checker.feed(exchange)
    except ConformanceError as error:
        return error
    except Exception as error:  # noqa: BLE001 - our own fault, whatever it is: told by the parent, as one line
        return HarnessError(f"{record.source}: {type(error).__name__}: {error}", "please report it")
