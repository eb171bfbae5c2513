"""Chat streams, event by event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from conformance.dialects.openai_chat.stream import call_pieces, choice_entries, index_of, read_stream, text_pieces
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import chunk, closed, started, stopped
from conformance.model.transcript import StreamEvent


@dataclass
class _Calls:
    """The calls of one choice so far: number and kind, by the key of their fragments."""

    numbers: dict[Any, int] = field(default_factory=dict)
    kinds: dict[Any, str] = field(default_factory=dict)


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """The stream events of all choices in the order of the chunks, and at the end each choice's stop reason."""
    choices: dict[int, _Calls] = {}
    yield from closed(_unclosed(events, choices))
    for index, turn in zip(choices, read_stream(events), strict=True):
        yield from stopped(turn, index)


def _unclosed(events: Sequence[Event], choices: dict[int, _Calls]) -> Iterator[StreamEvent]:
    for event in events:
        for entry, pointer in choice_entries(event):
            index = index_of(entry)
            calls = choices.setdefault(index, _Calls())
            if isinstance(entry.get("delta"), dict):
                yield from _delta(calls, entry["delta"], join(pointer, "delta"), index)


def _delta(calls: _Calls, delta: dict[str, Any], pointer: str, index: int) -> Iterator[StreamEvent]:
    for kind, text, at in text_pieces(delta, pointer):
        yield StreamEvent(kind, at, index, text)
    for key, piece in call_pieces(delta, pointer, calls.kinds):
        calls.kinds[key] = piece.kind
        begins = key not in calls.numbers
        start = started(piece, calls.numbers.setdefault(key, len(calls.numbers)), index)
        if begins:
            yield start
        yield chunk(start, piece.wire or "", piece.pointer)
