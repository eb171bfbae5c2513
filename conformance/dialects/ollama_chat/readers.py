"""The readers of ollama-chat."""

from __future__ import annotations

from conformance.dialects.ollama_chat.message import read_reply
from conformance.dialects.ollama_chat.request import read_request, streams, turns_from
from conformance.dialects.ollama_chat.stream import read_stream, stream_events
from conformance.model import lines, sse
from conformance.model.dialect import History, Readers
from conformance.model.exchange import Exchange
from conformance.model.sse import Event


def _events(exchange: Exchange) -> tuple[Event, ...] | None:
    """The lines of a response, if its type or its text is that of a stream, or a recorder's list of them."""
    response, asked = exchange.response, streams(exchange.request.body.json)
    if response.is_lines:
        return response.events
    text = response.body.text
    if response.ok and asked and text is not None and not response.is_event_stream:
        in_lines = lines.looks_like_lines(text) or (text.startswith("{") and text.endswith("}\n"))
        return tuple(lines.events(text)) if in_lines else None
    if asked and response.body.parsed_by_recorder and isinstance(response.body.json, list):
        return tuple(sse.from_values(response.body.json))
    return None


READERS = Readers(
    read_request=lambda _, body: read_request(body),
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_events,
    history=History("messages", turns_from),
)
