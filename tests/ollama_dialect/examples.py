"""Conforming exchanges."""

from __future__ import annotations

from typing import Any

_URL = "http://localhost:11434/api/chat"
_SENT = {"content-type": "application/json"}
_JSON = {"content-type": "application/json; charset=utf-8"}
_LINES = {"content-type": "application/x-ndjson"}
_USER = {"role": "user", "content": "Will it rain in Tromsø today?"}
_TOOL = {
    "type": "function",
    "function": {
        "name": "forecast",
        "description": "The weather of a place.",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
    },
}
_CALL = {"function": {"name": "forecast", "arguments": {"place": "Tromsø"}}}
_ASKS = {"role": "assistant", "content": "", "tool_calls": [_CALL]}
_RESULT = {"role": "tool", "tool_name": "forecast", "content": "rain until noon"}
_END = {
    "done": True,
    "done_reason": "stop",
    "total_duration": 2_100_000_000,
    "load_duration": 41_000_000,
    "prompt_eval_count": 171,
    "prompt_eval_duration": 310_000_000,
    "eval_count": 19,
    "eval_duration": 700_000_000,
}


def _line(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "llama3.2", "created_at": "2026-09-21T12:26:40.0871Z", "message": message, "done": False, **more}


def _exchange(messages: list[Any], *lines: dict[str, Any], **options: Any) -> dict[str, Any]:
    """An exchange, streamed if it has several lines; nothing in the request need say so."""
    body = {"model": "llama3.2", "messages": messages, "tools": [_TOOL], **options}
    request = {"method": "POST", "url": _URL, "headers": _SENT, "body": body}
    if len(lines) == 1:
        return {"request": request, "response": {"status": 200, "headers": _JSON, "body": lines[0]}}
    return {
        "request": request,
        "response": {"status": 200, "headers": _LINES, "events": [{"data": line} for line in lines]},
    }


def _say(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


_FIRST = _exchange([_USER], _line(_ASKS, **_END), stream=False)

BASES: dict[str, list[dict[str, Any]]] = {
    "call": [_FIRST],
    "run": [_FIRST, _exchange([_USER, _ASKS, _RESULT], _line(_say("Yes, until noon."), **_END), stream=False)],
    "stream-call": [_exchange([_USER], _line(_ASKS), _line(_say(""), **_END))],
    "stream-answer": [
        _exchange(
            [_USER, _ASKS, _RESULT],
            _line(_say("Yes, ")),
            _line(_say("until noon.")),
            _line(_say(""), **_END),
            stream=True,
        )
    ],
    "failure": [
        {**_FIRST, "response": {"status": 404, "headers": _JSON, "body": {"error": "model 'llama3.2' not found"}}}
    ],
}
