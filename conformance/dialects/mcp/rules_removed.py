"""Features that revision 2026-07-28 removed."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.messages import sent
from conformance.dialects.mcp.revision import at_least, stateless
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "mcp-transport-unsupported",
    scope="exchange",
    cites=["MCP-M-014", "MCP-M-017"],
)
def mcp_transport_unsupported(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, a client must not send session ids, GET, DELETE or responses.

    The server returns an error, and the client gets neither a session nor messages.
    """
    if not stateless(view):
        return
    request, response = view.exchange.request, view.exchange.response
    if request.method != "POST":
        yield Hit(None, "this revision has only POST", "POST", request.method, side="request")
    for message in sent(view):
        if message.is_response and ("result" in message.value or "error" in message.value):
            yield message.hit("this revision has no requests to answer", expected="a request", actual="a response")
    if "mcp-session-id" in response.headers and at_least(view, "2026-07-28"):
        yield Hit(None, "this revision has no sessions", "no session id", "a session id", side="response")
