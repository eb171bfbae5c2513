"""One file into exchanges: what it is is told by its content, with its name as the tie-breaker."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs import har, interactions, jsonl, opening
from conformance.model.exchange import Exchange

_KINDS = "a recording must be a vcrpy cassette (YAML or JSON), a HAR file or exchange JSONL"
_MARKS = (b"interactions", b'"request"', b'"entries"', b"\nrequests:", b"\nresponses:")


class NotARecordingError(ConformanceError):
    """The file is sound or of no concern, and not a recording. In a folder it is passed over."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A document that was read whole. Metadata is vcrpy's; of a HAR file there is none."""

    metadata: dict[str, Any]
    exchanges: tuple[Exchange, ...]


def exchanges(path: str) -> Iterator[Exchange | jsonl.Line]:
    """The exchanges of a file of any kind; those of exchange JSONL as lines that are still to be opened.

    Raises:
        NotARecordingError: the file is something else.
        ConformanceError: it is a recording that is broken, or cannot be read.
    """
    with opening.opened(path) as stream:
        start = _start(stream, path)
        if _is_jsonl(start, path):
            yield from jsonl.lines(stream, path, start)
        else:
            yield from parsed(opening.whole(stream, path, b"".join(start)), path).exchanges


def is_recording(path: str) -> bool:
    """Whether a file is a recording of any kind, a broken one included."""
    try:
        next(exchanges(path), None)
    except NotARecordingError:
        return False
    except ConformanceError:
        return True
    return True


def is_jsonl(path: str) -> bool:
    """Whether a file is exchange JSONL, by its first line; False also where the file is broken."""
    with suppress(ConformanceError), opening.opened(path) as stream:
        return _is_jsonl(_start(stream, path), path)
    return False


def document(path: str) -> Recording:
    """A cassette or HAR file, whole.

    Raises:
        ConformanceError: the file is something else (exchange JSONL, too), or is broken.
    """
    with opening.opened(path) as stream:
        start = _start(stream, path)
        if _is_jsonl(start, path):
            raise NotARecordingError(f"{path}: exchange JSONL, not a cassette", "use `conformance check` for it")
        return parsed(opening.whole(stream, path, b"".join(start)), path)


def _start(stream: IO[bytes], path: str) -> list[bytes]:
    """The lines up to the first one that is not empty."""
    start = []
    for line in opening.lines(stream, path):
        start.append(line)
        if line.removeprefix(codecs.BOM_UTF8).strip():
            if b"\x00" in line and not line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise NotARecordingError(f"{path}: binary data", _KINDS)
            return start
    raise ConformanceError(f"{path}: the file is empty", "record it again")


def _is_jsonl(start: list[bytes], path: str) -> bool:
    """Whether the first line is an exchange, or has to be one because of the file's name.

    Raises:
        NotARecordingError: the file is JSONL of something else.
        ConformanceError: the name says JSONL and the line is not JSON.
    """
    line, number = start[-1], len(start)
    named = path.lower().removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    if not named and not line.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):
        return False
    try:
        record = jsonl.parse_line(line, f"{path}:{number}")
    except ConformanceError:
        if named:
            raise
        return False
    if isinstance(record, dict) and "request" in record and "response" in record:
        return not (isinstance(record["request"], dict) and "uri" in record["request"])
    if named and not (isinstance(record, dict) and record.keys() & {"request", "response"}):
        raise NotARecordingError(f"{path}:{number}: not an exchange", "each line must be one exchange as a JSON object")
    return named


def parsed(data: bytes, path: str) -> Recording:
    """The document in these bytes; `path` says where they lie, or will lie."""
    try:
        value = _parsed(data, path)
    except NotARecordingError:
        raise
    except ConformanceError as error:
        if not any(mark in data[: 1 << 16] for mark in _MARKS):
            raise NotARecordingError(error.message, _KINDS) from None
        raise
    if har.is_har(value):
        return Recording({}, har.exchanges_of(value, path))
    found = interactions.interactions_of(value)
    if found is None:
        raise NotARecordingError(f"{path}: `interactions` is missing", _KINDS)
    metadata = interactions.metadata_of(value)
    return Recording(metadata, interactions.exchanges_of(found, path, own="conformance_version" in metadata))


def _parsed(data: bytes, path: str) -> Any:
    """The document's value, from JSON where it begins like JSON, from YAML otherwise."""
    text = data.removeprefix(codecs.BOM_UTF8)
    if text.lstrip()[:1] in (b"{", b"["):
        try:
            return json.loads(text)
        except RecursionError:
            raise ConformanceError(f"{path}: JSON that is nested too deeply", _KINDS) from None
        except ValueError as error:
            if not path.lower().removesuffix(".gz").endswith((".yaml", ".yml")):
                line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
                raise ConformanceError(
                    f"{path}{line}: invalid or truncated JSON ({error})", "correct the file or record it again"
                ) from None
    from conformance.inputs import yamltext

    return yamltext.parse(data, path)
