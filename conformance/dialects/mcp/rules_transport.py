"""Streamable HTTP: the headers of a request, and the response to a POST."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.mcp.messages import received, sent
from conformance.dialects.mcp.revision import stateless
from conformance.judge.example import Edit, drop, example, put
from conformance.judge.header_evidence import is_evidence
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.transcript import Malformed

_STATUS = {-32020: 400, -32021: 400, -32022: 400, -32601: 404}


def _raw(text: str) -> tuple[Edit, ...]:
    """A streamed response with the text of its events, for faults that a list of events cannot show."""
    return (drop("/4/response/events"), put("/4/response/body", text))


_RESPONSE = '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"x"}],"isError":true}}'


@rule(
    "mcp-accept-header-incomplete",
    scope="exchange",
    basis="documented",
    cites=[
        "MCP-A-007 modelcontextprotocol 2025-11-25/basic/transports.mdx",
        "MCP-A-007 recorded traffic 17/17",
        "ANY-009 property of this suite",
    ],
    conforming=[
        example("mcp/session"),
        example("mcp/stateless", put("/0/request/headers/accept", "text/event-stream;q=0.5, application/json")),
        example("mcp/session", drop("/0/request/headers/accept"), complete=False),
    ],
    violating=[
        example("mcp/session", put("/4/request/headers/accept", "application/json")),
        example("mcp/stateless", drop("/1/request/headers/accept")),
        example("mcp/session", put("/5/request/headers/accept", "application/json")),
        example("mcp/session", put("/0/request/headers/accept", "application/json"), complete=False),
        example("mcp/session", drop("/2/request/headers/accept"), complete=False),
    ],
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
    basis="documented",
    cites=["MCP-A-005 modelcontextprotocol 2025-11-25/basic/transports.mdx", "MCP-A-005 recorded traffic 5/5"],
    conforming=[example("mcp/session"), example("mcp/session", put("/1/response/status", 400))],
    violating=[
        example("mcp/session", put("/1/response/status", 204)),
        example("mcp/session", put("/1/response/body", {"jsonrpc": "2.0", "id": 0, "result": {}})),
    ],
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
    basis="documented",
    cites=["MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx"],
    conforming=[
        example("mcp/session"),
        example("mcp/session-stream"),
        example("mcp/session-stream", *_raw(f": ping\r\n\r\nevent: message\r\ndata: {_RESPONSE}\r\n\r\n")),
        example("mcp/session-stream", *_raw("id: 7\nretry: 100\ndata:\n\n")),
    ],
    violating=[
        example("mcp/session-stream", drop("/4/response/events/1"), at="4 response"),
        example("mcp/session", put("/4/response/status", 202), put("/4/response/body", "")),
        example("mcp/stateless-stream", *[drop("/0/response/events/1")], at="0 response"),
    ],
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
        or response.body.note
        or isinstance(response.body.json, Malformed) is (not response.is_event_stream and not response.body.empty)
    ):
        return
    has_ids = re.search(r"^id:", response.body.text or "", re.MULTILINE) is not None
    resumable = response.is_event_stream and has_ids and not stateless(view)
    if not resumable and not any(message.is_response for message in received(view)):
        found = "a stream without the response" if response.is_event_stream else f"status {response.status}"
        yield Hit(None, f"{requests[0].method} gets no response", "a response", found, side="response")


@rule(
    "mcp-error-status-wrong",
    scope="exchange",
    basis="documented",
    cites=[
        "MCP-M-015 modelcontextprotocol 2026-07-28/basic/transports/streamable-http.mdx",
        "MCP-A-029 modelcontextprotocol 2026-07-28/basic/index.mdx",
    ],
    conforming=[
        example("mcp/stateless-unknown-tool"),
        example("mcp/stateless-unknown-tool", put("/0/response/body/error/code", -32022)),
    ],
    violating=[
        example("mcp/stateless-unknown-tool", put("/0/response/body/error/code", -32601)),
        example(
            "mcp/stateless-unknown-tool",
            put("/0/response/body/error/code", -32020),
            put("/0/response/status", 200),
            at="0 response /error/code",
        ),
    ],
)
def mcp_error_status_wrong(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, the protocol's own errors must have HTTP status 404 for an unknown method, else 400.

    Clients detect a server's revision by the error code together with the status.
    """
    if not stateless(view):
        return
    for message in received(view):
        code = message.error.get("code") if message.error is not None and message.event is None else None
        wanted = _STATUS.get(code) if isinstance(code, int) else None
        status = view.exchange.response.status
        if wanted is not None and status != wanted:
            hit = f"error {code} with status {status}"
            yield message.hit(hit, "error", "code", expected=f"status {wanted}", actual=f"status {status}")
