"""Inspect's logs of evaluations (inspect_ai, UK AISI): the model calls among the events of each sample.

A log is one JSON document, or an `.eval` file: a ZIP archive with a document for each sample.

A call has the request that was given to the provider's SDK, and what that returned. Long texts are attachments of the
sample, and the messages of its requests are kept once (`events_data`). Calls that failed, and replies from Inspect's
cache, are left out. Read by version 2 of the log: inspect_ai 0.3.285, and older logs, which have a `transcript`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import IO, Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from conformance.errors import ConformanceError
from conformance.inputs import jsonl, native, opening, zst
from conformance.inputs.format import Record
from conformance.inputs.interactions import CUT
from conformance.inputs.rows import Row, origin_of, rows_format, rows_in
from conformance.model.exchange import Exchange

_SETTINGS = frozenset({"tools", "choice", "parallel", "continues", "continues_at", "partial"})
"""What calls have of a request, which was passed to the SDK as a whole."""
_REFERENCES = ("attachment://", "tc://")


def _detect(value: Any) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("eval"), Mapping):
        return False
    return "version" in value and isinstance(value.get("samples"), list)


def _calls(log: Any) -> Iterator[Row]:
    """The calls of a log, each with its sample and epoch, the event, and its request and response with their texts."""
    for sample in rows_in(log, "samples"):
        kept = native.object_of(sample, "transcript") or sample
        texts = native.object_of(kept, "attachments") or native.object_of(kept, "content")
        pool = native.object_of(sample, "events_data").get("calls")
        for event in rows_in(kept, "events"):
            call = native.object_of(event, "call")
            if event.get("event") != "model" or not call or event.get("cache") == "read":
                continue
            if not event.get("error") and not call.get("error"):
                request, response = _asked(call, pool), call.get("response")
                texted = {"request": _whole(request, texts), "response": _whole(response, texts)}
                yield {"run": f"{sample.get('id')}/{sample.get('epoch')}", "event": event, **texted}


def _asked(call: Row, pool: Any) -> dict[str, Any]:
    """The request of a call; its messages are ranges of the pool of all messages of the sample, if it has one."""
    request, ranges = dict(native.object_of(call, "request")), call.get("call_refs")
    if isinstance(ranges, list) and isinstance(pool, list):
        request[call.get("call_key") or "messages"] = [each for begin, end in ranges for each in pool[begin:end]]
    if "tool_config" in request:  # of Google's SDK
        request["toolConfig"] = request["tool_config"]
    return request


def _whole(value: Any, texts: Mapping[str, Any]) -> Any:
    """The value with the texts that it refers to; a reference to a text that is absent stays."""
    if isinstance(value, Mapping):
        return {key: _whole(each, texts) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole(each, texts) for each in value]
    if isinstance(value, str) and value.startswith(_REFERENCES):
        return texts.get(value.partition("://")[2], value)
    return value


def _exchange(call: Row, source: str, path: str) -> Exchange | None:
    response = call["response"]
    name = call["event"].get("uuid") or (response.get("id") if isinstance(response, Mapping) else None)
    origin = origin_of(source, path, name, call["run"])
    return native.exchange(call["request"], response or None, settings=_SETTINGS, **origin)


def _samples(stream: IO[bytes], path: str) -> Iterator[Record]:
    """The samples of an `.eval` file, each as a log with that one."""
    file = stream if stream.seekable() else io.BytesIO(opening.whole(stream, path))
    try:
        with ZipFile(file) as archive:
            if _HEADS.isdisjoint(archive.namelist()):
                raise ConformanceError(
                    f"{path}: a ZIP archive, but no log of Inspect", "unpack it, and check the folder"
                )
            for each in archive.infolist():
                if each.filename.startswith("samples/") and each.filename.endswith(".json"):
                    where = f"{path}: {each.filename}"
                    with _member(archive, each, file) as member:
                        sample = jsonl.parse_line(opening.whole(member, where), where)
                    yield Record({"samples": [sample]}, path)
    except (BadZipFile, NotImplementedError, RuntimeError) as error:  # broken, packed otherwise, or encrypted
        raise ConformanceError(f"{path}: a broken log of Inspect ({error})", CUT) from None


def _member(archive: ZipFile, member: ZipInfo, file: IO[bytes]) -> IO[bytes]:
    """The bytes of a file in the archive. Inspect compresses it with Zstandard, which `zipfile` cannot before 3.14."""
    if member.compress_type != _ZSTANDARD:
        return archive.open(member)
    file.seek(member.header_offset + 26)
    name, extra = (int.from_bytes(file.read(2), "little") for _ in range(2))
    file.seek(name + extra, io.SEEK_CUR)
    return zst.decompressed(io.BytesIO(file.read(member.compress_size)), 1 << 16)


def _read(stream: IO[bytes], path: str) -> Iterator[Exchange]:
    assert _LOG.read is not None  # noqa: S101 - `rows_format` gives it
    yield from _LOG.read(_samples(stream, path), path)


_HEADS = frozenset({"header.json", "_journal/start.json"})
"""One of these is in every log, also in one that is not complete."""
_ZSTANDARD = 93
"""The method of compression in an archive (APPNOTE 4.4.5)."""
_LOG = rows_format("inspect", "Inspect's logs of evaluations", _calls, _exchange, detect=_detect)
FORMAT = replace(_LOG, detect_bytes=lambda head: head.startswith(b"PK\x03\x04"), read_bytes=_read, suffixes=(".eval",))
