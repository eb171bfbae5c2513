"""Reads the exchanges of one file. Its content shows the format; if that is ambiguous, its name decides."""

from __future__ import annotations

import codecs
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs import bodies, interactions, jsonl, largejson, opening, parquet
from conformance.inputs.format import Format, Record
from conformance.inputs.formats import exchanges as exchanges_format
from conformance.inputs.formats import format_named, format_of, format_of_bytes
from conformance.model.exchange import Exchange
from conformance.model.frozen import dataclass
from conformance.model.printable import count

_KINDS = "`conformance check --help` lists the formats that can be read; --from NAME chooses one"
_LINE = "each line must be an object with `request` and `response`, as docs/logs.md shows"
_DETECT = "leave --from out: the format is detected from the content"
_UNKNOWN = "not a recording in a known format"
_LOG_LINE = re.compile(
    rb"\[\d\d:\d\d:\d\d[.\d]*\]|\S+: (GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) |\s*<< |HTTP\(S\) proxy "
)
"""What mitmdump prints on standard output besides a document."""
_HARDUMP = "write the recording to standard output: `mitmdump -nr FLOWS --set hardump=-`"
_MARKS = (b"interactions", b'"request"', b'"entries"', b"\nrequests:", b"\nresponses:", b"\nthen:", b'"resourceSpans"')
_HEAD = 1 << 12
"""How many bytes are inspected to detect a format that is neither JSON nor YAML."""
_LARGE = 1 << 23
"""From this size on, in bytes, a JSON document that is a list is read one element at a time."""
_NOTHING = object()
EXCHANGES = exchanges_format.FORMAT


class NotARecordingError(ConformanceError):
    """The file is not a recording. In a folder it is skipped."""


class OtherKindError(NotARecordingError):
    """The file is one of ours that never is a recording, such as a report: nobody misses it in a verdict."""


class EmptyFileError(ConformanceError):
    """The file is empty."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A file that was read as a whole. `metadata` is vcrpy's; other formats have none."""

    metadata: dict[str, Any]
    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class _Opened:
    """An open file: its format and its values, or for exchange JSONL its first lines; neither if bytes are read.

    `rows` are those of a Parquet file of exchanges.
    """

    format: Format
    records: Iterable[Record] | None = None
    start: list[bytes] | None = None
    rows: Iterator[jsonl.Line] | None = None
    detected: bool = True
    """Whether it looks like this format; with --from it may be read even if it does not."""


def exchanges(path: str, wanted: str | None = None, *, in_folder: bool = False) -> Iterator[Exchange | jsonl.Line]:
    """The exchanges of a file of any kind; those of exchange JSONL as lines that are not parsed yet.

    `wanted` is the name of its format; without one, the content decides. A file in a folder must look like the format.

    Raises:
        NotARecordingError: the file is something else.
        ConformanceError: the recording is broken or cannot be read; or there is no such format.
    """
    with opening.opened(path) as stream:
        yield from of_stream(stream, path, wanted, in_folder=in_folder)


def of_stream(
    stream: IO[Any], path: str, wanted: str | None = None, *, in_folder: bool = False
) -> Iterator[Exchange | jsonl.Line]:
    """The same for an open file or a pipe; `path` is its name.

    Raises:
        ConformanceError: as for `exchanges`.
    """
    bodies.begin_file()
    binary = opening.binary(stream)
    opened = _opened(binary, path, wanted)
    if in_folder and not opened.detected:
        raise NotARecordingError(f"{path}: {_UNKNOWN}", _DETECT)
    if opened.rows is not None:
        yield from opened.rows
    elif opened.start is not None:
        yield from jsonl.lines(binary, path, opened.start)
    else:
        yield from _read(opened, binary, path)


def is_recording(path: str) -> bool:
    """Whether a file is a recording of any kind, a broken one included."""
    try:
        next(exchanges(path), None)
    except NotARecordingError:
        return False
    except ConformanceError:
        return True
    return True


def is_jsonl(path: str, wanted: str | None = None) -> bool:
    """Whether a file is exchange JSONL, by its first line; False also where the file is broken."""
    with suppress(ConformanceError), opening.opened(path) as stream:
        return _opened(opening.binary(stream), path, wanted).start is not None
    return False


