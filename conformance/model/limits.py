"""How much one exchange and one file may hold. Options set environment variables, which workers inherit."""

from __future__ import annotations

import os

from conformance.model.frozen import dataclass

MAX_BODY = "CONFORMANCE_MAX_BODY"
MAX_EVENTS = "CONFORMANCE_MAX_EVENTS"
MAX_FILE = "CONFORMANCE_MAX_FILE"


@dataclass(frozen=True, slots=True)
class Limits:
    """`body` and `file` are MiB of decompressed bodies; `events` are those of one stream."""

    body: int = 32
    file: int = 256
    events: int = 200_000


def limits() -> Limits:
    """The limits of this process; a variable that is no positive number has no effect."""
    usual = Limits()
    return Limits(
        _number(MAX_BODY, usual.body),
        _number(MAX_FILE, usual.file),
        _number(MAX_EVENTS, usual.events),
    )


def _number(name: str, usual: int) -> int:
    text = os.environ.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 and int(text) > 0 else usual
