"""The readers of cohere-chat."""

from __future__ import annotations

from typing import Any

from conformance.dialects.cohere_chat.message import read_reply
from conformance.dialects.cohere_chat.request import read_request, turns_from
from conformance.dialects.cohere_chat.stream import read_stream, stream_events
from conformance.model import sse
from conformance.model.dialect import History, Readers
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.transcript import Ask


def _read_request(_: Request, body: Any) -> Ask:
    return read_request(body)


def _events(exchange: Exchange) -> tuple[Event, ...] | None:
    """The events of a stream, or a recorder's list of them."""
    response = exchange.response
    if response.is_event_stream:
        return response.events
    if response.body.parsed_by_recorder and isinstance(response.body.json, list):
        return tuple(sse.from_values(response.body.json))
    return None


READERS = Readers(
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_events,
    history=History("messages", turns_from),
)
