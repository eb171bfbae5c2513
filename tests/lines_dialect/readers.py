"""The readers of lines-chat."""

from __future__ import annotations

from typing import Any

from conformance.model import lines
from conformance.model.dialect import Readers
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.transcript import Ask

from .reading import read_ask, read_reply
from .stream import read_stream, stream_events


def _read_request(_: Request, body: Any) -> Ask:
    return read_ask(body)


def _events(exchange: Exchange) -> tuple[Event, ...] | None:
    """The lines of a stream, which is newline-delimited JSON; also where the recorder dropped the content type."""
    text = exchange.response.body.text
    if text is None:
        return None
    kind = exchange.response.headers.get("content-type") or ""
    if "ndjson" in kind or (read_ask(exchange.request.body.json).stream and text.strip().count("\n")):
        return tuple(lines.events(text))
    return None


READERS = Readers(
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_events,
)
