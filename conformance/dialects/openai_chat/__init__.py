"""openai-chat: OpenAI's Chat Completions, `POST .../chat/completions`, and all who serve the same shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects import events_of
from conformance.dialects.openai_chat import endpoint
from conformance.dialects.openai_chat.narrate import narrate
from conformance.dialects.openai_chat.reply import read_reply
from conformance.dialects.openai_chat.request import read_request
from conformance.dialects.openai_chat.stream import read_stream
from conformance.exchange import Exchange, Request
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn


class OpenAIChat:
    name = "openai-chat"
    prefix = "OAC"
    answers_last_call = True
    carrier: str | None = None
    tail = "/chat/completions"
    named_choice_ends_plainly = True

    def claims(self, request: Request) -> bool:
        return endpoint.claims(request)

    def read_request(self, request: Request, body: Any) -> Ask:
        return read_request(body, endpoint.model_in_path(request.path), stream=endpoint.asks_for_stream(request))

    def read_reply(self, body: Any) -> tuple[Turn, ...]:
        return read_reply(body)

    def read_stream(self, events: Sequence[Event]) -> tuple[Turn, ...]:
        return read_stream(events)

    def narrate(self, events: Sequence[Event]) -> Iterator[Moment]:
        return narrate(events)

    def stream_events(self, exchange: Exchange) -> tuple[Event, ...] | None:
        return events_of(exchange, asked=endpoint.asks_for_stream(exchange.request))


DIALECT = OpenAIChat()
