"""Judges in several processes, with the same findings as one process, in the same order.

The exchanges of one run are judged by one worker. Runs never span files, so the workers read the files: a small file
is read by one of them, a large file of exchange JSONL by all of them, each of which parses and judges its own share of
the runs. Only what workers cannot open (standard input, a pipe) is read here and sent to them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import count, islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from conformance.errors import ConformanceError, HarnessError
from conformance.inputs import EndOfFolder, RawRecord, Source, must_be_whole, records_of, sources
from conformance.inputs.files import Files
from conformance.inputs.recording import is_jsonl
from conformance.judge.judging import Judged, Judging
from conformance.judge.parallel.pool import Message, Pool, WorkerDiedError
from conformance.judge.parallel.shards import Shards
from conformance.judge.parallel.shared_work import FileTask, Item, RecordsTask, shard_of, start
from conformance.judge.summary import Summary
from conformance.model.frozen import dataclass

_SHARED_SIZE = 1 << 18
"""Exchange JSONL from this size on, in bytes, is divided among the workers."""
_BLOCK = 256
"""How many records a worker is sent at once."""
_AHEAD = 2
"""How many tasks a worker has at once, so that the next one is ready when it has finished one."""
_BUFFERED = 20_000
"""How many judged exchanges of a worker may wait for earlier ones; beyond that, the worker waits as well."""


@dataclass(slots=True)
class _Unit:
    """A unit of work: a file, or a block of records. Results are reported unit by unit.

    `tasks` are for any worker, or for a certain one. `items` has what each worker has sent and is not reported yet;
    `unfinished` are the workers that have more to send. `error` is why there are no units after this one.
    """

    number: int
    tasks: Sequence[tuple[int | None, FileTask | RecordsTask]] = ()
    in_folder: bool = False
    end: EndOfFolder | None = None
    error: ConformanceError | None = None
    items: dict[int, deque[Item]] = field(default_factory=dict)
    unfinished: set[int] = field(default_factory=set)


class ParallelChecker:
    """Judges recordings in worker processes, while the context is open.

    `summary` has the counts of everything that the workers have reported so far.
    """

    def __init__(self, jobs: int, how: Judging = Judging()) -> None:  # noqa: B008 - it cannot change
        self._pool = Pool(jobs, start, how)
        self._counts = [Summary() for _ in range(jobs)]
        self._tables = Summary()
        self._deaths: list[str] = []
        self._coming: Iterator[_Unit] = iter(())
        self._next: _Unit | None = None
        self._begun: dict[int, _Unit] = {}
        self._buffered = [0] * jobs

    def __enter__(self) -> Self:
        self._pool.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.__exit__(kind, error, trace)

    @property
    def summary(self) -> Summary:
        total = Summary(harness_errors=list(self._deaths))
        for counts in (*self._counts, self._tables):
            total.add(counts)
        return total

    def judge(
        self,
        paths: Sequence[str],
        *,
        stdin: IO[Any] | None = None,
        format: str | None = None,  # noqa: A002 - as `read`
    ) -> Iterator[Judged]:
        """The exchanges of the paths in their order, each with its findings.

        Raises:
            ConformanceError: a path or a record cannot be read; everything before it was reported, or everything else
                where it lies in a folder.
            HarnessError: a worker process died.
        """
        files = self._tables.files
        self._coming = _units(sources(paths, format, files), stdin, len(self._pool), files)
        found_in_folder = False
        broken: list[ConformanceError] = []
        while True:
            self._submit()
            if not self._begun:
                break
            unit = next(iter(self._begun.values()))
            for _, source, result in self._items(unit):
                if isinstance(result, HarnessError) or (isinstance(result, ConformanceError) and not unit.in_folder):
                    raise result
                if isinstance(result, ConformanceError):
                    broken.append(result)
                    continue
                found_in_folder = unit.in_folder
                yield source, result
            if unit.error is not None:
                raise unit.error
            if unit.end is not None:
                unit.end.check(found=found_in_folder or bool(broken), files=self._tables.files)
                found_in_folder = False
            del self._begun[unit.number]
        must_be_whole(broken, files)

    def _submit(self) -> None:
        """Assigns the next units to workers, as long as these have few enough tasks."""
        workers = range(len(self._pool))
        while min(map(self._pool.pending, workers)) < _AHEAD:
            self._next = unit = self._next or next(self._coming, None)
            if unit is None or any(
                worker is not None and self._pool.pending(worker) >= _AHEAD for worker, _ in unit.tasks
            ):
                return
            for worker, task in unit.tasks:
                number = self._pool.submit(task, worker=worker)
                unit.items[number] = deque()
                unit.unfinished.add(number)
            self._begun[unit.number] = unit
            self._next = None

    def _items(self, unit: _Unit) -> Iterator[Item]:
        """The items of a unit in the order of their numbers, as they arrive."""
        while True:
            awaited = {worker for worker in unit.unfinished if not unit.items[worker]}
            if awaited:
                self._receive(awaited)
                continue
            ready = [worker for worker, items in unit.items.items() if items]
            if not ready:
                return
            first = min(ready, key=lambda worker: unit.items[worker][0][0])
            self._buffered[first] -= 1
            yield unit.items[first].popleft()

    def _receive(self, awaited: set[int]) -> None:
        """Receives what workers have sent: the awaited ones, and others unless they are far ahead."""
        self._submit()
        listened = {worker for worker, buffered in enumerate(self._buffered) if buffered < _BUFFERED}
        for message in self._pool.receive(listened | awaited):
            self._take(message)

    def _take(self, message: Message) -> None:
        if isinstance(message.content, WorkerDiedError):
            hint = "run the command again, with fewer --jobs if memory ran out"
            error = HarnessError(f"{message.content.message}: the remaining exchanges were not checked", hint)
            self._deaths.append(error.message)
            raise error
        if message.kind == "failure":
            raise message.content
        unit = self._begun[message.task.unit]
        items, self._counts[message.worker], tables = message.content
        self._tables.add(tables)
        self._buffered[message.worker] += len(items)
        unit.items[message.worker].extend(items)
        if message.kind == "result":
            unit.unfinished.discard(message.worker)


def _units(found: Iterator[Source | EndOfFolder], stdin: IO[Any] | None, jobs: int, files: Files) -> Iterator[_Unit]:
    numbers = count()
    for source in found:
        if isinstance(source, EndOfFolder):
            yield _Unit(next(numbers), end=source)
        elif source.path == "-" or not Path(source.path).is_file():
            yield from _blocks(source, stdin, numbers, jobs, files)
        elif jobs > 1 and _is_large(source) and is_jsonl(source.path, source.format):
            number = next(numbers)
            tasks = [(shard, FileTask(number, source, shard, jobs)) for shard in range(jobs)]
            yield _Unit(number, tasks, source.in_folder)
        else:
            number = next(numbers)
            yield _Unit(number, [(None, FileTask(number, source))], source.in_folder)


def _is_large(source: Source) -> bool:
    return not source.together and Path(source.path).stat().st_size >= _SHARED_SIZE


def _blocks(source: Source, stdin: IO[Any] | None, numbers: Iterator[int], jobs: int, files: Files) -> Iterator[_Unit]:
    """Units of records that are read here; if reading fails, the last one has the error."""
    records, shards = records_of(source, files, stdin=stdin), Shards(jobs)
    error: ConformanceError | None = None
    while error is None:
        parts: dict[int, list[tuple[int, RawRecord]]] = {}
        try:
            for each, record in enumerate(islice(records, _BLOCK * jobs)):
                parts.setdefault(shard_of(record, shards), []).append((each, record))
        except ConformanceError as caught:
            error = caught
        if not parts and error is None:
            return
        number = next(numbers)
        tasks = [(shard, RecordsTask(number, part)) for shard, part in parts.items()]
        yield _Unit(number, tasks, source.in_folder, error=error)
