"""Streamable HTTP: the headers of a request, and the response to a POST."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.mcp.messages import received, sent
from conformance.dialects.mcp.revision import stateless
from conformance.dialects.mcp.session import called_off
from conformance.judge.header_evidence import is_evidence
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Malformed


@rule(
    "mcp-accept-header-incomplete",
    scope="exchange",
    side="request",
    cites=["MCP-A-007", "ANY-009"],
    because="ANY-009 defines only when a header is evidence",
)
def mcp_accept_header_incomplete(view: View) -> Iterator[Hit]:
    """A POST must accept `application/json` and `text/event-stream`, a GET only the latter.

    The server chooses between the two for each response; many return 406 if the client does not accept both.
    """
    if not is_evidence(view, "accept"):
        return
    wanted = {"POST": ("application/json", "text/event-stream"), "GET": ("text/event-stream",)}
    accept = view.exchange.request.headers.get("accept") or ""
    accepted = {part.partition(";")[0].strip().lower() for part in accept.split(",")}
    refused = [
        each
        for each in wanted.get(view.exchange.request.method, ())
        if not accepted & {each, "*/*", f"{each.partition('/')[0]}/*"}
    ]
    if refused:
        message = f"the request does not accept {' and '.join(refused)}"
        yield Hit(None, message, f"accept: {', '.join(refused)}", accept, side="request")


@rule(
    "mcp-notification-response-unexpected",
    scope="exchange",
    side="response",
    cites="MCP-A-005",
)
def mcp_notification_response_unexpected(view: View) -> Iterator[Hit]:
    """The response to an accepted notification must have status 202 and no body.

    Clients do not expect a body; some treat it as the response to their next request.
    """
    messages, response = sent(view), view.exchange.response
    if not messages or any(message.is_request for message in messages) or not view.ok:
        return
    if response.status != 202 or not (response.body.empty or response.body.note):
        body = "no body" if response.body.empty else "a body"
        yield Hit(
            None,
            "the response to a notification or response has a body",
            "202 without a body",
            f"{response.status} with {body}",
            side="response",
        )


@rule(
    "mcp-request-unanswered",
    scope="exchange",
    side="response",
    cites="MCP-A-008",
)
def mcp_request_unanswered(view: View) -> Iterator[Hit]:
    """The response to a request must be in the body of its POST: as one message, or in a stream.

    The caller waits for a response that cannot arrive in another way. Only a stream with event ids may end
    before it, because the client can then resume the stream.
    """
    requests = [message for message in sent(view) if message.is_request and message.method != "subscriptions/listen"]
    response = view.exchange.response
    if (
        not requests
        or not view.ok
        or called_off(view)
        or response.body.note
        or isinstance(response.body.json, Malformed) is (not response.is_event_stream and not response.body.empty)
    ):
        return
    has_ids = re.search(r"^id:", response.body.text or "", re.MULTILINE) is not None
    resumable = response.is_event_stream and has_ids and not stateless(view)
    if not resumable and not any(message.is_response for message in received(view)):
        found = "a stream without the response" if response.is_event_stream else f"status {response.status}"
        # A stream may end early because the client cancelled the call, which a later exchange shows.
        severity = Severity.WARNING if response.is_event_stream else None
        yield Hit(None, f"{requests[0].method} gets no response", "a response", found, severity, side="response")
