"""The readers of anthropic-messages."""

from __future__ import annotations

from conformance.dialects.anthropic_messages import bedrock
from conformance.dialects.anthropic_messages.claims import asks_for_stream
from conformance.dialects.anthropic_messages.reply import read_reply
from conformance.dialects.anthropic_messages.request import read_request, turns_from
from conformance.dialects.anthropic_messages.stream import read_stream
from conformance.dialects.anthropic_messages.stream_events import stream_events
from conformance.model.dialect import History, Readers
from conformance.model.exchange import Exchange
from conformance.model.sse import Event


def _sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    response = exchange.response
    if response.is_event_stream or response.is_lines:  # lines are the results of a batch
        return response.events
    asked = asks_for_stream(exchange.request, exchange.request.body.json)
    if asked and (response.body.parsed_by_recorder or response.body.framed) and isinstance(response.body.json, list):
        return bedrock.unwrapped(response.body.json)
    return None


READERS = Readers(
    read_request=read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_sse_events,
    history=History("messages", turns_from),
)
