"""Units of work: some files, or a share of the conversations in them; the result of each is one Parquet file.

The file exists as soon as the unit is done, and never before it is whole: this is what `--resume` goes by.
"""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple

from conformance.errors import ConformanceError
from conformance.inputs import RawRecord, Source, records_of
from conformance.inputs.extra import needed
from conformance.inputs.files import Files
from conformance.judge.judging import Judging, freeze
from conformance.model.frozen import dataclass
from conformance.model.source import split_source
from conformance.scale.judging import Judge, not_judged
from conformance.scale.keys import digest, in_sample, key_of, name_of
from conformance.scale.rows import FINDINGS, Row, pa, table_of

_ROWS = 10_000
"""How many rows are kept before they are written."""
_HEAVY = 32 << 20
"""From this size on, in bytes, what a conversation has more in one file is not sent to its worker, but read there."""
_PART = re.compile(r"part-(\d+)-(\d+)-(\d+)of(\d+)\.parquet")
"""The name of a unit's result."""
_SPLIT = 8
"""Into how many parts a unit is divided whose worker died."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is the same for all units. `by` and `rate` are of `conformance.scale.keys`; `folder` is where paths begin.

    With `lists`, each exchange has a row.
    """

    output: str
    how: Judging = Judging()
    by: str | None = None
    rate: float = 1.0
    lists: bool = False
    folder: str = ""

    def storage(self) -> tuple[Any, str]:
        """The file system of the results, and their folder in it."""
        found, root = needed("fsspec.core", "storage of findings", "arrow").url_to_fs(self.output)
        return found, root


@dataclass(frozen=True, slots=True)
class Unit:
    """Files, each with its number in the job; of `parts` shares of their conversations, this is number `part`."""

    files: tuple[tuple[int, Source], ...]
    part: int = 0
    parts: int = 1

    @property
    def name(self) -> str:
        return f"part-{self.files[0][0]:08}-{len(self.files)}-{self.part}of{self.parts}.parquet"

    def has(self, name: str) -> bool:
        """Whether the conversation of this name is in the share."""
        return self.parts == 1 or digest(name) % self.parts == self.part

    def is_begun(self, done: Iterable[str]) -> bool:
        """Whether a smaller unit of it is among the names of those that are done."""
        found = (_PART.fullmatch(name) for name in done)
        parts = (map(int, each.groups()) for each in found if each is not None)
        return any(
            (file, files) == (self.files[0][0], len(self.files))
            and count > self.parts
            and (count % self.parts, part % self.parts) == (0, self.part)
            for file, files, part, count in parts
        )

    def split(self) -> list[Unit]:
        """The same unit in smaller ones."""
        return [Unit(self.files, self.part + self.parts * each, self.parts * _SPLIT) for each in range(_SPLIT)]


class Item(NamedTuple):
    """A record with its place and the key of its conversation; or the row of what is none."""

    file: int
    number: int
    key: str | None
    name: str
    record: RawRecord | None = None
    row: Row | None = None


def items_of(job: Job, unit: Unit) -> Iterator[Item]:
    """The records of a unit in their order, and what is wrong with its files."""
    for file, source in unit.files:
        files, count, place, before = Files(), 0, {"file": file, "number": -1}, ""
        try:
            for number, record in enumerate(records_of(source, files)):
                place["number"] = number + 1
                try:
                    key = key_of(record, job.by)
                except ConformanceError as error:
                    if unit.part == 0:
                        row = not_judged(record.source, _reason(error, record.source), file=file, number=number)
                        yield Item(file, number, None, "", row=row)
                    continue
                name = name_of(key, record.source)
                if in_sample(name, job.rate) and unit.has(name):
                    count += 1
                    now = split_source(record.source)[0]
                    if now != before:
                        row = {"kind": "file", "source": now, "file": file, "number": number}
                        yield Item(file, number, None, "", row=row)
                    before = now
                    yield Item(file, number, key, name, record)
        except ConformanceError as error:
            if unit.part == 0:
                rest = "" if place["number"] < 0 else "what follows is not read: "
                yield Item(file, -1, None, "", row=not_judged(source.path, rest + _reason(error, source.path), **place))
        refused = files.unread.get(source.path) if unit.part == 0 else None
        row = {"kind": "read", "source": source.path, "message": refused, "file": file, "number": -1, "count": count}
        yield Item(file, -1, None, "", row={**row, "exchange": files.read if unit.part == 0 else 0})


def _reason(error: ConformanceError, source: str) -> str:
    return error.message.removeprefix(f"{source}: ")


def judge_unit(job: Job, unit: Unit) -> int:
    """Judges a unit as one process would, and writes its result; returns the number of its exchanges."""
    _begin(job)
    judge = Judge(job.how, regroups=job.by is not None, lists=job.lists)
    number = 0

    def rows() -> Iterator[Row]:
        nonlocal number
        before = None
        for item in items_of(job, unit):
            if item.file != before and job.by is None:
                judge.forget()
            before = item.file
            if item.record is None:
                yield item.row or {}
                continue
            number += 1
            yield from judge.feed(item.record, item.key, item.file, item.number)
        yield from judge.end()

    write(job, unit, rows())
    return number


