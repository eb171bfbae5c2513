"""Conforming Messages exchanges, the bases of every example of this dialect.

Shapes, key order, ids and headers are those of real replies (docs/contract/anthropic-messages.md); the words are ours.
"""

from __future__ import annotations

from typing import Any

Record = dict[str, Any]

_URL = "https://api.anthropic.com/v1/messages"
_MODEL = "claude-sonnet-4-5-20250929"
_ID = "msg_01XFDUDYJgAACzvnptvVoYEL"
_SENT = {
    "accept": "application/json",
    "anthropic-version": "2026-10-21",
    "authorization": "Bearer REDACTED",
    "content-type": "application/json",
}
_JSON = {"content-type": "application/json", "request-id": "req_011CSHoEeqs5C35K2UUqR7Fy"}
_SSE = {**_JSON, "content-type": "text/event-stream; charset=utf-8"}

WEATHER_TOOL: Record = {
    "name": "get_weather",
    "description": "Current weather at a place.",
    "input_schema": {
        "type": "object",
        "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
        "required": ["latitude", "longitude"],
    },
}
CLOCK_TOOL: Record = {
    "name": "get_time",
    "description": "The time now, in UTC.",
    "input_schema": {"type": "object", "properties": {}},
}
SEARCH_TOOL: Record = {"type": "web_search_20250305", "name": "web_search", "max_uses": 3}
_USER: Record = {"role": "user", "content": "How warm is it in Seoul and in Busan?"}


def _use(suffix: str, name: str, arguments: Record, kind: str = "tool_use") -> Record:
    prefix = "srvtoolu_01" if kind == "server_tool_use" else "toolu_01"
    return {"type": kind, "id": f"{prefix}{suffix}", "name": name, "input": arguments}


def _text(text: str) -> Record:
    return {"type": "text", "text": text}


def _result(call: Record, content: Any, **more: Any) -> Record:
    return {"type": "tool_result", "tool_use_id": call["id"], "content": content, **more}


_SEOUL = _use("A1b2C3d4E5f6G7h8I9j0K1", "get_weather", {"latitude": 37.57, "longitude": 126.98})
_BUSAN = _use("M3n4O5p6Q7r8S9t0U1v2W3", "get_weather", {"latitude": 35.18, "longitude": 129.08})
_CLOCK = _use("Z9y8X7w6V5u4T3s2R1q0P9", "get_time", {})
_CALLS = [_text("I will look up both."), _SEOUL, _BUSAN]
_RESULTS: Record = {
    "role": "user",
    "content": [_result(_SEOUL, '{"temperature": 14.2}'), _result(_BUSAN, [_text('{"temperature": 17.9}')])],
}
_ANSWER = [_text("14.2 °C in Seoul, 17.9 °C in Busan.")]
_THINKING: Record = {
    "type": "thinking",
    "thinking": "Two places, so two calls.",
    "signature": "EqoBCkgIARABGAIiQL8mV1x0dGhpbmtpbmcgYmxvY2s=",
}
_REDACTED: Record = {"type": "redacted_thinking", "data": "EmwKAhgBEgy3va3pzixafilerqgaDGJ1c2FuIHNlb3Vs"}
_THOUGHT = [_THINKING, _REDACTED, *_CALLS]
_THINKS = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 4096}
_SEARCH = _use("H1g2F3e4D5c6B7a8Z9y0X1", "web_search", {"query": "weather in Seoul"}, "server_tool_use")
_FOUND: Record = {
    "type": "web_search_tool_result",
    "tool_use_id": _SEARCH["id"],
    "content": [
        {
            "type": "web_search_result",
            "title": "Seoul weather",
            "url": "https://weather.example/seoul",
            "encrypted_content": "EqgfCioIARgBIiQ3YTAwMjY1Mi1mZjM5LTQ1NGUtODgxNC1kNjNjNTk1ZWI3Y",
            "page_age": None,
        }
    ],
}


def assistant(content: Any) -> Record:
    """A message of the history."""
    return {"role": "assistant", "content": content}


