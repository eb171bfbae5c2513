"""Judging in several processes, with the findings of one: what belongs to one run goes to one process, in order.

The lines of exchange JSONL are handed on as they are, so that their parsing is shared out as well.
"""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Self
from zlib import crc32

from conformance.checker import Checker, Summary
from conformance.errors import ConformanceError
from conformance.finding import Finding
from conformance.inputs import Unopened
from conformance.inputs.jsonl import Line
from conformance.rule import all_rules

_BATCH = 256
"""How many exchanges a process gets at once: enough to make the way there cheap, few enough to keep all busy."""

Judged = tuple[str, list[Finding]]
"""The source of an exchange, and its findings."""


def settle() -> None:
    """Reads the rules, and has the garbage collector look at them no more: a tenth of the time goes there.

    What judging makes holds no cycles, so that the collector need not come often either.
    """
    all_rules()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


class Crew:
    """Processes that judge, while the context is open. `summary` holds their counts once all is judged."""

    def __init__(self, jobs: int, dialect: str | None = None) -> None:
        settle()  # once, before the processes part
        context: Any = multiprocessing.get_context(
            "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
        )
        self.summary = Summary()
        self._busy = False
        self._pipes: list[Connection] = []
        self._processes = []
        for _ in range(jobs):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, dialect), daemon=True)
            process.start()
            there.close()
            self._pipes.append(here)
            self._processes.append(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.terminate()
            process.join()

    def judge(self, records: Iterable[Unopened]) -> Iterator[Judged]:
        """The exchanges of all records in their order, each with its findings.

        Raises:
            ConformanceError: a record cannot be read; all before it were told.
        """
        stream = iter(records)
        failure: ConformanceError | None = None
        try:
            while failure is None:
                # A block is read while the processes have the one before, and findings are told while they have it.
                block, failure = _block(stream, len(self._pipes))
                found = self._heard()
                self._send(block)
                yield from _sound(found)
                if not self._busy:
                    break
            yield from _sound(self._heard())
            if failure is not None:
                raise failure
        finally:
            self._heard()
            for pipe in self._pipes:
                pipe.send(None)
                self.summary.add(pipe.recv())

    def _send(self, block: list[list[tuple[int, Unopened]]]) -> None:
        self._busy = any(block)
        if self._busy:
            for pipe, part in zip(self._pipes, block, strict=True):
                pipe.send(part)

    def _heard(self) -> list[Judged | ConformanceError]:
        """What all processes found in the block that they have, in the order of the input."""
        found: list[tuple[int, Judged | ConformanceError]] = []
        if self._busy:
            for pipe in self._pipes:
                found.extend(pipe.recv())
        self._busy = False
        return [result for _, result in sorted(found, key=lambda each: each[0])]


def _sound(results: list[Judged | ConformanceError]) -> Iterator[Judged]:
    for result in results:
        if isinstance(result, ConformanceError):
            raise result
        yield result


def _block(stream: Iterator[Unopened], jobs: int) -> tuple[list[list[tuple[int, Unopened]]], ConformanceError | None]:
    """The next records, shared out, each with its number in the block; and why there are no more, if by an error."""
    parts: list[list[tuple[int, Unopened]]] = [[] for _ in range(jobs)]
    try:
        for number, record in enumerate(islice(stream, _BATCH * jobs)):
            run = _run_of(record)
            whose = number if run is None else crc32(run.encode("utf-8", "surrogatepass"))
            parts[whose % jobs].append((number, record))
    except ConformanceError as error:
        return parts, error
    return parts, None


def _run_of(record: Unopened) -> str | None:
    if isinstance(record, Line):
        return record.run
    return record.group or (None if record.conversation is None else f"{record.source}#{record.conversation}")


def _work(pipe: Connection, dialect: str | None) -> None:
    """One process: judges what it is sent, until it is sent None; then says what it counted."""
    checker = Checker(dialect)
    while True:
        try:
            part = pipe.recv()
        except EOFError:
            return
        if part is None:
            pipe.send(checker.summary)
            return
        pipe.send([(number, _judged(checker, record)) for number, record in part])


def _judged(checker: Checker, record: Unopened) -> Any:
    try:
        exchange = record.opened() if isinstance(record, Line) else record
    except ConformanceError as error:
        return error
    return exchange.source, checker.feed(exchange)
