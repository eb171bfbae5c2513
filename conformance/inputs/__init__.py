"""Reads recordings from files, folders and standard input, one exchange at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from os import PathLike, fspath
from typing import IO, Any, TypeVar

from conformance.errors import ConformanceError
from conformance.inputs import jsonl, opening, recording, together, walk
from conformance.inputs.files import Files
from conformance.inputs.formats import format_named, suffixes
from conformance.model.exchange import Exchange
from conformance.model.frozen import dataclass

__all__ = [
    "EndOfFolder",
    "RawRecord",
    "Source",
    "load",
    "must_be_whole",
    "raw_records",
    "read",
    "records_of",
    "sources",
]

RawRecord = Exchange | jsonl.Line
Read = TypeVar("Read", Exchange, RawRecord)
_NAMED = 3
"""So many broken files, and lines, are named."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read, or standard input: `-`. A file in a folder need not be a recording.

    Attributes:
        format: The name of its format; without one, it is detected from the content.
        together: The files, `path` first, that contain its exchanges together; empty if `path` contains all of them.
    """

    path: str
    in_folder: bool = False
    format: str | None = None
    together: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EndOfFolder:
    """Follows the files of a folder. `must_have_records` is False if a file in it was also passed by name."""

    path: str
    must_have_records: bool

    def check(self, *, found: bool, files: Files) -> None:
        """Raises an error for a folder in which no record was found.

        Raises:
            ConformanceError: the folder must have a record, and has none.
        """
        if self.must_have_records and not found:
            raise ConformanceError(
                f"{self.path}: the folder contains no recordings{f'; {files}' if files.not_read else ''}",
                "pass a folder with cassettes, HAR files or logs; `conformance check --help` lists the formats",
            )


PathName = str | PathLike[str]


def read(
    paths: PathName | Sequence[PathName],
    *,
    stdin: IO[Any] | None = None,
    format: str | None = None,  # noqa: A002
    files: Files | None = None,
) -> Iterator[Exchange]:
    """The exchanges of a file or folder, or of several, in order; `-` is standard input.

    `format` is the name of their format (`conformance.inputs.formats`); without one, each file's content decides.
    `files` counts the files that are read, and gets the names of those in folders that are not, with the reasons.
    Exchange JSONL is streamed line by line. A cassette or HAR file is one run: its exchanges share a group.

    Raises:
        ConformanceError: a path or the format does not exist, or (while reading) a file is broken or not a recording;
            for broken files of folders it is raised at the end, after all other exchanges.
    """
    several = [paths] if isinstance(paths, (str, PathLike)) else paths
    files = Files() if files is None else files
    found = sources([fspath(path) for path in several], format, files)
    return _records(found, stdin, files, _opened)


def load(*paths: str | PathLike[str]) -> Iterator[Exchange]:
    """The exchanges of recordings of any kind, in order: files, folders, or both.

    Raises:
        ConformanceError: a path does not exist, or (while reading) a file is not a recording or is broken.
    """
    return read([fspath(path) for path in paths])


def raw_records(
    paths: Sequence[str],
    *,
    stdin: IO[Any] | None = None,
    format: str | None = None,  # noqa: A002 - as of `read`
    files: Files | None = None,
) -> Iterator[RawRecord]:
    """The same, but with the lines of exchange JSONL unparsed: opening one may raise `ConformanceError`.

    Raises:
        ConformanceError: as for `read`.
    """
    files = Files() if files is None else files
    return _records(sources(paths, format, files), stdin, files, lambda record: record)


def _records(
    found: Iterator[Source | EndOfFolder], stdin: IO[Any] | None, files: Files, opened: Callable[[RawRecord], Read]
) -> Iterator[Read]:
    any_in_folder = False
    broken: list[ConformanceError] = []
    for source in found:
        if isinstance(source, EndOfFolder):
            source.check(found=any_in_folder or bool(broken), files=files)
            any_in_folder = False
            continue
        records = records_of(source, files, stdin=stdin)
        while True:
            try:
                record = opened(next(records))
            except StopIteration:
                break
            except ConformanceError as error:  # after an error of the file itself, its records end
                if not source.in_folder:
                    raise
                broken.append(error)
                continue
            any_in_folder = source.in_folder
            yield record
    must_be_whole(broken, files)


def _opened(record: RawRecord) -> Exchange:
    return record.opened() if isinstance(record, jsonl.Line) else record


def must_be_whole(broken: Sequence[ConformanceError], files: Files) -> None:
    """Reports what could not be read, when everything else was; `files` gets it, too.

    Raises:
        ConformanceError: there is something. Its message names the first few.
    """
    for each in broken:
        files.end(each.message)
    if broken:
        named = "; ".join(each.message for each in broken[:_NAMED])
        more = f"; and {len(broken) - _NAMED} more" if len(broken) > _NAMED else ""
        own = broken[0].hint if len(broken) == 1 else None
        hint = f"{own or 'correct these, and check them'}; everything else was judged"
        raise ConformanceError(f"not judged: {named}{more}", hint)


def sources(
    paths: Sequence[str],
    format: str | None = None,  # noqa: A002 - as of `read`
    files: Files | None = None,
) -> Iterator[Source | EndOfFolder]:
    """The files that the paths name or contain, each once, in the order in which they are read.

    `files` gets those that are no recordings by their names.

    Raises:
        ConformanceError: a path or the format does not exist.
    """
    if format is not None:
        format_named(format)
    for path in paths:
        if path != "-":
            walk.must_exist(path)
    return _sources(paths, format, Files() if files is None else files)


def _sources(paths: Sequence[str], wanted: str | None, files: Files) -> Iterator[Source | EndOfFolder]:
    seen: set[str] = set()
    named: list[str] = []
    for path in paths:
        if path == "-":
            yield from _joined(named, wanted, in_folder=False)
            named = []
            if path not in seen:
                yield Source(path, format=wanted)
            seen.add(path)
        elif walk.is_folder(path):
            yield from _joined(named, wanted, in_folder=False)
            named = []
            repeated = False
            for there in walk.folders(path, suffixes(), files):
                new = [file for file in there if walk.is_new(file, seen)]
                repeated = repeated or len(new) < len(there)
                yield from _joined(new, wanted, in_folder=True)
            yield EndOfFolder(path, must_have_records=not repeated)
        elif walk.is_new(path, seen):
            named.append(path)
    yield from _joined(named, wanted, in_folder=False)


def _joined(files: Sequence[str], wanted: str | None, *, in_folder: bool) -> Iterator[Source]:
    """The sources in these files, which were passed one after the other or are in one folder.

    Files that belong together become one source, at the position of the first.
    """
    partners = together.groups_of(files, wanted)
    for file in files:
        if file not in partners:
            yield Source(file, in_folder, wanted)
        elif partners[file].files[0] == file:
            yield Source(file, in_folder, partners[file].format, partners[file].files)


def records_of(source: Source, files: Files, *, stdin: IO[Any] | None = None) -> Iterator[RawRecord]:
    """The records of one source, in order; none for a file in a folder that is not a recording, which `files` gets.

    Raises:
        ConformanceError: it is broken, cannot be read, or (outside a folder) is not a recording or is empty.
    """
    if source.in_folder and not source.together:
        return _if_recording(source, files)
    if source.path == "-":
        records = _some(_standard_input(stdin, source.format), source.format, "standard input")
    elif source.together:
        records = _some(together.exchanges(source.together, source.format), None, source.path)
    else:
        records = _some(recording.exchanges(source.path, source.format), source.format, source.path)
    return _to_the_end(records, files, max(1, len(source.together)))


def _to_the_end(records: Iterator[RawRecord], files: Files, number: int) -> Iterator[RawRecord]:
    """The records of so many files, which count as read if nothing in them is broken."""
    yield from records
    files.read += number


def _standard_input(stdin: IO[Any] | None, wanted: str | None) -> Iterator[RawRecord]:
    stream = stdin or sys.stdin
    if stream is None:
        raise ConformanceError("-: standard input is closed", "pipe a recording into it")
    with opening.failures_of("standard input"):
        try:
            yield from recording.of_stream(getattr(stream, "buffer", stream), "-", wanted)
        except recording.EmptyFileError:
            return


def _if_recording(source: Source, files: Files) -> Iterator[RawRecord]:
    empty = True
    try:
        for exchange in recording.exchanges(source.path, source.format, in_folder=True):
            empty = False
            yield exchange
    except recording.OtherKindError:
        return
    except (recording.NotARecordingError, recording.EmptyFileError) as error:
        files.refuse(source.path, error.message.removeprefix(f"{source.path}: "))
        return
    if empty:
        files.refuse(source.path, "contains no exchanges")
    else:
        files.read += 1


def _some(exchanges: Iterator[RawRecord], format: str | None, name: str) -> Iterator[RawRecord]:  # noqa: A002
    """The same exchanges, of which there must be at least one: an empty recording must not pass."""
    empty = True
    for exchange in exchanges:
        empty = False
        yield exchange
    if empty:
        again = "record it again, or pass another file"
        as_format = f" as {format}" if format else ""
        raise ConformanceError(
            f"{name}: contains no exchanges{as_format}", f"leave out --from, or {again}" if format else again
        )