def keyed_tables(job: Job, unit: Unit, parts: int) -> Iterator[Any]:
    """The records of a unit as tables for an engine that groups them: by `part`, the share that each belongs to.

    Of a conversation that is large in one file, the rest is there without its records.
    """
    _begin(job)
    rows: list[dict[str, Any]] = []
    sizes: dict[str, int] = {}
    for item in items_of(job, unit):
        content = pickle.dumps(item.record or item.row)
        sizes[item.name] = size = sizes.get(item.name, 0) + len(content)
        light = item.record is None or item.key is None or size <= _HEAVY
        rows.append({
            "part": digest(item.name) % parts if item.record else 0,
            "file": item.file,
            "number": item.number,
            "key": item.key,
            "name": item.name,
            "content": content if light else None,
        })  # fmt: skip
        if len(rows) >= _KEYED or sum(len(row["content"] or b"") for row in rows[-1:]) > _HEAVY:
            yield pa.Table.from_pylist(rows, _SCHEMA)
            rows = []
    if rows:
        yield pa.Table.from_pylist(rows, _SCHEMA)


_KEYED = 256
_SCHEMA = pa.schema([
    *(pa.field(name, pa.int64()) for name in ("part", "file", "number")),
    *(pa.field(name, pa.string()) for name in ("key", "name")),
    pa.field("content", pa.large_binary()),
])  # fmt: skip


def judge_keyed(job: Job, files: Sequence[tuple[int, Source]], parts: int, table: Any) -> int:
    """Judges the share of the conversations that an engine has brought together, and writes its result."""
    _begin(job)
    judge = Judge(job.how, regroups=job.by is not None, lists=job.lists)
    table = table.sort_by([(name, "ascending") for name in ("name", "file", "number")])
    number = 0
    found: list[Row] = []
    for _, group in groupby(_slim(table), lambda row: row["name"]):
        reader = Reader(dict(files))
        for row in group:
            file, place, content = row["file"], row["number"], row["content"]
            record = pickle.loads(content) if content is not None else reader.record(file, place)  # noqa: S301 - ours
            if isinstance(record, dict):
                found.append(record)
            else:
                number += 1
                found += judge.feed(record, row["key"], file, place)
        judge.forget()
    found.sort(key=lambda row: (row["file"], row["number"]))
    write(job, Unit(tuple(files), table["part"][0].as_py(), parts), [*found, *judge.end()])
    return number


def _slim(table: Any) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=_KEYED):
        yield from batch.to_pylist()


class Reader:
    """Reads records by their places; those of one file are asked for in their order, so that it is read once."""

    def __init__(self, files: dict[int, Source]) -> None:
        self._files = files
        self._open: tuple[int, int, Iterator[RawRecord]] = -1, -1, iter(())

    def record(self, file: int, number: int) -> RawRecord:
        """The record at a place.

        Raises:
            ConformanceError: the file has changed.
        """
        now, last, records = self._open
        if now != file or number <= last:
            last, records = -1, records_of(self._files[file], Files())
        for place, record in enumerate(records, last + 1):
            if place == number:
                self._open = file, number, records
                return record
        raise ConformanceError(f"{self._files[file].path}: record {number} is gone", "do not change the inputs")


def write(job: Job, unit: Unit, rows: Iterable[Row]) -> None:
    """Writes the result of a unit, whole or not at all."""
    parquet = needed("pyarrow.parquet", "writing findings", "arrow")
    storage, root = job.storage()
    path = f"{root}/{unit.name}"
    local = "file" in storage.protocol
    temporary = f"{path}.{os.getpid()}.tmp" if local else path  # object storage keeps only what was closed
    with storage.open(temporary, "wb") as file, parquet.ParquetWriter(file, FINDINGS, compression="zstd") as writer:
        kept: list[Row] = []
        for row in rows:
            kept.append(row)
            if len(kept) >= _ROWS:
                writer.write_table(table_of(kept))
                kept = []
        writer.write_table(table_of(kept))
    if local:
        os.replace(temporary, path)  # noqa: PTH105 - paths of fsspec are text


def is_one_conversation(job: Job, unit: Unit) -> bool:
    """Whether a unit cannot be divided further; it is read, and not judged."""
    names: set[str] = set()
    for item in items_of(job, unit):
        names |= {item.name} if item.record is not None else set()
        if len(names) > 1:
            return False
    return True


def give_up(job: Job, unit: Unit, reason: str) -> None:
    """Writes as the result of a unit that nothing of it was judged."""
    rows = (
        item.row or not_judged(item.record.source if item.record else "", reason, file=item.file, number=item.number)
        for item in items_of(job, unit)
    )
    write(job, unit, rows)


Work = Callable[[Job, Unit], int]
"""What a worker does with a unit: `judge_unit`."""


def _begin(job: Job) -> None:
    freeze()
    if job.folder:
        with suppress(OSError):
            os.chdir(job.folder)
