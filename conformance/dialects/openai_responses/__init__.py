"""openai-responses: OpenAI's Responses API, `POST .../responses`, and all who serve the same shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects import events_of
from conformance.dialects.openai_responses.narrate import narrate
from conformance.dialects.openai_responses.reply import read_reply
from conformance.dialects.openai_responses.request import read_request
from conformance.dialects.openai_responses.stream import read_stream
from conformance.exchange import Exchange, Request, is_broken
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn

_KEYS = ("input", "previous_response_id", "conversation", "prompt", "model")


class OpenAIResponses:
    name = "openai-responses"
    prefix = "OAR"
    answers_last_call = True
    carrier: str | None = None
    tail = "/responses"

    def claims(self, request: Request) -> bool:
        path = request.path.rstrip("/")
        if request.method != "POST" or not path.endswith("/responses"):
            return False
        body = request.body.json
        if is_broken(body):
            return path.endswith("/v1/responses")
        return isinstance(body, dict) and any(key in body for key in _KEYS)

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


DIALECT = OpenAIResponses()
