"""Conforming Responses exchanges, the bases of every example of this dialect.

Shapes, key order, ids and headers are those of real replies (docs/contract/openai-responses.md); the words are ours.
"""

from __future__ import annotations

from typing import Any

_URL = "https://api.openai.com/v1/responses"
_SENT = {
    "accept": "application/json",
    "authorization": "Bearer REDACTED",
    "content-type": "application/json",
}
_JSON = {"content-type": "application/json"}
_SSE = {"content-type": "text/event-stream; charset=utf-8"}

WEATHER_TOOL: dict[str, Any] = {
    "type": "function",
    "name": "get_weather",
    "description": "Current weather at a place.",
    "parameters": {
        "type": "object",
        "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
        "required": ["latitude", "longitude"],
        "additionalProperties": False,
    },
    "strict": True,
}
_USER = {"role": "user", "content": "How warm is it in Seoul and in Busan?"}
_SEOUL, _BUSAN = '{"latitude":37.57,"longitude":126.98}', '{"latitude":35.18,"longitude":129.08}'
_FIRST, _SECOND = (
    "resp_0a1b2c3d4e5f60718293a4b5c6d7e8f90123456789abcdef01",
    "resp_0f9e8d7c6b5a40312213f4e5d6c7b8a90fedcba9876543210f",
)
_TEXT = "14.2 °C in Seoul, 17.9 °C in Busan."


def _call(item_id: str, call_id: str, arguments: str, status: str = "completed") -> dict[str, Any]:
    return {
        "id": item_id,
        "type": "function_call",
        "status": status,
        "arguments": arguments,
        "call_id": call_id,
        "name": "get_weather",
    }


_CALLS = [
    _call("fc_0a1b2c3d4e5f60710001", "call_a1B2c3D4e5F6g7H8i9J0k1L2", _SEOUL),
    _call("fc_0a1b2c3d4e5f60710002", "call_m3N4o5P6q7R8s9T0u1V2w3X4", _BUSAN),
]
_RESULTS = [
    {"type": "function_call_output", "call_id": "call_a1B2c3D4e5F6g7H8i9J0k1L2", "output": '{"temperature": 14.2}'},
    {"type": "function_call_output", "call_id": "call_m3N4o5P6q7R8s9T0u1V2w3X4", "output": '{"temperature": 17.9}'},
]
_PART: dict[str, Any] = {"type": "output_text", "annotations": [], "logprobs": [], "text": _TEXT}
_MESSAGE: dict[str, Any] = {
    "id": "msg_0f9e8d7c6b5a40310001",
    "type": "message",
    "status": "completed",
    "content": [_PART],
    "role": "assistant",
}
_REASONING: dict[str, Any] = {
    "id": "rs_0a1b2c3d4e5f60710000",
    "type": "reasoning",
    "content": [],
    "encrypted_content": "gAAAAABpReasoning1",
    "summary": [{"type": "summary_text", "text": "Two places, two calls."}],
}


def _request(*items: Any, **options: Any) -> dict[str, Any]:
    return _ask([_USER, *items], **options)


def _ask(items: Any, **options: Any) -> dict[str, Any]:
    body = {"model": "gpt-5-mini", "input": items, "tools": [WEATHER_TOOL], **options}
    return {"method": "POST", "url": _URL, "headers": _SENT, "body": body}


def _usage(before: int, after: int, thought: int = 0) -> dict[str, Any]:
    return {
        "input_tokens": before,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": after,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": before + after,
    }


def _response(
    response_id: str, status: str, output: list[Any], usage: Any, previous: str | None = None
) -> dict[str, Any]:
    return {
        "id": response_id,
        "object": "response",
        "created_at": 1790000000,
        "status": status,
        "background": False,
        "completed_at": None if status == "in_progress" else 1790000002,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "max_output_tokens": None,
        "max_tool_calls": None,
        "model": "gpt-5-mini-2025-08-07",
        "output": output,
        "parallel_tool_calls": True,
        "previous_response_id": previous,
        "reasoning": {"effort": "medium", "summary": None},
        "service_tier": "default",
        "store": True,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}, "verbosity": "medium"},
        "tool_choice": "auto",
        "tools": [WEATHER_TOOL],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": usage,
        "user": None,
        "metadata": {},
    }


def _answered(response: dict[str, Any]) -> dict[str, Any]:
    return {"status": 200, "headers": _JSON, "body": response}


