"""Amazon's event stream encoding (`application/vnd.amazon.eventstream`), in which Bedrock streams.

A frame is: total length, length of the headers and the CRC of those two (4 bytes each, big-endian), the
headers, the payload, and the CRC of it all. A truncated stream yields its complete frames.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
import zlib
from collections.abc import Iterator
from typing import Any

_PRELUDE = struct.Struct(">III")
_SMALLEST_FRAME = _PRELUDE.size + 4
_FIXED_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Header value types and their sizes; 6 (bytes) and 7 (text) contain their own length."""


def looks_like_frames(data: bytes) -> bool:
    """Whether the bytes begin with a frame: its checksum practically excludes a mistake."""
    return len(data) >= _SMALLEST_FRAME and _prelude(data, 0) is not None


def events(data: bytes) -> list[Any]:
    """The stream as a list of JSON events, see `event`."""
    return [event(headers, payload) for headers, payload in _frames(data)]


def event(headers: dict[str, Any], payload: Any) -> Any:
    """One frame as JSON: the model's own stream event, without Bedrock's wrapper if it has one.

    Other frames, exceptions among them, become an object with their type as the only key.
    """
    kind = headers.get(":event-type") or headers.get(":exception-type") or headers.get(":message-type") or "event"
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


def _is_frame(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"headers", "payload"}
        and isinstance(value["headers"], dict)
        and ":message-type" in value["headers"]
    )


def _prelude(data: bytes, start: int) -> tuple[int, int] | None:
    """The lengths of the frame and of its headers; None if no frame begins here."""
    total, header_length, checksum = _PRELUDE.unpack_from(data, start)
    if zlib.crc32(data[start : start + 8]) != checksum or total < _SMALLEST_FRAME + header_length:
        return None
    return total, header_length


def _frames(data: bytes) -> Iterator[tuple[dict[str, Any], Any]]:
    start = 0
    while len(data) - start >= _SMALLEST_FRAME:
        lengths = _prelude(data, start)
        if lengths is None or start + lengths[0] > len(data):
            return
        total, header_length = lengths
        body = start + _PRELUDE.size
        yield _headers(data[body : body + header_length]), _payload(data[body + header_length : start + total - 4])
        start += total


def _headers(data: bytes) -> dict[str, Any]:
    """The headers of a frame; only text and byte values, because no other kind is needed here."""
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
        return found
    return found


def _payload(data: bytes) -> Any:
    """The payload's JSON value, or its text."""
    try:
        return json.loads(data) if data else {}
    except (ValueError, RecursionError, binascii.Error):
        return data.decode("utf-8", "replace")
