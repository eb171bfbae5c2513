"""Messages streams, event by event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.dialects.anthropic_messages.stream import gather, read_stream
from conformance.model.sse import Event
from conformance.model.stream_events import grown, stopped
from conformance.model.transcript import StreamEvent


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """What each event adds to the one turn, and at the end its stop reason."""
    yield from grown(block.grown for block in gather(events))
    for turn in read_stream(events):
        yield from stopped(turn)
