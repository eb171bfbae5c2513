"""The readers of openai-chat."""

from __future__ import annotations

from typing import Any

from conformance.dialects.openai_chat.claims import asks_for_stream, model_in_path
from conformance.dialects.openai_chat.reply import read_reply
from conformance.dialects.openai_chat.request import read_request, turns_from
from conformance.dialects.openai_chat.stream import read_stream
from conformance.dialects.openai_chat.stream_events import stream_events
from conformance.model.dialect import History, Readers, sse_events_of
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.transcript import Ask


def _read_request(request: Request, body: Any) -> Ask:
    return read_request(body, model_in_path(request.path), stream=asks_for_stream(request))


def _sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    return sse_events_of(exchange, asked=asks_for_stream(exchange.request))


READERS = Readers(
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_sse_events,
    history=History("messages", turns_from),
)
