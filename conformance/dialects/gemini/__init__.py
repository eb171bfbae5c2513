"""gemini: Google's `generateContent` and `streamGenerateContent`, on the Gemini API, on Vertex AI, behind proxies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects.gemini.events import stream_events
from conformance.dialects.gemini.narrate import narrate
from conformance.dialects.gemini.reply import read_reply
from conformance.dialects.gemini.request import read_request
from conformance.dialects.gemini.stream import read_stream
from conformance.dialects.gemini.wire import camel, method_of
from conformance.exchange import Exchange, Request
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn


class Gemini:
    name = "gemini"
    prefix = "GEM"
    answers_last_call = False
    lets_calls_go = True
    folds_keys = staticmethod(camel)
    carrier: str | None = None
    tail = "/models/"

    def claims(self, request: Request) -> bool:
        return request.method == "POST" and method_of(request) is not None

    def read_request(self, request: Request, body: Any) -> Ask:
        return read_request(request, body)

    def read_reply(self, body: Any) -> tuple[Turn, ...]:
        return read_reply(body)

    def read_stream(self, events: Sequence[Event]) -> tuple[Turn, ...]:
        return read_stream(events)

    def narrate(self, events: Sequence[Event]) -> Iterator[Moment]:
        return narrate(events)

    def stream_events(self, exchange: Exchange) -> tuple[Event, ...] | None:
        named = method_of(exchange.request)
        return stream_events(exchange, asked=named is not None and named[1] == "streamGenerateContent")


DIALECT = Gemini()
