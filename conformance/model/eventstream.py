"""Amazon's event stream encoding (`application/vnd.amazon.eventstream`), in which Bedrock streams.

A frame is: total length, length of the headers and the CRC of those two (4 bytes each, big-endian), the
headers, the payload, and the CRC of it all.
"""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.model import jsontext
from conformance.model.frozen import dataclass
from conformance.model.sse import Event
from conformance.model.transcript import Malformed

CONTENT_TYPE = "application/vnd.amazon.eventstream"
_PRELUDE = struct.Struct(">III")
_CRC = struct.Struct(">I")
_SMALLEST_FRAME = _PRELUDE.size + _CRC.size
_FIXED_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Header value types and their sizes; 6 (bytes) and 7 (text) contain their own length."""
_TEXT = 7
_ONE_MEMBER = re.compile(r'\{\s*"(\w+)"\s*:\s*(.*)\}', re.DOTALL)
_NAMED_BY = {"event": ":event-type", "exception": ":exception-type", "error": ":error-code"}
"""The header that names what a message is, for each message type."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. `fault` is what is wrong with its bytes or its headers; `complete` is whether all of it came.

    `payload` is None where the frame has no end, because its lengths are wrong or the stream ends before it.
    """

    headers: Mapping[str, Any]
    payload: bytes | None
    fault: str | None = None
    complete: bool = True


def looks_like_frames(data: bytes) -> bool:
    """Whether the bytes begin with a frame: its checksum practically excludes a mistake."""
    return len(data) >= _SMALLEST_FRAME and _prelude_fault(data) is None


def events(data: bytes) -> list[Any]:
    """The frames of a stream as a list of JSON events, see `event`; a recorder may have changed their bytes."""
    return [event(each.headers, _value(each.payload)) for each in frames(data) if each.payload is not None]


def event(headers: Mapping[str, Any], payload: Any) -> Any:
    """One frame as JSON: the model's own stream event, without Bedrock's wrapper if it has one.

    Other frames, exceptions among them, become an object with their type as the only key.
    """
    kind = next((headers[name] for name in (*_NAMED_BY.values(), ":message-type") if headers.get(name)), "event")
    if kind == "chunk" and isinstance(payload, dict) and isinstance(payload.get("bytes"), str):
        try:
            return json.loads(base64.b64decode(payload["bytes"], validate=True))
        except (ValueError, RecursionError):
            return payload
    return {str(kind): payload}


def unwrapped(values: list[Any]) -> list[Any]:
    """The same for a recorder's list of `{"headers", "payload"}`; any other list is returned unchanged."""
    if not values or not all(_is_frame(value) for value in values):
        return values
    return [event(value["headers"], value["payload"]) for value in values]


def numbered(data: bytes) -> Iterator[Event]:
    """All frames as events: an object with the name as its only member, or the model's own event, see `event`. One
    that is broken, or of which only a part came, is `Malformed`, without data.
    """
    for number, frame in enumerate(frames(data)):
        broken = frame.fault or (None if frame.complete else "the stream ends inside a message")
        if frame.payload is None or broken is not None:
            yield Event(number, None, "", Malformed("", broken or ""), frame.complete)
            continue
        name = str(frame.headers[_NAMED_BY[frame.headers[":message-type"]]])
        payload = frame.payload.decode("utf-8", "replace") or "{}"
        inner = event(frame.headers, jsontext.parse(payload)) if name == "chunk" else None
        text = f"{{{json.dumps(name)}:{payload}}}" if inner is None else json.dumps(inner, ensure_ascii=False)
        yield Event(number, name, text, jsontext.parse(text))


def encoded(name: str, payload: bytes) -> bytes:
    """The frame of an event with a payload of JSON; a name that ends in `Exception` is that of an exception."""
    kind = "exception" if name.endswith("Exception") else "event"
    return frame_of({_NAMED_BY[kind]: name, ":content-type": "application/json", ":message-type": kind}, payload)


def of_text(text: str) -> bytes:
    """The frame of an event, from the JSON text of its form in `event`: of several members, as a model's own event."""
    value = jsontext.parse(text)
    if isinstance(value, dict) and len(value) > 1:
        return encoded(
            "chunk", json.dumps({"bytes": base64.b64encode(text.encode("utf-8", "backslashreplace")).decode()}).encode()
        )
    found = _ONE_MEMBER.fullmatch(text)
    name, payload = (found[1], found[2]) if found else ("event", text)
    return encoded(name, payload.encode("utf-8", "backslashreplace"))


