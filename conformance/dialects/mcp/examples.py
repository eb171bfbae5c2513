"""Conforming MCP exchanges, the bases of every example of this dialect.

Message shapes, headers and their order are those of the official SDK's client and server (mcp 2.3); the words
are ours.
"""

from __future__ import annotations

import json
from typing import Any

from conformance.dialects.mcp.example_features import FEATURES
from conformance.dialects.mcp.example_parts import (
    HANDSHAKE,
    KEY,
    SESSION,
    STATELESS,
    WATCHED,
    alone,
    answer,
    in_session,
    plain,
    request,
    sent,
    stream,
)

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
    "params": {"progressToken": WATCHED, "progress": 0.5, "total": 1},
}
_SERVER = {"name": "weather", "version": "1.0"}


_HELLO = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "client", "version": "1.0"}}
_WELCOME = {"protocolVersion": HANDSHAKE, "capabilities": {"tools": {"listChanged": False}}, "serverInfo": _SERVER}
_CALL = {"name": "get_weather", "arguments": _ARGUMENTS}

INITIALIZE = {
    "request": sent(request("initialize", 0, _HELLO), {}),
    "response": stream(answer(0, _WELCOME), headers={"mcp-session-id": SESSION}),
}
INITIALIZED = {"request": in_session("notifications/initialized"), "response": plain(202, "")}
LIST = {
    "request": in_session("tools/list", 1),
    "response": stream(answer(1, {"tools": [_WEATHER], "nextCursor": "page-2"})),
}
LIST_ON = {
    "request": in_session("tools/list", 2, {"cursor": "page-2"}),
    "response": plain(200, answer(2, {"tools": [_TIME]})),
}
CALL = {"request": in_session("tools/call", 3, _CALL), "response": plain(200, answer(3, _RESULT))}
STREAM_CALL = {
    "request": in_session("tools/call", 3, {**_CALL, "_meta": {"progressToken": WATCHED}}),
    "response": stream(_PROGRESS, answer(3, _RESULT)),
}
LISTEN = {
    "request": sent(None, {"mcp-protocol-version": HANDSHAKE, "mcp-session-id": SESSION}, "GET"),
    "response": {"status": 405, "headers": {}, "body": ""},
}
DELETE = {
    "request": sent(None, {"mcp-protocol-version": HANDSHAKE, "mcp-session-id": SESSION}, "DELETE"),
    "response": {"status": 200, "headers": {}, "body": ""},
}

_HINTS = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
_DONE = {"resultType": "complete"}

DISCOVER = {
    "request": alone("server/discover", 0),
    "response": plain(
        200,
        answer(
            0,
            {
                **_HINTS,
                "supportedVersions": [STATELESS],
                "capabilities": {"tools": {}},
                "_meta": {f"{KEY}serverInfo": _SERVER},
            },
        ),
    ),
}
M_LIST = {
    "request": alone("tools/list", 1),
    "response": plain(200, answer(1, {**_HINTS, "tools": [_WEATHER], "nextCursor": ""})),
}
M_LIST_ON = {
    "request": alone("tools/list", 2, {"cursor": ""}),
    "response": plain(200, answer(2, {**_HINTS, "tools": [_TIME]})),
}
M_CALL = {
    "request": alone("tools/call", 3, _CALL),
    "response": plain(200, answer(3, {**_RESULT, **_DONE})),
}
M_STREAM_CALL = {
    "request": alone("tools/call", 3, _CALL),
    "response": stream(_PROGRESS, answer(3, {**_RESULT, **_DONE})),
}
M_FAILED_CALL = {
    "request": alone("tools/call", 3, _CALL),
    "response": plain(200, answer(3, {**_FAILED, **_DONE})),
}
M_UNKNOWN_TOOL = {
    "request": alone("tools/call", 3, {"name": "get_wether", "arguments": {}}),
    "response": plain(
        400, {"jsonrpc": "2.0", "id": 3, "error": {"code": -32602, "message": "Unknown tool: get_wether"}}
    ),
}

_OPENING = [INITIALIZE, INITIALIZED]
BASES: dict[str, list[dict[str, Any]]] = {
    "session": [*_OPENING, LIST, LIST_ON, CALL, LISTEN, DELETE],
    "session-stream": [*_OPENING, LIST, LIST_ON, STREAM_CALL],
    "session-features": [*_OPENING, *FEATURES],
    "stateless": [DISCOVER, M_LIST, M_LIST_ON, M_CALL],
    "stateless-call": [M_CALL],
    "stateless-stream": [M_STREAM_CALL],
    "stateless-failed-call": [M_LIST, M_LIST_ON, M_FAILED_CALL],
    "stateless-unknown-tool": [M_UNKNOWN_TOOL],
}
