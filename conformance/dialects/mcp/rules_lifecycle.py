"""Revisions up to 2025-11-25: the handshake, and the agreed values in every later request."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.messages import answered, sent
from conformance.dialects.mcp.revision import HEADER, stateless
from conformance.dialects.mcp.session import id_of, session_of
from conformance.judge.example import drop, example, put, swap
from conformance.judge.header_evidence import is_evidence
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief

_RESULT = "/0/response/events/0/data/result"
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "client", "version": "1.0"}},
}
_PING = {"jsonrpc": "2.0", "id": 7, "method": "ping"}


@rule(
    "mcp-handshake-incomplete",
    scope="conversation",
    basis="documented",
    needs_complete=True,
    cites=["MCP-H-010 modelcontextprotocol 2025-11-25/basic/lifecycle.mdx"],
    conforming=[example("mcp/session"), example("mcp/session-stream"), example("mcp/stateless")],
    violating=[
        example("mcp/session", drop("/0"), drop("/0"), drop("/1"), drop("/1"), drop("/1"), drop("/1"), at="0 request"),
        example("mcp/session", drop("/1"), drop("/2"), drop("/2"), drop("/2"), drop("/2"), at="1 request"),
        example(
            "mcp/session-stream",
            put("/0/response/events/0/data", {"jsonrpc": "2.0", "id": 0, "error": {"code": -32603, "message": "no"}}),
            drop("/2"),
            drop("/2"),
            drop("/2"),
            at="1 request",
        ),
    ],
)
def mcp_handshake_incomplete(view: View) -> Iterator[Hit]:
    """Up to 2025-11-25, the `initialize` handshake must be complete before any other message.

    Servers refuse earlier messages, or answer them without an agreed revision and capabilities.
    """
    if stateless(view):
        return
    session = session_of(view)
    for message in sent(view):
        method = message.method
        if method is None or method in ("initialize", "ping"):
            continue
        if not session.opened:
            yield message.hit(f"{method} was sent before initialize was answered", expected="initialize", actual=method)
            return
        if message.is_request and not session.initialized:
            wanted = "notifications/initialized"
            yield message.hit(f"{method} was sent before {wanted}", expected=wanted, actual=method)
            return


@rule(
    "mcp-handshake-out-of-order",
    scope="conversation",
    basis="documented",
    cites=[
        "MCP-H-014 modelcontextprotocol 2025-11-25/basic/lifecycle.mdx",
        "MCP-H-014 modelcontextprotocol 2025-03-26/basic/lifecycle.mdx",
    ],
    conforming=[
        example("mcp/session"),
        example("mcp/session", complete=False),
        example("mcp/session", drop("/0"), drop("/0"), complete=False),
        example("mcp/session", drop("/1"), complete=False),
    ],
    violating=[
        example(
            "mcp/session",
            swap("/0", "/2"),
            drop("/0/request/headers/mcp-session-id"),
            drop("/0/request/headers/mcp-protocol-version"),
            complete=False,
            at="2 request",
        ),
        example("mcp/session", swap("/1", "/2"), complete=False, at="2 request"),
        example("mcp/session", put("/0/request/body", [_INITIALIZE, _PING]), at="0 request /0"),
    ],
)
def mcp_handshake_out_of_order(view: View) -> Iterator[Hit]:
    """In a recorded handshake, `initialize` must come first, by itself, and `notifications/initialized` next.

    Servers refuse what comes before. An `initialize` in a batch cannot settle the revision that the batch needs.
    """
    if stateless(view):
        return
    session = session_of(view)
    for message in sent(view):
        if message.method == "initialize" and isinstance(view.request, list) and len(view.request) > 1:
            yield message.hit("initialize is in a batch", expected="a body of its own", actual="one of several")
        if view.complete or session.early is None:
            continue  # complete recordings show it at the early request itself
        if message.method == "initialize" and not session.opened:
            yield message.hit(f"{session.early} was sent before initialize", expected="initialize first")
        elif message.method == "notifications/initialized" and session.opened and not session.initialized:
            wanted = "notifications/initialized after initialize"
            yield message.hit(f"{session.early} was sent before {message.method}", expected=wanted)


@rule(
    "mcp-tools-capability-missing",
    scope="exchange",
    basis="documented",
    cites=["MCP-H-011 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless"), example("mcp/stateless-call")],
    violating=[
        example("mcp/session", drop(f"{_RESULT}/capabilities/tools"), drop("/3"), at="2 response event/0/result/tools"),
        example(
            "mcp/stateless",
            drop("/0/response/body/result/capabilities/tools"),
            drop("/2"),
            at="1 response /result/tools",
        ),
    ],
)
def mcp_tools_capability_missing(view: View) -> Iterator[Hit]:
    """A server with tools must declare the capability `tools`.

    Otherwise, clients that rely on the capabilities never list the tools.
    """
    capabilities = session_of(view).capabilities
    if capabilities is None or "tools" in capabilities:
        return
    for _, response in answered(view, "tools/list"):
        if response is not None and response.result is not None and response.result.get("tools"):
            found = f"capabilities: {', '.join(sorted(capabilities)) or 'none'}"
            yield response.hit(
                "the server has tools, but did not declare the capability",
                "result",
                "tools",
                expected="tools",
                actual=found,
            )


@rule(
    "mcp-protocol-version-header-wrong",
    scope="exchange",
    basis="documented",
    cites=[
        "MCP-H-012 modelcontextprotocol 2025-11-25/basic/transports.mdx",
        "MCP-H-012 recorded traffic 12/12",
        "ANY-009 property of this suite",
    ],
    conforming=[
        example("mcp/session"),
        example("mcp/session", drop("/1/request/headers/mcp-protocol-version"), complete=False),
    ],
    violating=[
        example("mcp/session", drop("/4/request/headers/mcp-protocol-version"), complete=False),
        example("mcp/session", drop("/4/request/headers/mcp-protocol-version")),
        example("mcp/session", put("/1/request/headers/mcp-protocol-version", "2025-06-18")),
        example("mcp/session", drop("/6/request/headers/mcp-protocol-version")),
    ],
)
def mcp_protocol_version_header_wrong(view: View) -> Iterator[Hit]:
    """After `initialize`, every HTTP request must have the agreed revision in `MCP-Protocol-Version`.

    Without the header a server assumes 2025-03-26, and omits later features such as structured results.
    """
    session = session_of(view)
    if not session.opened or session.version is None or stateless(view):
        return
    if any(message.method == "initialize" for message in sent(view)):
        return
    header = view.exchange.request.headers.get(HEADER)
    if header is None and (not is_evidence(view, HEADER) or session.version < "2025-06-18"):
        return
    if header != session.version:
        message = "the request does not have the agreed revision"
        yield Hit(None, message, f"{HEADER}: {session.version}", header or "no such header", side="request")


@rule(
    "mcp-session-id-missing",
    scope="exchange",
    basis="documented",
    cites=["MCP-H-013 modelcontextprotocol 2025-11-25/basic/transports.mdx", "ANY-009 property of this suite"],
    conforming=[
        example("mcp/session"),
        example("mcp/stateless"),
        example("mcp/session", drop("/1/request/headers/mcp-session-id"), complete=False),
    ],
    violating=[
        example("mcp/session", drop("/4/request/headers/mcp-session-id"), complete=False),
        example("mcp/session", drop("/4/request/headers/mcp-session-id")),
        example("mcp/session", put("/4/request/headers/mcp-session-id", "another")),
        example("mcp/session", drop("/6/request/headers/mcp-session-id")),
    ],
)
def mcp_session_id_missing(view: View) -> Iterator[Hit]:
    """Every later request must have the session id that the server sent with the result of `initialize`.

    The server refuses a request without it, or starts a new session.
    """
    session = session_of(view)
    if not session.opened or stateless(view) or any(message.method == "initialize" for message in sent(view)):
        return
    header = view.exchange.request.headers.get("mcp-session-id")
    if not is_evidence(view, "mcp-session-id") or (not view.complete and session.id is None):
        return
    if header != session.id:
        wanted = "the session's id" if session.id is not None else "no session id"
        found = "another session id" if header is not None else "no session id"
        yield Hit(None, "the request does not have the session's id", wanted, found, side="request")


@rule(
    "mcp-request-id-reused",
    scope="conversation",
    basis="documented",
    cites=[
        "MCP-A-009 modelcontextprotocol 2025-11-25/basic/index.mdx",
        "MCP-A-009 modelcontextprotocol 2026-07-28/basic/index.mdx",
    ],
    conforming=[
        example("mcp/session"),
        example("mcp/stateless"),
        example("mcp/stateless", put("/3/request/body/id", 1), put("/3/response/body/id", 1)),
        example("mcp/session", put("/4/request/body/id", "2"), put("/4/response/body/id", "2")),
    ],
    violating=[
        example("mcp/session", put("/4/request/body/id", 2), put("/4/response/body/id", 2), at="4 request /id"),
        example(
            "mcp/stateless",
            put("/2/response/status", 202),
            put("/2/response/body", ""),
            put("/3/request/body/id", 2),
            put("/3/response/body/id", 2),
            at="3 request /id",
        ),
    ],
)
def mcp_request_id_reused(view: View) -> Iterator[Hit]:
    """The id of a request must be new in its session; from 2026-07-28 on, new among the unanswered requests.

    Two requests with the same id can get each other's responses.
    """
    session = session_of(view)
    taken = session.unanswered if stateless(view) else session.used
    for message in sent(view):
        number = id_of(message)
        if not message.is_request or number is None or message.method == "initialize":
            continue
        if number in taken:
            found = brief(message.value["id"])
            yield message.hit(f"request id {found} is already in use", "id", expected="a unique id", actual=found)
