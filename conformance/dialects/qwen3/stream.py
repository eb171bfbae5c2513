"""Qwen3 streams: the text of the chunks joined, and then taken apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.dialects import all_dialects, riding
from conformance.dialects.qwen3.parse import Reader, parse
from conformance.dialects.qwen3.request import CARRIER
from conformance.sse import Event
from conformance.transcript import Moment, Turn


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """One turn for each choice; its parts stand where the text began."""
    return tuple(riding.reread(turn, parse) for turn in all_dialects()[CARRIER].read_stream(events))


def narrate(events: Sequence[Event]) -> Iterator[Moment]:
    """The moments of all choices: text as soon as it can be no tag, a call when its block is closed."""
    return riding.narrate(all_dialects()[CARRIER].narrate(events), Reader)
