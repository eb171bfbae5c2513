"""The readers of gemini."""

from __future__ import annotations

from conformance.dialects.gemini.claims import method_of
from conformance.dialects.gemini.events import sse_events
from conformance.dialects.gemini.reply import read_reply
from conformance.dialects.gemini.request import read_request, turns_from
from conformance.dialects.gemini.stream import read_stream
from conformance.dialects.gemini.stream_events import stream_events
from conformance.dialects.gemini.wire import camel
from conformance.model.dialect import History, Readers
from conformance.model.exchange import Exchange
from conformance.model.sse import Event


def _sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    named = method_of(exchange.request)
    return sse_events(exchange, asked=named is not None and named[1] == "streamGenerateContent")


READERS = Readers(
    read_request=read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_sse_events,
    history=History("contents", turns_from),
    normalise_key=camel,
)