def _request(*messages: Any, **options: Any) -> Record:
    body = {"model": _MODEL, "max_tokens": 1024, "messages": [_USER, *messages], "tools": [WEATHER_TOOL], **options}
    return {"method": "POST", "url": _URL, "headers": _SENT, "body": body}


def _usage(read: int, written: int) -> Record:
    return {
        "input_tokens": read,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": written,
        "service_tier": "standard",
    }


def _message(content: list[Record], stop: str | None, sequence: str | None = None, **usage: Any) -> Record:
    return {
        "model": _MODEL,
        "id": _ID,
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": sequence,
        "usage": usage or _usage(421, 96),
    }


def _reply(content: list[Record], stop: str, sequence: str | None = None) -> Record:
    return {"status": 200, "headers": _JSON, "body": _message(content, stop, sequence)}


def _event(kind: str, **data: Any) -> Record:
    return {"event": kind, "data": {"type": kind, **data}}


def _halves(text: str) -> list[str]:
    middle = len(text) // 2
    return [text[:middle], text[middle:]]


def _block(index: int, block: Record, *, arguments: str = "") -> list[Record]:
    """The events of one block: its start, its deltas, its stop."""
    deltas: list[Record] = []
    start = dict(block)
    if "input" in block:
        start["input"] = {}
        pieces = ["", *(_halves(arguments) if arguments else [])]
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    elif block["type"] == "text":
        start["text"] = ""
        deltas = [{"type": "text_delta", "text": piece} for piece in _halves(block["text"])]
    elif block["type"] == "thinking":
        start = {**block, "thinking": "", "signature": ""}
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _halves(block["thinking"])]
        deltas.append({"type": "signature_delta", "signature": block["signature"]})
    return [
        _event("content_block_start", index=index, content_block=start),
        *(_event("content_block_delta", index=index, delta=delta) for delta in deltas),
        _event("content_block_stop", index=index),
    ]


_SPOKEN = {
    _SEOUL["id"]: '{"latitude": 37.57, "longitude": 126.98}',
    _BUSAN["id"]: '{"latitude": 35.18, "longitude": 129.08}',
    _SEARCH["id"]: '{"query": "weather in Seoul"}',
}


def _stream(blocks: list[Record], stop: str) -> Record:
    """A whole stream, with a ping where the provider usually sends one: after the first block's start."""
    content = [
        event
        for index, block in enumerate(blocks)
        for event in _block(index, block, arguments=_SPOKEN.get(block.get("id"), ""))
    ]
    events = [
        _event("message_start", message=_message([], None, **_usage(421, 3))),
        content[0],
        _event("ping"),
        *content[1:],
        _event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage={"output_tokens": 96}),
        _event("message_stop"),
    ]
    return {"status": 200, "headers": _SSE, "events": events}


def _exchange(request: Record, response: Record) -> Record:
    return {"request": request, "response": response}


def _error(status: int, kind: str, message: str, **headers: str) -> Record:
    error = {"type": "error", "error": {"type": kind, "message": message}, "request_id": _JSON["request-id"]}
    return _exchange(_request(), {"status": status, "headers": {**_JSON, **headers}, "body": error})


def _hosted(url: str, version: str, **options: Any) -> Record:
    """A request to a cloud: the model in the path, the version in the body, the cloud's own credential."""
    body = _request(**options)["body"]
    del body["model"]
    headers = {"content-type": "application/json", "authorization": "Bearer REDACTED"}
    return {"method": "POST", "url": url, "headers": headers, "body": {"anthropic_version": version, **body}}