def document(path: str) -> Recording:
    """A whole recording of any format except exchange JSONL.

    Raises:
        ConformanceError: the file is something else, or is broken.
    """
    with opening.opened(path) as stream:
        return _whole(opening.binary(stream), path)


def parsed(data: bytes, path: str) -> Recording:
    """The recording in these bytes; `path` is the file that they are from, or will be written to.

    Raises:
        ConformanceError: as for `document`.
    """
    return _whole(opening.binary(io.BytesIO(data)), path)


def _whole(stream: IO[bytes], path: str) -> Recording:
    opened = _opened(stream, path, None)
    if opened.start is not None or opened.rows is not None:
        raise NotARecordingError(f"{path}: exchange JSONL, not a cassette", "use `conformance check` for it")
    first, records = None, opened.records
    if records is not None:
        first, *rest = records
        opened = replace(opened, records=[first, *rest])
    metadata = interactions.metadata_of(first.value) if first else {}
    return Recording(metadata, tuple(_read(opened, stream, path)))


def _read(opened: _Opened, stream: IO[bytes], path: str) -> Iterator[Exchange]:
    form = opened.format
    try:
        if opened.records is None:
            assert form.read_bytes is not None  # noqa: S101 - `_opened` saw to it
            yield from form.contained(form.read_bytes(stream, path))
        else:
            assert form.read is not None  # noqa: S101 - as above
            yield from form.contained(form.read(opened.records, path))
    except ConformanceError as error:
        if opened.detected:
            raise
        raise NotARecordingError(f"{error.message}; {path} does not look like {form.title}", _DETECT) from None


def _opened(stream: IO[bytes], path: str, wanted: str | None) -> _Opened:
    chosen = None if wanted is None else format_named(wanted)
    head = opening.head(stream, _HEAD)
    by_bytes = format_of_bytes(head) if chosen is None else chosen
    if by_bytes is not None and by_bytes.read_bytes is not None:
        detected = by_bytes.detect_bytes(head)
        if detected or by_bytes.read is None:
            return _Opened(by_bytes, detected=detected)
    if head.startswith(parquet.MAGIC):
        return _rows(stream, path, chosen)
    start = _start(stream, path)
    value = _first_value(start, path)
    form = _format_of_line(value, start, path) if chosen is None and value is not _NOTHING else chosen
    if form is not None and form.name == EXCHANGES.name:
        if chosen is not None and not exchanges_format.is_exchange(value):
            raise NotARecordingError(f"{path}:{len(start)}: not an exchange", _DETECT)
        return _Opened(form, start=start)
    first, records = _records(value, start, stream, path, named=form is not None)
    if form is None:
        form = format_of(first)
    if form is None and _is_report(first):
        raise OtherKindError(f"{path}: a report of conformance, not a recording", _KINDS)
    if form is None:
        raise NotARecordingError(f"{path}: {_UNKNOWN}", _KINDS)
    return _Opened(form, records, detected=form.detect(first))


def _rows(stream: IO[bytes], path: str, chosen: Format | None) -> _Opened:
    """A Parquet file: the first row shows the format of all."""
    rows = parquet.rows(stream, path)
    first = next(rows, None)
    if first is None:
        raise EmptyFileError(f"{path}: the file has no rows", "write it again")
    value = first.record()
    form = chosen or (EXCHANGES if exchanges_format.is_exchange(value) else format_of(value))
    if form is None and first.value.get("exchange", "") is None:
        raise ConformanceError(f"{first.source}: the column `exchange` is null", "leave out rows without an exchange")
    if form is None:
        raise NotARecordingError(f"{path}: its columns are not those of exchanges or of a known log", _KINDS)
    if form.name == EXCHANGES.name:
        return _Opened(form, rows=chain([first], rows))
    return _Opened(form, (Record(each.record(), each.source) for each in chain([first], rows)))