def _call_events(index: int, item: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    at = {"item_id": item["id"], "output_index": index}
    text = item["arguments"]
    opened = {**item, "status": "in_progress", "arguments": ""}
    pieces = [text[:12], text[12:]]
    return [
        ("response.output_item.added", {"item": opened, "output_index": index}),
        *(("response.function_call_arguments.delta", {"delta": piece, **at}) for piece in pieces),
        ("response.function_call_arguments.done", {"arguments": text, **at}),
        ("response.output_item.done", {"item": item, "output_index": index}),
    ]


def _message_events(index: int) -> list[tuple[str, dict[str, Any]]]:
    at = {"content_index": 0, "item_id": _MESSAGE["id"], "output_index": index}
    opened = {**_MESSAGE, "status": "in_progress", "content": []}
    pieces = [_TEXT[:18], _TEXT[18:]]
    return [
        ("response.output_item.added", {"item": opened, "output_index": index}),
        ("response.content_part.added", {**at, "part": {**_PART, "text": ""}}),
        *(("response.output_text.delta", {"delta": piece, "logprobs": [], **at}) for piece in pieces),
        ("response.output_text.done", {"logprobs": [], "text": _TEXT, **at}),
        ("response.content_part.done", {**at, "part": _PART}),
        ("response.output_item.done", {"item": _MESSAGE, "output_index": index}),
    ]


def _reasoning_events(index: int) -> list[tuple[str, dict[str, Any]]]:
    at = {"item_id": _REASONING["id"], "output_index": index, "summary_index": 0}
    part = _REASONING["summary"][0]
    opened = {**_REASONING, "encrypted_content": "gAAAAABpReasoning0", "summary": []}
    return [
        ("response.output_item.added", {"item": opened, "output_index": index}),
        ("response.reasoning_summary_part.added", {**at, "part": {**part, "text": ""}}),
        ("response.reasoning_summary_text.delta", {"delta": part["text"], **at}),
        ("response.reasoning_summary_text.done", {"text": part["text"], **at}),
        ("response.reasoning_summary_part.done", {**at, "part": part}),
        ("response.output_item.done", {"item": _REASONING, "output_index": index}),
    ]


def _stream(final: dict[str, Any], middle: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    begun = {**final, "status": "in_progress", "completed_at": None, "output": [], "usage": None}
    events = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
        *middle,
        ("response.completed", {"response": final}),
    ]
    return {
        "status": 200,
        "headers": _SSE,
        "events": [
            {"event": name, "data": {"type": name, **data, "sequence_number": number}}
            for number, (name, data) in enumerate(events)
        ],
    }


_CALLED = _response(_FIRST, "completed", _CALLS, _usage(81, 44))
_SAID = _response(_SECOND, "completed", [_MESSAGE], _usage(140, 21))
_THOUGHT = _response(_FIRST, "completed", [_REASONING, *_CALLS], _usage(81, 172, 128))
_STATELESS = {"store": False, "include": ["reasoning.encrypted_content"]}

CALL = {"request": _request(), "response": _answered(_CALLED)}
ANSWER = {"request": _request(*_CALLS, *_RESULTS), "response": _answered(_SAID)}
FOLLOWING = {
    "request": _ask(_RESULTS, previous_response_id=_FIRST),
    "response": _answered({**_SAID, "previous_response_id": _FIRST}),
}
STREAM_CALL = {
    "request": _request(stream=True),
    "response": _stream(_CALLED, [*_call_events(0, _CALLS[0]), *_call_events(1, _CALLS[1])]),
}
STREAM_ANSWER = {
    "request": _request(*_CALLS, *_RESULTS, stream=True),
    "response": _stream(_SAID, _message_events(0)),
}
REASONING_CALL = {
    "request": _request(**_STATELESS),
    "response": _answered({**_THOUGHT, "store": False}),
}
REASONING_ANSWER = {
    "request": _request(_REASONING, *_CALLS, *_RESULTS, **_STATELESS),
    "response": _answered({**_SAID, "store": False}),
}
STREAM_REASONING = {
    "request": _request(**_STATELESS, stream=True),
    "response": _stream(
        # The last event has a new encryption of the text; clients keep the one in `output_item.done`.
        {**_THOUGHT, "store": False, "output": [{**_REASONING, "encrypted_content": "gAAAAABpReasoning2"}, *_CALLS]},
        [*_reasoning_events(0), *_call_events(1, _CALLS[0]), *_call_events(2, _CALLS[1])],
    ),
}
FAILURE = {
    "request": _request(),
    "response": {
        "status": 401,
        "headers": _JSON,
        "body": {
            "error": {
                "message": "Incorrect API key provided.",
                "type": "invalid_request_error",
                "param": None,
                "code": "invalid_api_key",
            }
        },
    },
}

BASES: dict[str, list[dict[str, Any]]] = {
    "call": [CALL],
    "answer": [ANSWER],
    "run": [CALL, ANSWER],
    "run-previous": [CALL, FOLLOWING],
    "stream-call": [STREAM_CALL],
    "stream-answer": [STREAM_ANSWER],
    "stream-run": [STREAM_CALL, STREAM_ANSWER],
    "reasoning-run": [REASONING_CALL, REASONING_ANSWER],
    "stream-reasoning": [STREAM_REASONING],
    "stream-reasoning-run": [STREAM_REASONING, REASONING_ANSWER],
    "failure": [FAILURE],
}
