"""Bodies in the forms that recorders write: compressed, chunked, in base64, parsed, or as AWS frames.

Transport encodings are decoded; a body that cannot be decoded on this machine is kept with a note and not judged.
A body without such an encoding is not changed.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from conformance.model import eventstream
from conformance.model.exchange import Body, Headers
from conformance.model.limits import limits

_MIB = 1 << 20
_WRAPPER_KEYS = {"string", "base64_string", "encoding", "parsed_body", "size"}
_HEX = frozenset(b"0123456789abcdefABCDEF")
_MARKED = "base64:"
_MISSING = object()


class _UnreadableError(Exception):
    """The reason why a body cannot be read; becomes the body's note."""


class _Decompressed:
    """The bytes that decompression has produced in the file that is being read."""

    size = 0


def begin_file() -> None:
    """A file is read from its beginning: its bodies have a new total."""
    _Decompressed.size = 0


def recorded(message: dict[str, Any], headers: Headers, *, own: bool) -> Body:
    """The body of a cassette's request or response, in any of the shapes that recorders use.

    `own`: we recorded it, so that compression is the only possible encoding.
    """
    raw, parsed = message.get("body"), message.get("parsed_body")
    if parsed is not None and not isinstance(raw, (str, bytes, dict)):
        return Body(_as_json(parsed))
    if isinstance(raw, str) and raw.startswith(_MARKED) and not own:  # Datadog's test agent
        return from_base64(raw.removeprefix(_MARKED), headers)
    body = _unwrapped(raw, headers, own=own)
    return Body(_as_json(body.content), body.note) if body.parsed_by_recorder else body


def _as_json(value: Any) -> Any:
    """A parsed value as JSON has it: YAML has binary data, dates, and keys that are no text."""
    try:
        return json.loads(json.dumps(value, default=_as_text, skipkeys=True))
    except (ValueError, RecursionError):  # readers and the judge expect a value that is nested too deeply
        return value


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _unwrapped(body: Any, headers: Headers, *, own: bool) -> Body:
    if isinstance(body, dict) and body and body.keys() <= _WRAPPER_KEYS:
        if body.get("parsed_body") is not None:
            return Body(body["parsed_body"])
        if body.get("base64_string") is not None:
            return from_base64(str(body["base64_string"]), headers, own=own)
        value = body.get("string", _MISSING)
        if value is not _MISSING:
            return received(value, headers, own=own)
    return received(body, headers, own=own)


def from_base64(text: str, headers: Headers, *, own: bool = False) -> Body:
    """A body that the recorder kept as base64."""
    try:
        return received(base64.b64decode(text), headers, own=own)
    except ValueError as error:
        return Body(text, note=f"invalid base64 ({error})")


