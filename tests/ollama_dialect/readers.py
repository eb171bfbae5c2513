"""The readers of ollama-chat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.dialect import Readers
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.transcript import Ask, Malformed

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
        return tuple(_lines(text))
    return None


def _lines(text: str) -> Iterator[Event]:
    lines = [line for line in text.split("\n") if line.strip()]
    for number, line in enumerate(lines):
        value = jsontext.parse(line)
        cut_off = number == len(lines) - 1 and isinstance(value, Malformed)
        yield Event(number, None, line, value, complete=not cut_off)


READERS = Readers(
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_events,
)
