"""Parts of MCP's example exchanges: headers, envelopes, streams."""

from __future__ import annotations

from typing import Any

_URL = "https://tools.example.com/mcp"
_JSON = {"content-type": "application/json"}
_SSE = {"content-type": "text/event-stream", "cache-control": "no-cache, no-transform"}
SESSION = "0b1f7a52c9d84e6fa3b0c1d2e3f40516"
HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
KEY = "io.modelcontextprotocol/"

WATCHED = 3
"""The request whose progress is reported."""


def answer(number: int, result: Any) -> dict[str, Any]:
    """A response with a result."""
    return {"jsonrpc": "2.0", "id": number, "result": result}


def plain(status: int, body: Any, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """An answer of one JSON body."""
    return {"status": status, "headers": {**_JSON, **(headers or {})}, "body": body}


def stream(*messages: Any, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """An answer of one event for each message."""
    events = [{"event": "message", "data": message} for message in messages]
    return {"status": 200, "headers": {**_SSE, **(headers or {})}, "events": events}


def sent(body: Any, headers: dict[str, str], method: str = "POST") -> dict[str, Any]:
    """A request over HTTP."""
    accepted = {"accept": "application/json, text/event-stream"}
    typed = _JSON if body is not None else {}
    return {"method": method, "url": _URL, "headers": {**accepted, **typed, **headers}, "body": body}


def request(method: str, number: int | None, params: Any) -> dict[str, Any]:
    """A JSON-RPC request; a notification without a number."""
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return {key: value for key, value in body.items() if value is not None}


def in_session(method: str, number: int | None = None, params: Any = None) -> dict[str, Any]:
    """A message of an open session."""
    return sent(request(method, number, params), {"mcp-protocol-version": HANDSHAKE, "mcp-session-id": SESSION})


def alone(method: str, number: int, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """A request of the revision without sessions."""
    meta: dict[str, Any] = {
        f"{KEY}protocolVersion": STATELESS,
        f"{KEY}clientCapabilities": {},
        f"{KEY}clientInfo": {"name": "client", "version": "1.0"},
    }
    if number == WATCHED:
        meta["progressToken"] = WATCHED
    headers = {"mcp-protocol-version": STATELESS, "mcp-method": method}
    if params and "name" in params:
        headers["mcp-name"] = params["name"]
    return sent(request(method, number, {**(params or {}), "_meta": meta}), headers)
