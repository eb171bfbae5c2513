"""Bedrock's streams: AWS event stream messages, each of which wraps one event of the dialect in base64."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from conformance.model import jsontext
from conformance.model.sse import Event


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
