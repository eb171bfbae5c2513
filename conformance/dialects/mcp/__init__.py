"""mcp: the Model Context Protocol, JSON-RPC 2.0 messages over streamable HTTP, in all its revisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects import events_of
from conformance.dialects.mcp.claim import claims
from conformance.dialects.mcp.reading import read_reply, read_request, read_stream
from conformance.exchange import Exchange, Request
from conformance.moments import of_turns
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn


class MCP:
    name = "mcp"
    prefix = "MCP"
    answers_last_call = False
    carrier: str | None = None
    server_picks_stream = True

    def claims(self, request: Request) -> bool:
        return claims(request)

    def read_request(self, request: Request, body: Any) -> Ask:
        return read_request(body)

    def read_reply(self, body: Any) -> tuple[Turn, ...]:
        return tuple(read_reply(body))

    def read_stream(self, events: Sequence[Event]) -> tuple[Turn, ...]:
        return tuple(read_stream(events))

    def narrate(self, events: Sequence[Event]) -> Iterator[Moment]:
        return of_turns(self.read_stream(events))  # each event is a whole message

    def stream_events(self, exchange: Exchange) -> tuple[Event, ...] | None:
        return events_of(exchange, asked=False)


DIALECT = MCP()
