"""Bedrock's streams: AWS event stream messages, each of which wraps one event of the dialect in base64."""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.sse import Event

CONTENT_TYPE = "application/vnd.amazon.eventstream"
_PRELUDE = 12
_CHECKSUM = 4


def frames(content: bytes) -> Iterator[Any]:
    """The JSON payloads of a binary event stream; stops at the first broken frame."""
    while len(content) >= _PRELUDE + _CHECKSUM:
        total, headers = struct.unpack_from(">II", content)
        if not _PRELUDE + headers + _CHECKSUM <= total <= len(content):
            return
        yield jsontext.parse(content[_PRELUDE + headers : total - _CHECKSUM].decode("utf-8", "replace"))
        content = content[total:]


def unwrapped(values: list[Any]) -> tuple[Event, ...]:
    """The events inside a recorder's list of messages, in any layer of wrapping."""
    return tuple(_event(number, value) for number, value in enumerate(values))


def _event(number: int, value: Any) -> Event:
    for key in ("payload", "chunk"):
        if isinstance(value, dict) and isinstance(value.get(key), dict):
            value = value[key]
    if isinstance(value, dict) and "type" not in value and isinstance(value.get("bytes"), str):
        try:
            text = base64.b64decode(value["bytes"], validate=True).decode("utf-8", "replace")
        except binascii.Error:
            text = value["bytes"]
        return Event(number, None, text, jsontext.parse(text))
    return Event(number, None, "", value)
