"""The status of results and the data of events."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.messages import received
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief


@rule(
    "mcp-result-status-mismatch",
    scope="exchange",
    side="response",
    cites="MCP-A-008",
)
def mcp_result_status_mismatch(view: View) -> Iterator[Hit]:
    """A result must be sent with a success status.

    The client raises on the status although the tool has run.
    """
    status = view.exchange.response.status
    if status >= 400 and any(message.result is not None for message in received(view)):
        yield Hit(None, f"a result with status {status}", "200", str(status), side="response")


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