_STREAM = {"stream": True}
_CALL = _exchange(_request(), _reply(_CALLS, "tool_use"))
_ANSWERED = _exchange(_request(assistant(_CALLS), _RESULTS), _reply(_ANSWER, "end_turn"))
_STREAM_CALL = _exchange(_request(**_STREAM), _stream(_CALLS, "tool_use"))
_STREAM_ANSWER = _exchange(_request(assistant(_CALLS), _RESULTS, **_STREAM), _stream(_ANSWER, "end_turn"))
_PAUSED = _exchange(_request(tools=[SEARCH_TOOL]), _reply([_text("I will search."), _SEARCH, _FOUND], "pause_turn"))
_RESUMED = _exchange(
    _request(assistant([_text("I will search."), _SEARCH, _FOUND]), tools=[SEARCH_TOOL]), _reply(_ANSWER, "end_turn")
)
_CLOCK_TURN: Record = {"role": "user", "content": [_result(_CLOCK, "the clock is broken", is_error=True)]}

BASES: dict[str, list[Record]] = {
    "call": [_CALL],
    "answer": [_ANSWERED],
    "run": [_CALL, _ANSWERED],
    "stream-call": [_STREAM_CALL],
    "stream-answer": [_STREAM_ANSWER],
    "stream-run": [_STREAM_CALL, _STREAM_ANSWER],
    "thinking-run": [
        _exchange(_request(**_THINKS), _reply(_THOUGHT, "tool_use")),
        _exchange(_request(assistant(_THOUGHT), _RESULTS, **_THINKS), _reply(_ANSWER, "end_turn")),
    ],
    "stream-thinking-run": [
        _exchange(_request(**_THINKS, **_STREAM), _stream(_THOUGHT, "tool_use")),
        _exchange(_request(assistant(_THOUGHT), _RESULTS, **_THINKS, **_STREAM), _stream(_ANSWER, "end_turn")),
    ],
    "stream-no-arguments": [_exchange(_request(tools=[CLOCK_TOOL], **_STREAM), _stream([_CLOCK], "tool_use"))],
    "error-result": [
        _exchange(_request(tools=[CLOCK_TOOL]), _reply([_CLOCK], "tool_use")),
        _exchange(_request(assistant([_CLOCK]), _CLOCK_TURN, tools=[CLOCK_TOOL]), _reply(_ANSWER, "end_turn")),
    ],
    "pause-run": [_PAUSED, _RESUMED],
    "stream-server-tool": [
        _exchange(_request(tools=[SEARCH_TOOL], **_STREAM), _stream([_SEARCH, _FOUND, *_ANSWER], "end_turn"))
    ],
    "required": [
        _exchange(_request(tool_choice={"type": "any"}), _reply([_SEOUL, _BUSAN], "tool_use")),
    ],
    "named-serial": [
        _exchange(
            _request(tool_choice={"type": "tool", "name": "get_weather", "disable_parallel_tool_use": True}),
            _reply([_SEOUL], "tool_use"),
        )
    ],
    "none": [_exchange(_request(tool_choice={"type": "none"}), _reply(_ANSWER, "end_turn"))],
    "stop-sequence": [_exchange(_request(stop_sequences=["Busan"]), _reply(_ANSWER, "stop_sequence", "Busan"))],
    "cut-off": [_exchange(_request(), _reply([_SEOUL], "max_tokens"))],
    "system": [_exchange(_request(system="Be brief."), _reply(_ANSWER, "end_turn"))],
    "vertex": [
        _exchange(
            _hosted(
                "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic"
                "/models/claude-sonnet-4-5@20250929:streamRawPredict",
                "vertex-2023-10-16",
                **_STREAM,
            ),
            _stream(_CALLS, "tool_use"),
        )
    ],
    "bedrock": [
        _exchange(
            _hosted(
                "https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke",
                "bedrock-2023-05-31",
            ),
            _reply(_CALLS, "tool_use"),
        )
    ],
    "stream-failure": [
        _exchange(
            _request(**_STREAM),
            {
                "status": 200,
                "headers": _SSE,
                "events": [
                    *_stream(_CALLS, "tool_use")["events"][:4],
                    _event("error", error={"type": "overloaded_error", "message": "Overloaded"}),
                ],
            },
        )
    ],
    "failure": [_error(401, "authentication_error", "invalid x-api-key")],
    "rate-limit": [_error(429, "rate_limit_error", "Too many requests.", **{"retry-after": "12"})],
}
