"""Reading: recordings from files, folders and standard input, one exchange after the other."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs import jsonl, opening, recording, walk
from conformance.model.exchange import Exchange

__all__ = ["RawRecord", "raw_records", "read"]

RawRecord = Exchange | jsonl.Line


def read(paths: Sequence[str], *, stdin: IO[Any] | None = None) -> Iterator[Exchange]:
    """The exchanges of the files and folders, in order; `-` is exchange JSONL from standard input.

    Exchange JSONL is streamed line by line. A cassette or HAR file is one run: its exchanges share a group.

    Raises:
        ConformanceError: a path does not exist, or (while reading) a file is no recording or is broken.
    """
    return (each.opened() if isinstance(each, jsonl.Line) else each for each in raw_records(paths, stdin=stdin))


def raw_records(paths: Sequence[str], *, stdin: IO[Any] | None = None) -> Iterator[RawRecord]:
    """The same, but with the lines of exchange JSONL as they are: opening one may raise `ConformanceError`.

    Raises:
        ConformanceError: a path does not exist, or (while reading) a file is no recording or is broken.
    """
    for path in paths:
        if path != "-":
            walk.must_exist(path)
    return _read(paths, stdin)


def _read(paths: Sequence[str], stdin: IO[Any] | None) -> Iterator[RawRecord]:
    seen: set[str] = set()
    for path in paths:
        if path == "-":
            if path not in seen:
                if stdin is None and sys.stdin is None:
                    raise ConformanceError("-: standard input is closed", "pipe exchange JSONL into it")
                yield from _standard_input(stdin or sys.stdin)
            seen.add(path)
        elif Path(path).is_dir():
            yield from _folder(path, seen)
        elif walk.is_new(path, seen):
            yield from _some(recording.exchanges(path), path)


def _standard_input(stream: IO[Any]) -> Iterator[RawRecord]:
    with opening.failures_of("standard input"):
        lines = opening.unzipped(getattr(stream, "buffer", stream))
        yield from _some(jsonl.lines(lines, "-"), "standard input")


def _folder(path: str, seen: set[str]) -> Iterator[RawRecord]:
    """The recordings of a folder; what obviously is none is passed over."""
    found = False
    for file in walk.files(path):
        if not walk.is_new(file, seen):
            found = True
            continue
        try:
            for exchange in recording.exchanges(file):
                found = True
                yield exchange
        except recording.NotARecordingError:
            continue
    if not found:
        raise ConformanceError(
            f"{path}: no recording in this folder", "name a folder that holds cassettes, HAR files or exchange JSONL"
        )


def _some(exchanges: Iterator[RawRecord], name: str) -> Iterator[RawRecord]:
    """The same exchanges, of which there must be at least one: nothing is green by emptiness."""
    empty = True
    for exchange in exchanges:
        empty = False
        yield exchange
    if empty:
        raise ConformanceError(f"{name}: holds no exchange", "record it again, or name another file")
