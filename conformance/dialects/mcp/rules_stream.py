"""Streams of events: the order and the types of the messages in them."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.messages import received, sent
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity


@rule(
    "mcp-event-after-response-unexpected",
    scope="exchange",
    side="response",
    cites=["MCP-A-008", "MCP-A-030"],
    severity=Severity.WARNING,
    because="clients stop at the response, so that only the message is lost",
)
def mcp_event_after_response_unexpected(view: View) -> Iterator[Hit]:
    """The response must be the last message in the stream of its request.

    Clients stop reading at the response, and lose the messages after it.
    """
    if view.exchange.request.method != "POST":
        return
    waiting = sum(message.is_request for message in sent(view))
    for message in received(view):
        if message.event is None:
            return
        if waiting > 0 or message.is_response:
            waiting -= int(message.is_response)
        else:
            found = message.method or "another message"
            yield message.hit("a message follows the response", expected="the end of the stream", actual=found)
