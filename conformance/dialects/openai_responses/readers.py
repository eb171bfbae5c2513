"""The readers of openai-responses."""

from __future__ import annotations

from typing import Any

from conformance.dialects.openai_responses.reply import read_reply
from conformance.dialects.openai_responses.request import read_request, turns_from
from conformance.dialects.openai_responses.stream import read_stream
from conformance.dialects.openai_responses.stream_events import stream_events
from conformance.model.dialect import History, Readers, asks_for_stream, sse_events_of
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.transcript import Ask


def _read_request(_: Request, body: Any) -> Ask:
    return read_request(body)


def _sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    return sse_events_of(exchange, asked=asks_for_stream(exchange))


READERS = Readers(
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_sse_events,
    history=History("input", turns_from),
)
