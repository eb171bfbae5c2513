"""Revision 2026-07-28: every request is complete by itself, without a session."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator

from conformance.dialects.mcp.messages import Message, answered, received, sent
from conformance.dialects.mcp.revision import HEADER, VERSION, stateless
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief

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
            if _decoded(header) != wanted:
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


def _decoded(header: str | None) -> str | None:
    """A header's value; values that plain ASCII cannot express are in base64."""
    if header is None or not (header.startswith("=?base64?") and header.endswith("?=")):
        return header
    try:
        return base64.b64decode(header[9:-2], validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return header


@rule(
    "mcp-discover-revision-missing",
    scope="exchange",
    side="response",
    cites="MCP-M-016",
)
def mcp_discover_revision_missing(view: View) -> Iterator[Hit]:
    """The result of `server/discover` must list the revision of its request.

    The client picks its revision from the list; if it picks an unsupported one, the server refuses every request.
    """
    for request, response in answered(view, "server/discover"):
        result = response.result if response is not None else None
        if response is None or result is None:
            continue
        versions, asked = result.get("supportedVersions"), request.meta.get(VERSION)
        if isinstance(versions, list) and asked not in versions:
            at = ("result", "supportedVersions")
            yield response.hit(
                "the list does not have the request's revision", *at, expected=brief(asked), actual=brief(versions)
            )


@rule(
    "mcp-server-request-unsupported",
    scope="exchange",
    side="response",
    cites="MCP-M-017",
)
def mcp_server_request_unsupported(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, a server must not send requests; it asks in a result of type `input_required`.

    The client cannot answer, and the server waits.
    """
    if not stateless(view):
        return
    for message in received(view):
        if message.is_request:
            yield message.hit(
                "the server sends a request", expected="a notification or the response", actual=message.method
            )
