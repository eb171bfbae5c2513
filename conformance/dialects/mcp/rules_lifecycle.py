"""Revisions up to 2025-11-25: the handshake, and the agreed values in every later request."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from conformance.dialects.mcp.messages import sent
from conformance.dialects.mcp.revision import HEADER, stateless
from conformance.dialects.mcp.session import id_of, is_whole, session_of
from conformance.judge.header_evidence import is_evidence
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, texts


@rule(
    "mcp-handshake-incomplete",
    scope="conversation",
    cites="MCP-H-010",
)
def mcp_handshake_incomplete(view: View) -> Iterator[Hit]:
    """Up to 2025-11-25, the `initialize` handshake must be complete before any other message.

    Servers refuse earlier messages, or answer them without an agreed revision and capabilities. An incomplete recording
    may lack the notification that ends the handshake: a warning, where it has the beginning.
    """
    if stateless(view):
        return
    session, whole = session_of(view), is_whole(view)
    for message in sent(view):
        method = message.method
        if method is None or method in ("initialize", "ping"):
            continue
        if not session.opened:
            if view.complete or (whole and message.is_request):
                wrong = f"{method} was sent before initialize was answered"
                yield message.hit(wrong, expected="initialize", actual=method)
            return
        if message.is_request and not session.initialized and session.early is None:
            wanted = "notifications/initialized"
            unsure = "" if whole else ", or the recording lacks that"
            found = message.hit(f"{method} was sent before {wanted}{unsure}", expected=wanted, actual=method)
            yield replace(found, severity=Severity.WARNING) if unsure else found
            return


@rule(
    "mcp-handshake-out-of-order",
    scope="conversation",
    cites="MCP-H-014",
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
    "mcp-protocol-version-header-wrong",
    scope="exchange",
    side="request",
    cites=["MCP-H-012", "ANY-009"],
    because="ANY-009 defines only when a header is evidence",
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
    side="request",
    cites=["MCP-H-013", "ANY-009"],
    because="ANY-009 defines only when a header is evidence",
)
def mcp_session_id_missing(view: View) -> Iterator[Hit]:
    """Every later request must have the session id that the server sent with the result of `initialize`.

    The server refuses a request without it, or starts a new session.
    """
    session = session_of(view)
    if not session.opened or stateless(view) or any(message.method == "initialize" for message in sent(view)):
        return
    header = view.exchange.request.headers.get("mcp-session-id")
    if not (is_evidence(view, "mcp-session-id") or _is_missed(view)) or (not view.complete and session.id is None):
        return
    if header != session.id:
        wanted = "the session's id" if session.id is not None else "no session id"
        found = "another session id" if header is not None else "no session id"
        yield Hit(None, "the request does not have the session's id", wanted, found, side="request")


def _is_missed(view: View) -> bool:
    """Whether the server says that it misses the session's id: no recorder has dropped it."""
    response = view.exchange.response
    return response.status == 400 and any("session" in each.lower() for each in texts(response.body.json))


@rule(
    "mcp-request-id-reused",
    scope="conversation",
    cites="MCP-A-009",
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
