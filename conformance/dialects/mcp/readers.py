"""The readers of mcp."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects.mcp.reading import read_reply, read_request, read_stream
from conformance.dialects.mcp.session import called_off
from conformance.model.dialect import Readers, sse_events_of
from conformance.model.exchange import Exchange
from conformance.model.sse import Event
from conformance.model.stream_events import of_turns
from conformance.model.transcript import StreamEvent, Turn


def _read_reply(body: Any) -> tuple[Turn, ...]:
    return tuple(read_reply(body))


def _read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    return tuple(read_stream(events))


def _stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    return of_turns(_read_stream(events))  # each event is a whole message


def _sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    return sse_events_of(exchange, asked=False)


READERS = Readers(
    read_request=lambda _, body: read_request(body),
    read_reply=_read_reply,
    read_stream=_read_stream,
    stream_events=_stream_events,
    sse_events=_sse_events,
    called_off=called_off,
)
