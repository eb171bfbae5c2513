"""openai-completions: a raw prompt, `POST .../completions`, as OpenAI had it and inference servers still serve it.

The prompt is one text of the user, the reply one text of the assistant. What a model's template makes of them is
for the dialects that ride in that text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects import events_of
from conformance.dialects.openai_completions.reply import read_reply
from conformance.dialects.openai_completions.request import read_request
from conformance.dialects.openai_completions.stream import narrate, read_stream
from conformance.exchange import Exchange, Request
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn

_OTHERS = ("/chat/completions", "/fim/completions")
"""Endpoints whose path ends alike and whose bodies do not: chat, and Mistral's fill-in-the-middle."""


class OpenAICompletions:
    name = "openai-completions"
    prefix = "OAT"
    answers_last_call = False
    carrier: str | None = None
    tail = "/completions"

    def claims(self, request: Request) -> bool:
        path = request.path.rstrip("/")
        return request.method == "POST" and path.endswith("/completions") and not path.endswith(_OTHERS)

    def read_request(self, request: Request, body: Any) -> Ask:
        return read_request(body)

    def read_reply(self, body: Any) -> tuple[Turn, ...]:
        return read_reply(body)

    def read_stream(self, events: Sequence[Event]) -> tuple[Turn, ...]:
        return read_stream(events)

    def narrate(self, events: Sequence[Event]) -> Iterator[Moment]:
        return narrate(events)

    def stream_events(self, exchange: Exchange) -> tuple[Event, ...] | None:
        body = exchange.request.body.json
        return events_of(exchange, asked=isinstance(body, dict) and body.get("stream") is True)


DIALECT = OpenAICompletions()