def _is_report(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() >= {"version", "findings", "summary"}


def _start(stream: IO[bytes], path: str) -> list[bytes]:
    """The lines up to the first one that is not empty. A large document on one line is not read to its end."""
    start, skipped = [], 0
    while line := stream.readline(_LARGE):
        if path == "-" and _LOG_LINE.match(line):
            skipped += 1
            continue
        if skipped and not line.startswith(b"{"):
            break
        if len(line) == _LARGE and not line.endswith(b"\n") and not largejson.begins(line):
            line += next(opening.lines(stream, path), b"")
        start.append(line)
        if line.removeprefix(codecs.BOM_UTF8).strip():
            if b"\x00" in line and not line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise NotARecordingError(f"{path}: binary data", _KINDS)
            if skipped:
                print(f"conformance: skipped {count(skipped, 'line')} of a log before the recording", file=sys.stderr)  # noqa: T201
            return start
    if skipped:
        raise ConformanceError(f"{path}: no recording after {count(skipped, 'line')} of a log", _HARDUMP)
    raise EmptyFileError(f"{path}: the file is empty", "record it again")


def _is_named_lines(path: str) -> bool:
    return opening.plain_name(path).endswith((".jsonl", ".ndjson"))


def _first_value(start: list[bytes], path: str) -> Any:
    """The JSON value of the first line; `_NOTHING` if it is not JSON, and the file's name does not require it.

    Raises:
        ConformanceError: the name is that of JSON Lines, and the line is not JSON.
    """
    line = start[-1]
    named = _is_named_lines(path)
    if not named and not line.removeprefix(codecs.BOM_UTF8).lstrip().startswith((b"{", b"[")):
        return _NOTHING
    try:
        return jsonl.parse_line(line, f"{path}:{len(start)}")
    except ConformanceError:
        if named:
            raise
        return _NOTHING


def _format_of_line(value: Any, start: list[bytes], path: str) -> Format | None:
    """The format that the first line shows.

    Raises:
        NotARecordingError: the file is JSON Lines of something else.
    """
    found = format_of(value)
    if exchanges_format.is_exchange(value) and (found is None or found.fallback):
        return EXCHANGES
    if found is not None or not _is_named_lines(path):
        return found
    if isinstance(value, dict) and value.keys() & {"request", "response"}:
        return EXCHANGES
    raise NotARecordingError(f"{path}:{len(start)}: not an exchange", _LINE)


def _records(
    value: Any, start: list[bytes], stream: IO[bytes], path: str, *, named: bool
) -> tuple[Any, Iterable[Record]]:
    """The first value of a file, and the records of all: of each line of JSON Lines, or of the one document."""
    if value is _NOTHING:
        begin = b"".join(start) + stream.read(_LARGE)
        documents = largejson.elements(begin, stream, path) if len(begin) >= _LARGE else None
        if documents is not None:
            value = next(documents)
            return value, (Record(each, path) for each in chain([value], documents))
        start = [begin]
        values = _documents(opening.whole(stream, path, b"".join(start)), path, named=named)
        return values[0], [Record(each, path) for each in values]
    rest = jsonl.lines(stream, path, start)
    next(rest)  # the first line, which is already parsed
    second = next(rest, None)
    if second is None:
        return value, [Record(value, path)]
    first = Record(value, f"{path}:{len(start)}")
    parsed_rest = (Record(jsonl.parse_line(line.text, line.source), line.source) for line in chain([second], rest))
    return value, chain([first], parsed_rest)


def _documents(data: bytes, path: str, *, named: bool) -> list[Any]:
    """The values of the documents of a file. A broken one without any sign of a recording is not a recording."""
    try:
        return _parsed(data, path)
    except ConformanceError as error:
        if not any(mark in data[: 1 << 16] for mark in _MARKS):
            raise NotARecordingError(error.message, error.hint if named else _KINDS) from None
        raise


def _parsed(data: bytes, path: str) -> list[Any]:
    """The documents' values, from JSON if it begins like JSON, else from YAML."""
    text = data.removeprefix(codecs.BOM_UTF8)
    if text.lstrip()[:1] in (b"{", b"["):
        try:
            return [json.loads(text)]
        except RecursionError:
            raise ConformanceError(f"{path}: JSON that is nested too deeply", _KINDS) from None
        except ValueError as error:
            if not opening.plain_name(path).endswith((".yaml", ".yml")):
                line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
                raise ConformanceError(
                    f"{path}{line}: invalid or truncated JSON ({error})", "correct the file or record it again"
                ) from None
    from conformance.inputs import yamltext

    return yamltext.documents(data, path) or [None]
