"""Revision 2026-07-28: every request is complete by itself, without a session."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.headers import decoded
from conformance.dialects.mcp.messages import Message, sent
from conformance.dialects.mcp.revision import HEADER, VERSION, stateless
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit

_NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


@rule(
    "mcp-header-body-mismatch",
    scope="exchange",
    side="request",
    cites="MCP-M-015",
)
def mcp_header_body_mismatch(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, the headers must repeat the revision, the method and the name in the body.

    Gateways route and check by the headers, servers act on the body: if they differ, a gateway checks another request
    than the server runs. The server has to refuse it.
    """
    if not stateless(view):
        return
    headers = view.exchange.request.headers
    for message in sent(view):
        if not message.is_request:
            continue
        for name, wanted in _mirrored(message):
            header = headers.get(name)
            if header is None and not view.complete:
                continue
            if decoded(header) != wanted:
                found = header if header is not None else "no such header"
                yield Hit(None, f"{name} differs from the body", f"{name}: {wanted}", found, side="request")


def _mirrored(message: Message) -> Iterator[tuple[str, str]]:
    """Each header that repeats a part of the body, with that part; another rule reports what the body lacks."""
    pairs = [(HEADER, message.meta.get(VERSION)), ("mcp-method", message.method)]
    if message.method in _NAMES:
        pairs.append(("mcp-name", message.params.get(_NAMES[message.method])))
    for name, value in pairs:
        if isinstance(value, str) and value:
            yield name, value
