"""Conforming MCP exchanges, the bases of every example of this dialect.

Message shapes, headers and their order are those of the official SDK's client and server (mcp 2.3); the words
are ours.
"""

from __future__ import annotations

import json
from typing import Any

_URL = "https://tools.example.com/mcp"
_JSON = {"content-type": "application/json"}
_SSE = {"content-type": "text/event-stream", "cache-control": "no-cache, no-transform"}
_SESSION = "0b1f7a52c9d84e6fa3b0c1d2e3f40516"
_H, _M = "2025-11-25", "2026-07-28"
_KEY = "io.modelcontextprotocol/"

_WATCHED = 3
"""The request whose progress is reported."""

_COORDINATES = {
    "type": "object",
    "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
    "required": ["latitude", "longitude"],
}
_WEATHER = {
    "name": "get_weather",
    "description": "Current weather at a place.",
    "inputSchema": _COORDINATES,
    "outputSchema": {"type": "object", "properties": {"temperature": {"type": "number"}}, "required": ["temperature"]},
}
_TIME = {
    "name": "clock.now",
    "title": "Clock",
    "inputSchema": {"type": "object", "additionalProperties": False},
    "annotations": {"readOnlyHint": True},
}
_VALUE = {"temperature": 14.2}
_TEXT = {"type": "text", "text": json.dumps(_VALUE)}
_RESULT = {"content": [_TEXT], "structuredContent": _VALUE, "isError": False}
_FAILED = {"content": [{"type": "text", "text": "There is no station near these coordinates."}], "isError": True}
_ARGUMENTS = {"latitude": 37.57, "longitude": 126.98}
_PROGRESS = {
    "jsonrpc": "2.0",
    "method": "notifications/progress",
    "params": {"progressToken": _WATCHED, "progress": 0.5, "total": 1},
}
_SERVER = {"name": "weather", "version": "1.0"}


def _answer(number: int, result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": result}


def _plain(status: int, body: Any, headers: dict[str, str] | None = None) -> dict[str, Any]:
    return {"status": status, "headers": {**_JSON, **(headers or {})}, "body": body}


def _stream(*messages: Any, headers: dict[str, str] | None = None) -> dict[str, Any]:
    events = [{"event": "message", "data": message} for message in messages]
    return {"status": 200, "headers": {**_SSE, **(headers or {})}, "events": events}


def _sent(body: Any, headers: dict[str, str], method: str = "POST") -> dict[str, Any]:
    accepted = {"accept": "application/json, text/event-stream"}
    typed = _JSON if body is not None else {}
    return {"method": method, "url": _URL, "headers": {**accepted, **typed, **headers}, "body": body}


def _request(method: str, number: int | None, params: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return {key: value for key, value in body.items() if value is not None}


def _in_session(method: str, number: int | None = None, params: Any = None) -> dict[str, Any]:
    return _sent(_request(method, number, params), {"mcp-protocol-version": _H, "mcp-session-id": _SESSION})


def _alone(method: str, number: int, params: dict[str, Any] | None = None) -> dict[str, Any]:
    meta: dict[str, Any] = {
        f"{_KEY}protocolVersion": _M,
        f"{_KEY}clientCapabilities": {},
        f"{_KEY}clientInfo": {"name": "client", "version": "1.0"},
    }
    if number == _WATCHED:
        meta["progressToken"] = _WATCHED
    headers = {"mcp-protocol-version": _M, "mcp-method": method}
    if params and "name" in params:
        headers["mcp-name"] = params["name"]
    return _sent(_request(method, number, {**(params or {}), "_meta": meta}), headers)


_HELLO = {"protocolVersion": _H, "capabilities": {}, "clientInfo": {"name": "client", "version": "1.0"}}
_WELCOME = {"protocolVersion": _H, "capabilities": {"tools": {"listChanged": False}}, "serverInfo": _SERVER}
_CALL = {"name": "get_weather", "arguments": _ARGUMENTS}

INITIALIZE = {
    "request": _sent(_request("initialize", 0, _HELLO), {}),
    "response": _stream(_answer(0, _WELCOME), headers={"mcp-session-id": _SESSION}),
}
INITIALIZED = {"request": _in_session("notifications/initialized"), "response": _plain(202, "")}
LIST = {
    "request": _in_session("tools/list", 1),
    "response": _stream(_answer(1, {"tools": [_WEATHER], "nextCursor": "page-2"})),
}
LIST_ON = {
    "request": _in_session("tools/list", 2, {"cursor": "page-2"}),
    "response": _plain(200, _answer(2, {"tools": [_TIME]})),
}
CALL = {"request": _in_session("tools/call", 3, _CALL), "response": _plain(200, _answer(3, _RESULT))}
STREAM_CALL = {
    "request": _in_session("tools/call", 3, {**_CALL, "_meta": {"progressToken": _WATCHED}}),
    "response": _stream(_PROGRESS, _answer(3, _RESULT)),
}
LISTEN = {
    "request": _sent(None, {"mcp-protocol-version": _H, "mcp-session-id": _SESSION}, "GET"),
    "response": {"status": 405, "headers": {}, "body": ""},
}
DELETE = {
    "request": _sent(None, {"mcp-protocol-version": _H, "mcp-session-id": _SESSION}, "DELETE"),
    "response": {"status": 200, "headers": {}, "body": ""},
}

_HINTS = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
_DONE = {"resultType": "complete"}

DISCOVER = {
    "request": _alone("server/discover", 0),
    "response": _plain(
        200,
        _answer(
            0,
            {
                **_HINTS,
                "supportedVersions": [_M],
                "capabilities": {"tools": {}},
                "_meta": {f"{_KEY}serverInfo": _SERVER},
            },
        ),
    ),
}
M_LIST = {
    "request": _alone("tools/list", 1),
    "response": _plain(200, _answer(1, {**_HINTS, "tools": [_WEATHER], "nextCursor": ""})),
}
M_LIST_ON = {
    "request": _alone("tools/list", 2, {"cursor": ""}),
    "response": _plain(200, _answer(2, {**_HINTS, "tools": [_TIME]})),
}
M_CALL = {
    "request": _alone("tools/call", 3, _CALL),
    "response": _plain(200, _answer(3, {**_RESULT, **_DONE})),
}
M_STREAM_CALL = {
    "request": _alone("tools/call", 3, _CALL),
    "response": _stream(_PROGRESS, _answer(3, {**_RESULT, **_DONE})),
}
M_FAILED_CALL = {
    "request": _alone("tools/call", 3, _CALL),
    "response": _plain(200, _answer(3, {**_FAILED, **_DONE})),
}
M_UNKNOWN_TOOL = {
    "request": _alone("tools/call", 3, {"name": "get_wether", "arguments": {}}),
    "response": _plain(
        400, {"jsonrpc": "2.0", "id": 3, "error": {"code": -32602, "message": "Unknown tool: get_wether"}}
    ),
}

_OPENING = [INITIALIZE, INITIALIZED]
BASES: dict[str, list[dict[str, Any]]] = {
    "session": [*_OPENING, LIST, LIST_ON, CALL, LISTEN, DELETE],
    "session-stream": [*_OPENING, LIST, LIST_ON, STREAM_CALL],
    "stateless": [DISCOVER, M_LIST, M_LIST_ON, M_CALL],
    "stateless-call": [M_CALL],
    "stateless-stream": [M_STREAM_CALL],
    "stateless-failed-call": [M_LIST, M_LIST_ON, M_FAILED_CALL],
    "stateless-unknown-tool": [M_UNKNOWN_TOOL],
}
