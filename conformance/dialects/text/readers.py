"""The readers of a dialect that is written in the text of another one, its host."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from conformance.dialects.text.raw import RAW_HOST, is_raw_reply
from conformance.dialects.text.reading import Parse, Reader, reread
from conformance.dialects.text.stream import stream_events as read_apart
from conformance.model.dialect import Readers
from conformance.model.exchange import Exchange, Request
from conformance.model.registry import all_dialects
from conformance.model.sse import Event
from conformance.model.transcript import Ask, StreamEvent, Turn


def text_readers(
    host: str, read_request: Callable[[Request, Any], Ask], parse: Parse, reader: Callable[[], Reader]
) -> Readers:
    """`parse` reads the text of a whole turn, `reader` makes a reader for its pieces. Everything else is the host's.

    A reply of raw prompts is read as such, also if the host is a chat.
    """

    def readers(*bodies: Any) -> Readers:
        raw = any(map(is_raw_reply, bodies))
        return all_dialects()[RAW_HOST if raw else host].readers

    def read_reply(body: Any) -> tuple[Turn, ...]:
        return tuple(reread(turn, parse) for turn in readers(body).read_reply(body))

    def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
        return tuple(reread(turn, parse) for turn in readers(*_bodies(events)).read_stream(events))

    def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
        return read_apart(readers(*_bodies(events)).stream_events(events), reader)

    def sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
        return readers().sse_events(exchange)

    return Readers(
        read_request=read_request,
        read_reply=read_reply,
        read_stream=read_stream,
        stream_events=stream_events,
        sse_events=sse_events,
    )


def _bodies(events: Sequence[Event]) -> Iterator[Any]:
    return (event.json for event in events)