def split(data: bytes) -> Iterator[bytes]:
    """The bytes of each frame of a sound stream."""
    start = 0
    while start < len(data):
        end = start + max(_SMALLEST_FRAME, _PRELUDE.unpack_from(data, start)[0])
        yield data[start:end]
        start = end


def frame_of(headers: Mapping[str, str], payload: bytes) -> bytes:
    """The bytes of a frame with headers of text."""
    written = b"".join(_header(name, value.encode()) for name, value in headers.items())
    total = _SMALLEST_FRAME + len(written) + len(payload)
    lengths = struct.pack(">II", total, len(written))
    body = b"".join((lengths, _CRC.pack(zlib.crc32(lengths)), written, payload))
    return body + _CRC.pack(zlib.crc32(body))


def frames(data: bytes) -> Iterator[Frame]:
    """The frames of a stream. Where the lengths cannot be trusted, the rest of the stream is one frame with a fault."""
    start = 0
    view = memoryview(data)  # a slice of it copies nothing
    while start < len(data):
        rest = view[start:]
        if len(rest) < _PRELUDE.size:
            yield Frame({}, None, complete=False)
            return
        total, header_length, _ = _PRELUDE.unpack_from(rest)
        fault = _prelude_fault(rest)
        if fault is not None or total > len(rest):
            yield Frame({}, None, fault, complete=fault is not None)
            return
        head = _PRELUDE.size + header_length
        headers, broken = _headers(bytes(rest[_PRELUDE.size : head]))
        (given,) = _CRC.unpack_from(rest, total - _CRC.size)
        actual = zlib.crc32(rest[: total - _CRC.size])
        if given != actual:
            broken = f"the CRC of the message is {given:#010x}, but its bytes have {actual:#010x}"
        yield Frame(headers, bytes(rest[head : total - _CRC.size]), broken or _header_fault(headers))
        start += total


def resealed(old: bytes, new: bytes) -> bytes:
    """The new bytes, of the same length, with the right CRC in each frame that was sound and whose bytes changed."""
    start = 0
    sealed = bytearray(new)
    for frame in frames(old):
        end = start + _PRELUDE.unpack_from(old, start)[0] if frame.payload is not None else len(old)
        if frame.payload is not None and frame.fault is None and old[start:end] != new[start:end]:
            checked = end - _CRC.size
            _CRC.pack_into(sealed, checked, zlib.crc32(new[start:checked]))
        start = end
    return bytes(sealed)


def _prelude_fault(data: bytes | memoryview) -> str | None:
    """Why the lengths at the begin of a frame cannot be trusted."""
    total, header_length, checksum = _PRELUDE.unpack_from(data)
    actual = zlib.crc32(data[:8])
    if checksum != actual:
        return f"the CRC of the prelude is {checksum:#010x}, but its lengths have {actual:#010x}"
    if total < _SMALLEST_FRAME + header_length:
        return f"the message has a length of {total} bytes, but its headers alone have {header_length}"
    return None


def _header_fault(headers: Mapping[str, Any]) -> str | None:
    kind = headers.get(":message-type")
    if kind not in _NAMED_BY:
        return f"the header :message-type is {kind!r}" if kind else "the header :message-type is missing"
    return None if headers.get(_NAMED_BY[kind]) else f"the header {_NAMED_BY[kind]} is missing"


def _is_frame(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"headers", "payload"}
        and isinstance(value["headers"], dict)
        and ":message-type" in value["headers"]
    )


def _header(name: str, value: bytes) -> bytes:
    return bytes([len(name)]) + name.encode() + bytes([_TEXT]) + struct.pack(">H", len(value)) + value


def _headers(data: bytes) -> tuple[dict[str, Any], str | None]:
    """The headers of a frame, and why they cannot be read; only text and bytes, because no other kind is needed."""
    found: dict[str, Any] = {}
    position = 0
    try:
        while position < len(data):
            name_end = position + 1 + data[position]
            name = data[position + 1 : name_end].decode("utf-8", "replace")
            kind = data[name_end]
            position = name_end + 1
            size = _FIXED_SIZES.get(kind)
            if size is None:
                (size,) = struct.unpack_from(">H", data, position)
                position += 2
                found[name] = data[position : position + size].decode("utf-8", "replace")
            position += size
    except (IndexError, struct.error):
        return found, "the headers end inside one"
    return found, None if position == len(data) else "the last header is longer than the headers"


def _value(payload: bytes) -> Any:
    """The payload's JSON value, or its text."""
    try:
        return json.loads(payload) if payload else {}
    except (ValueError, RecursionError):
        return payload.decode("utf-8", "replace")
