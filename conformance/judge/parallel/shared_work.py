"""The work of a worker process of `ParallelChecker`: it reads and judges a file, a part of one, or sent records."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.errors import ConformanceError, HarnessError
from conformance.inputs import RawRecord, Source, records_of
from conformance.inputs.files import Files
from conformance.inputs.jsonl import Line
from conformance.judge.cause import CauseKey, lean
from conformance.judge.checker import Checker
from conformance.judge.judging import Judging, forget, freeze
from conformance.judge.parallel.pool import Note, Work
from conformance.judge.parallel.shards import Shards
from conformance.judge.summary import Summary
from conformance.model.finding import Finding
from conformance.model.frozen import dataclass
from conformance.profiles.profiles import add

Item = tuple[int, str, list[Finding] | ConformanceError]
"""The number of an exchange in its unit, its source, and its findings, or why it cannot be read."""
Batch = tuple[list[Item], Summary, Summary]
"""Judged exchanges, the counts of all that the worker has judged so far, and the tables since the last batch."""

_BATCH = 64
"""How many judged exchanges a worker sends at once."""
_ASSUMED_SIZE = 10_000
"""The weight of an exchange whose size is not known, in bytes."""


@dataclass(frozen=True, slots=True)
class FileTask:
    """Read a file, and judge the runs of one shard; the other shards are for other workers."""

    unit: int
    source: Source
    shard: int = 0
    shards: int = 1


@dataclass(frozen=True, slots=True)
class RecordsTask:
    """Judge these records, each with its number in the unit."""

    unit: int
    records: list[tuple[int, RawRecord]]


def shard_of(record: RawRecord, shards: Shards) -> int:
    """The shard of a record: that of its run.

    Raises:
        ConformanceError: the record is a line that is not JSON.
    """
    if isinstance(record, Line):
        return shards.shard_of(record.run, len(record.text))
    run = record.group or (None if record.conversation is None else f"{record.source}#{record.conversation}")
    return shards.shard_of(run, _ASSUMED_SIZE)


def start(how: Judging) -> Work:
    """Called once in each worker process."""
    if how.profile is not None:
        add(how.profile)
    freeze()
    checker = Checker(how.dialect, profile=how.profile)
    known: set[CauseKey] = set()

    def batch(items: list[Item]) -> Batch:
        tables = checker.summary.tables()
        return items, checker.summary, tables

    def work(task: FileTask | RecordsTask, note: Note) -> Batch:
        items: list[Item] = []
        for item in _items(task, checker, known):
            items.append(item)
            if len(items) == _BATCH:
                note(batch(items))
                items = []
        return batch(items)

    return work


def _items(task: FileTask | RecordsTask, checker: Checker, known: set[CauseKey]) -> Iterator[Item]:
    if isinstance(task, FileTask):
        forget(checker)
    for number, record in _records(task, checker.summary):
        if isinstance(record, ConformanceError):
            yield number, "", record
        else:
            judged = _judged(record, checker)
            yield number, record.source, judged if isinstance(judged, ConformanceError) else list(lean(judged, known))


def _records(task: FileTask | RecordsTask, summary: Summary) -> Iterator[tuple[int, RawRecord | ConformanceError]]:
    """The numbered records of a task; if reading fails, the last item is the error."""
    if isinstance(task, RecordsTask):
        yield from task.records
        return
    shards = Shards(task.shards)
    number = -1
    files = Files()
    try:
        for number, record in enumerate(records_of(task.source, files)):
            if task.shards == 1 or shard_of(record, shards) == task.shard:
                yield number, record
    except ConformanceError as error:
        yield number + 1, error
    if task.shard == 0:  # each of the workers reads a shared file
        summary.files.add(files)


def _judged(record: RawRecord, checker: Checker) -> list[Finding] | ConformanceError:
    try:
        return checker.feed(record.opened() if isinstance(record, Line) else record)
    except ConformanceError as error:
        return error
    except Exception as error:  # noqa: BLE001 - our own fault: reported by the parent, in one line
        return HarnessError(f"{record.source}: {type(error).__name__}: {error}", "please report it")
