"""Conforming exchanges of revision 2025-11-25: a server's features besides tools, and its requests to the client."""

from __future__ import annotations

from typing import Any

from conformance.dialects.mcp.example_parts import answer, in_session, plain, stream

_FILE = {"uri": "file:///stations.csv", "name": "stations", "mimeType": "text/csv"}
_SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "title": "City", "minLength": 1},
        "unit": {"type": "string", "enum": ["C"]},
    },
    "required": ["city"],
}


def _asked(method: str, number: int, params: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """A request of the client with its result."""
    return {"request": in_session(method, number, params), "response": plain(200, answer(number, result))}


def _told(result: dict[str, Any], number: str) -> dict[str, Any]:
    """The answer of the client to a question of the server."""
    request = in_session("")
    request["body"] = {"jsonrpc": "2.0", "id": number, "result": result}
    return {"request": request, "response": plain(202, "")}


def _question(method: str, number: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _notice(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


_QUESTIONS = stream(
    _notice("notifications/message", {"level": "info", "logger": "weather", "data": "started"}),
    _notice("notifications/resources/updated", {"uri": "file:///stations.csv"}),
    _question(
        "sampling/createMessage",
        "s1",
        {
            "messages": [{"role": "user", "content": {"type": "text", "text": "Name a city."}}],
            "maxTokens": 20,
            "temperature": 0,
            "modelPreferences": {"hints": [{"name": "small"}], "costPriority": 0.5},
        },
    ),
    _question("elicitation/create", "s2", {"message": "Which city?", "requestedSchema": _SCHEMA}),
    _question("roots/list", "s3", {}),
    answer(9, {"content": [{"type": "text", "text": "Seoul: 14.2"}]}),
)
FEATURES: list[dict[str, Any]] = [
    _asked(
        "prompts/list",
        1,
        {},
        {"prompts": [{"name": "report", "arguments": [{"name": "city", "required": True}]}], "nextCursor": "2"},
    ),
    _asked(
        "prompts/get",
        2,
        {"name": "report", "arguments": {"city": "Seoul"}},
        {"messages": [{"role": "user", "content": {"type": "text", "text": "How warm is it in Seoul?"}}]},
    ),
    _asked("resources/list", 3, {}, {"resources": [{**_FILE, "size": 20}]}),
    _asked(
        "resources/templates/list",
        4,
        {},
        {"resourceTemplates": [{"uriTemplate": "file:///{city}.csv", "name": "city"}]},
    ),
    _asked(
        "resources/read",
        5,
        {"uri": "file:///stations.csv"},
        {"contents": [{"uri": "file:///stations.csv", "mimeType": "text/csv", "text": "Seoul,14.2"}]},
    ),
    _asked(
        "completion/complete",
        6,
        {"ref": {"type": "ref/prompt", "name": "report"}, "argument": {"name": "city", "value": "S"}},
        {"completion": {"values": ["Seoul"], "total": 1, "hasMore": False}},
    ),
    _asked("logging/setLevel", 7, {"level": "info"}, {}),
    _asked("ping", 8, {}, {}),
    {
        "request": in_session("tools/call", 9, {"name": "get_weather", "arguments": {}}),
        "response": _QUESTIONS,
    },
    _told({"role": "assistant", "content": {"type": "text", "text": "Seoul"}, "model": "small-1"}, "s1"),
    _told({"action": "accept", "content": {"city": "Seoul"}}, "s2"),
    _told({"roots": [{"uri": "file:///home", "name": "home"}]}, "s3"),
]
