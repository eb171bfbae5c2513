"""ollama-chat: `POST /api/chat`, Ollama's own API, as a package outside of `conformance` defines it.

`tests/test_foreign_dialect.py` installs a copy of this folder. Facts: ollama/ollama docs/api.md and api/types.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.dialect import Dialect
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.transcript import Ask, Malformed

from .reading import read_ask, read_reply
from .stream import read_stream, stream_events


def _claims(request: Request) -> bool:
    body = request.body.json
    named = isinstance(body, dict) and "model" in body  # web frameworks have an /api/chat of their own
    return request.method == "POST" and request.path.rstrip("/").endswith("/api/chat") and named


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


DIALECT = Dialect(
    name="ollama-chat",
    prefix="OLC",
    package=__name__,
    path="/api/chat",
    claims=_claims,
    read_request=_read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=_events,
)
