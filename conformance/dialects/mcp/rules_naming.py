"""Who speaks, and in which revision; and results that come as what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.mcp.messages import Message, exchanged, received
from conformance.judge.example import drop, example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_SCHEMA = "modelcontextprotocol schema/2026-07-28/schema.json"
_REVISION = re.compile(r"\d{4}-\d{2}-\d{2}|DRAFT-.+|draft")
_PREFIX = "io.modelcontextprotocol/"


def _sides(message: Message) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """The two sides as a message names them, wherever the revision has put that."""
    if message.method == "initialize":
        yield "client", message.params.get("clientInfo"), ("params", "clientInfo")
    for holder, name, place in ((message.params, "client", "params"), (message.result, "server", "result")):
        meta = holder.get("_meta") if holder else None
        key = f"{_PREFIX}{name}Info"
        if isinstance(meta, dict) and key in meta:
            yield name, meta[key], (place, "_meta", key)
    if message.result is not None and "protocolVersion" in message.result and "serverInfo" in message.result:
        yield "server", message.result["serverInfo"], ("result", "serverInfo")


@rule(
    "mcp-implementation-incomplete",
    severity=Severity.WARNING,
    scope="exchange",
    basis="schema",
    cites=[f"MCP-M-014 {_SCHEMA}#/$defs/Implementation", f"MCP-H-011 {_SCHEMA}#/$defs/Implementation"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", put("/0/request/body/params/clientInfo/name", ""), at="0 request /params/clientInfo"),
        example("mcp/session", drop("/0/response/events/0/data/result/serverInfo/version")),
    ],
)
def mcp_implementation_incomplete(view: View) -> Iterator[Hit]:
    """`clientInfo` and `serverInfo` must have a name and a version that are not empty.

    Servers have lists of clients that need workarounds, and match them by name.
    """
    for message in exchanged(view):
        for side, told, place in _sides(message):
            values = [told.get(key) for key in ("name", "version")] if isinstance(told, dict) else [None]
            if not all(isinstance(value, str) and value for value in values):
                yield message.hit(f"the {side} has no name or version", *place, expected="both", actual=brief(told))


@rule(
    "mcp-revision-malformed",
    scope="exchange",
    basis="documented",
    cites=["MCP-H-011 modelcontextprotocol 2025-11-25/basic/lifecycle.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", put("/0/request/body/params/protocolVersion", "1.0")),
        example("mcp/session", put("/0/response/events/0/data/result/protocolVersion", "latest")),
    ],
)
def mcp_revision_malformed(view: View) -> Iterator[Hit]:
    """A revision of the protocol must be a date.

    The other side does not know the revision: it closes the connection, or falls back to an unsuitable one.
    """
    for message in exchanged(view):
        asked = message.params.get("protocolVersion") if message.method == "initialize" else None
        found = message.result.get("protocolVersion") if message.result else None
        for version, place in ((asked, "params"), (found, "result")):
            if isinstance(version, str) and not _REVISION.fullmatch(version):
                yield message.hit(
                    "the revision is not a date", place, "protocolVersion", expected="YYYY-MM-DD", actual=version
                )


@rule(
    "mcp-result-status-mismatch",
    scope="exchange",
    basis="documented",
    cites=["MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[example("mcp/stateless", put("/0/response/status", 500))],
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
    basis="documented",
    cites=["MCP-A-008 modelcontextprotocol 2025-11-25/basic/transports.mdx"],
    conforming=[example("mcp/session-stream"), example("mcp/stateless-stream")],
    violating=[example("mcp/session-stream", insert("/4/response/events/1", {"data": "[DONE]"}))],
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
