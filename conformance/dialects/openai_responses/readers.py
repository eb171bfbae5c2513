"""The readers of openai-responses."""

from __future__ import annotations

from conformance.dialects.openai_responses.reply import read_reply
from conformance.dialects.openai_responses.request import read_request, turns_from
from conformance.dialects.openai_responses.stream import read_stream
from conformance.dialects.openai_responses.stream_events import stream_events
from conformance.model import lines
from conformance.model.dialect import History, Readers, sse_events_of
from conformance.model.exchange import Exchange
from conformance.model.sse import Event


def _events(exchange: Exchange) -> tuple[Event, ...] | None:
    """The events of a stream; over a WebSocket, the frames of the server."""
    text = exchange.response.body.text
    if exchange.request.in_frame and text is not None and not exchange.response.is_event_stream:
        return tuple(lines.events(text))
    return sse_events_of(exchange, asked=exchange.request.in_frame or None)


READERS = Readers(
    read_request=lambda request, body: read_request(body, streams=request.in_frame),
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_events,
    history=History("input", turns_from),
)
