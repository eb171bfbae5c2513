"""The readers of bedrock-converse."""

from __future__ import annotations

from conformance.dialects.bedrock_converse.claims import named_in
from conformance.dialects.bedrock_converse.reply import read_reply
from conformance.dialects.bedrock_converse.request import read_request, turns_from
from conformance.dialects.bedrock_converse.stream import read_stream, stream_events
from conformance.model import eventstream, sse
from conformance.model.dialect import History, Readers
from conformance.model.exchange import Exchange
from conformance.model.sse import Event


def _events(exchange: Exchange) -> tuple[Event, ...] | None:
    """The messages of the binary stream, or a recorder's list of them, which may have become text."""
    body, kind = exchange.response.body, exchange.response.headers.get("content-type") or ""
    if not body.framed and isinstance(body.json, list) and named_in(exchange.request)[1]:
        return tuple(sse.from_values(eventstream.unwrapped(body.json)))
    if isinstance(body.content, bytes) and (body.framed or eventstream.CONTENT_TYPE in kind):
        return tuple(eventstream.numbered(body.content))
    return None


READERS = Readers(
    read_request=read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_events,
    history=History("messages", turns_from),
)
