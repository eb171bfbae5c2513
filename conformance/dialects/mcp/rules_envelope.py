"""The status of results and the data of events."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief


@rule(
    "mcp-event-malformed",
    scope="exchange",
    side="response",
    cites="MCP-A-008",
)
def mcp_event_malformed(view: View) -> Iterator[Hit]:
    """The data of every event must be a JSON-RPC message.

    There is no terminator: a stream ends when the response has been delivered, and a client fails to parse this.
    """
    for event in view.exchange.response.events:
        if event.data.strip() == "[DONE]":
            yield Hit(
                event.pointer, "the event is not a message", "a JSON-RPC message", brief(event.data), side="response"
            )