def received(value: Any, headers: Headers, *, own: bool = False) -> Body:
    """A body from its content on the wire, or from the JSON value that a recorder parsed."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(piece, (str, bytes)) for piece in value):
        value = _joined(value)
    if isinstance(value, list):
        return Body(eventstream.unwrapped(value))
    if not isinstance(value, (str, bytes)):
        return Body(value)
    content: str | bytes = value
    try:
        if not own:
            content = _unchunked(content)
        if not _is_framed(content):
            for coding in reversed((headers.get("content-encoding") or "").lower().split(",")):
                content = _decoded(content, coding.strip(), own=own)
    except _UnreadableError as reason:
        return Body(value, note=str(reason))
    if isinstance(content, str) and "amazon.eventstream" in (headers.get("content-type") or "") and "\x00" in content:
        return Body(value, note="binary frames were saved as text")
    return Body(content)


def _joined(pieces: Any) -> str | bytes:
    """The pieces of a body that was sent from an iterator."""
    if all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    return b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)


def _unchunked(content: str | bytes) -> str | bytes:
    """The body without HTTP/1.1 chunk framing, if all of it is framed (RFC 9112, section 7.1)."""
    if isinstance(content, str):
        if content[:1] not in "0123456789abcdefABCDEF" or "\r\n" not in content[:32]:
            return content
        data = content.encode("utf-8", "surrogatepass")
        plain = _unchunked(data)
        return content if plain is data else plain
    pieces: list[bytes] = []
    position = 0
    while position < len(content) and content[position] in _HEX:
        line_end = content.find(b"\r\n", position, position + 64)
        size_text = content[position:line_end].split(b";")[0].strip()
        if line_end < 0 or len(size_text) > 8 or not _HEX.issuperset(size_text):
            return content
        size = int(size_text, 16)
        position = line_end + 2
        if size == 0:
            return b"".join(pieces) if content[position:].endswith(b"\r\n") else content
        pieces.append(content[position : position + size])
        position += size
        if content[position : position + 2] != b"\r\n":
            return content
        position += 2
    return content


def _is_framed(content: str | bytes) -> bool:
    return isinstance(content, bytes) and eventstream.looks_like_frames(content)


def _decoded(content: str | bytes, coding: str, *, own: bool) -> str | bytes:
    """The content without one content coding; content that does not have it (any more) is unchanged.

    Raises:
        _UnreadableError: it has the coding, which cannot be decoded.
    """
    zipped = content[:2] in (b"\x1f\x8b", "\x1f\x8b")
    if coding in ("", "identity") and not (zipped and not own):  # a recorder may have dropped the header
        return content
    if not zipped and not _binary(content):
        return content
    if not zipped and coding not in ("gzip", "x-gzip", "deflate", "br"):
        raise _UnreadableError(f"content coding {coding} is not supported here")
    try:
        data = content.encode("latin-1") if isinstance(content, str) else content
    except UnicodeEncodeError:
        raise _UnreadableError("the recorder damaged the compressed bytes") from None
    if coding == "br" and not zipped:
        return _unbrotlied(data)
    for window in (47, -15):  # gzip or zlib, by their own header; raw deflate
        plain = _inflated(data, window)
        if plain is not None:
            return plain
    raise _UnreadableError("the compressed bytes are invalid or truncated")


def _unbrotlied(data: bytes) -> bytes:
    """The decompressed data of Brotli, which needs a package.

    Raises:
        _UnreadableError: the package is missing, the data is invalid, or it is larger than a limit.
    """
    try:
        import brotli
    except ImportError:
        raise _UnreadableError("content coding br needs the package `brotli`") from None
    machine, left = brotli.Decompressor(), _left()
    try:
        plain = bytes(machine.process(data, output_buffer_limit=left + 1))
        while len(plain) <= left and not machine.is_finished():
            more = machine.process(b"", output_buffer_limit=left + 1)
            if not more:
                break
            plain += more
    except brotli.error:
        raise _UnreadableError("the compressed bytes are invalid or truncated") from None
    if len(plain) > left:
        raise _too_large(len(plain))
    if not machine.is_finished():
        raise _UnreadableError("the compressed bytes are invalid or truncated")
    _Decompressed.size += len(plain)
    return plain


def _left() -> int:
    """How many bytes a body may have when decompressed."""
    most = limits()
    return min(most.body * _MIB, most.file * _MIB - _Decompressed.size)


def _too_large(size: int) -> _UnreadableError:
    most = limits()
    if _Decompressed.size + size > most.file * _MIB:
        return _UnreadableError(
            f"the bodies of the file are larger than {most.file} MiB when decompressed (--max-file)"
        )
    return _UnreadableError(f"the body is larger than {most.body} MiB when decompressed (--max-body)")


def _inflated(data: bytes, window: int) -> bytes | None:
    """The decompressed data of all members, or None if it is incomplete or not compressed this way.

    Raises:
        _UnreadableError: it is larger than a limit.
    """
    pieces: list[bytes] = []
    left = _left()
    while data:
        machine = zlib.decompressobj(window)
        try:
            plain = machine.decompress(data, left + 1)
        except zlib.error:
            if pieces:
                break  # padding after the last member
            return None
        left -= len(plain)
        if left < 0:
            raise _too_large(sum(map(len, pieces)) + len(plain))
        if not machine.eof:
            return None
        pieces.append(plain)
        data = machine.unused_data if window > 0 else b""
    _Decompressed.size += sum(map(len, pieces))
    return b"".join(pieces)


def _binary(content: str | bytes) -> bool:
    """Whether the content is not plain text, so that it still has a content coding."""
    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8")
        except UnicodeDecodeError:
            return True
    return any((char < " " and char not in "\t\r\n") or char in "\x7f\ufffd" for char in content[:256])
