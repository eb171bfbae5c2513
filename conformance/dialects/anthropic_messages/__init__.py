"""anthropic-messages: Anthropic's Messages, `POST /v1/messages`, also as Vertex, Bedrock and gateways carry them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects.anthropic_messages import bedrock, endpoint
from conformance.dialects.anthropic_messages.narrate import narrate
from conformance.dialects.anthropic_messages.reply import read_reply
from conformance.dialects.anthropic_messages.request import read_request
from conformance.dialects.anthropic_messages.stream import read_stream
from conformance.exchange import Exchange, Request
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn


class AnthropicMessages:
    name = "anthropic-messages"
    prefix = "ANT"
    answers_last_call = True
    carrier: str | None = None
    tail = "/messages"

    def claims(self, request: Request) -> bool:
        return endpoint.claims(request)

    def read_request(self, request: Request, body: Any) -> Ask:
        return read_request(request, body)

    def read_reply(self, body: Any) -> tuple[Turn, ...]:
        return read_reply(body)

    def read_stream(self, events: Sequence[Event]) -> tuple[Turn, ...]:
        return read_stream(events)

    def narrate(self, events: Sequence[Event]) -> Iterator[Moment]:
        return narrate(events)

    def stream_events(self, exchange: Exchange) -> tuple[Event, ...] | None:
        response = exchange.response
        if bedrock.CONTENT_TYPE in (response.headers.get("content-type") or ""):
            if isinstance(response.body.content, bytes):
                return bedrock.unwrapped(list(bedrock.frames(response.body.content)))
        elif response.is_event_stream:
            return response.events
        asked = endpoint.asks_for_stream(exchange.request, exchange.request.body.json)
        if asked and response.body.parsed_by_recorder and isinstance(response.body.json, list):
            return bedrock.unwrapped(response.body.json)
        return None


DIALECT = AnthropicMessages()
