"""Conforming Chat exchanges, the bases of every example of this dialect.

Shapes, key order, ids and headers are those of real replies (docs/contract/openai-chat.md); the words are ours.
"""

from __future__ import annotations

from typing import Any

_URL = "https://api.openai.com/v1/chat/completions"
_SENT = {
    "accept": "application/json",
    "authorization": "Bearer REDACTED",
    "content-type": "application/json",
}
_JSON = {"content-type": "application/json"}
_SSE = {"content-type": "text/event-stream; charset=utf-8"}

WEATHER_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Current weather at a place.",
        "parameters": {
            "type": "object",
            "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
            "required": ["latitude", "longitude"],
        },
    },
}
_USER = {"role": "user", "content": "How warm is it in Seoul and in Busan?"}
_CALLS = [
    {
        "id": "call_a1B2c3D4e5F6g7H8i9J0k1L2",
        "type": "function",
        "function": {"name": "get_weather", "arguments": '{"latitude":37.57,"longitude":126.98}'},
    },
    {
        "id": "call_m3N4o5P6q7R8s9T0u1V2w3X4",
        "type": "function",
        "function": {"name": "get_weather", "arguments": '{"latitude":35.18,"longitude":129.08}'},
    },
]


def _request(*messages: Any, **options: Any) -> dict[str, Any]:
    body = {"model": "gpt-4o-mini", "messages": [_USER, *messages], "tools": [WEATHER_TOOL], **options}
    return {"method": "POST", "url": _URL, "headers": _SENT, "body": body}


def _usage(prompt: int, completion: int) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _completion(message: dict[str, Any], finish: str) -> dict[str, Any]:
    body = {
        "id": "chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012",
        "object": "chat.completion",
        "created": 1790000000,
        "model": "gpt-4o-mini-2024-07-18",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": _usage(82, 44),
        "service_tier": "default",
        "system_fingerprint": "fp_560af6e559",
    }
    return {"status": 200, "headers": _JSON, "body": body}


def _chunk(delta: Any, finish: str | None = None, **more: Any) -> dict[str, Any]:
    data = {
        "id": "chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012",
        "object": "chat.completion.chunk",
        "created": 1790000000,
        "model": "gpt-4o-mini-2024-07-18",
        "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
        "usage": None,
        **more,
    }
    return {"data": data}


def _call_chunks(index: int) -> list[dict[str, Any]]:
    call = _CALLS[index]
    name, text = call["function"]["name"], call["function"]["arguments"]  # type: ignore[index]
    first = {"index": index, "id": call["id"], "type": "function", "function": {"name": name, "arguments": ""}}
    pieces = [text[:12], text[12:]]
    return [
        _chunk({"tool_calls": [first]}),
        *(_chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}) for piece in pieces),
    ]


_ASSISTANT = {"role": "assistant", "content": None, "tool_calls": _CALLS}
_RESULTS = [
    {"role": "tool", "tool_call_id": "call_a1B2c3D4e5F6g7H8i9J0k1L2", "content": '{"temperature": 14.2}'},
    {"role": "tool", "tool_call_id": "call_m3N4o5P6q7R8s9T0u1V2w3X4", "content": '{"temperature": 17.9}'},
]
_ANSWER = {"role": "assistant", "content": "14.2 °C in Seoul, 17.9 °C in Busan.", "refusal": None}
_STREAM = {"stream": True, "stream_options": {"include_usage": True}}

CALL = {
    "request": _request(),
    "response": _completion({**_ASSISTANT, "refusal": None, "annotations": []}, "tool_calls"),
}
ANSWER = {"request": _request(_ASSISTANT, *_RESULTS), "response": _completion(_ANSWER, "stop")}
STREAM_CALL = {
    "request": _request(**_STREAM),
    "response": {
        "status": 200,
        "headers": _SSE,
        "events": [
            _chunk({"role": "assistant", "content": None}),
            *_call_chunks(0),
            *_call_chunks(1),
            _chunk({}, "tool_calls"),
            {"data": {**_chunk({})["data"], "choices": [], "usage": _usage(82, 44)}},
            {"data": "[DONE]"},
        ],
    },
}
STREAM_ANSWER = {
    "request": _request(_ASSISTANT, *_RESULTS, **_STREAM),
    "response": {
        "status": 200,
        "headers": _SSE,
        "events": [
            _chunk({"role": "assistant", "content": "", "refusal": None}),
            _chunk({"content": "14.2 °C in Seoul, "}),
            _chunk({"content": "17.9 °C in Busan."}),
            _chunk({}, "stop"),
            {"data": {**_chunk({})["data"], "choices": [], "usage": _usage(140, 21)}},
            {"data": "[DONE]"},
        ],
    },
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


def exchange(messages: list[Any], text: str, *, stream: bool = False, **options: Any) -> dict[str, Any]:
    """One exchange of a plain chat, for the dialects that are written in its text: messages, and the answer's text.

    `finish` among the options is the reply's finish reason; the others are keys of the request.
    """
    finish = options.pop("finish", "stop")
    body = {"model": "gpt-4o-mini", "messages": messages, **options, **(_STREAM if stream else {})}
    request = {"method": "POST", "url": _URL, "headers": _SENT, "body": body}
    if not stream:
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
        return {"request": request, "response": _completion(message, finish)}
    size = max(1, (len(text) + 3) // 4)
    events = [
        _chunk({"role": "assistant", "content": "", "refusal": None}),
        *(_chunk({"content": text[start : start + size]}) for start in range(0, len(text), size)),
        _chunk({}, finish),
        {"data": {**_chunk({})["data"], "choices": [], "usage": _usage(182, 44)}},
        {"data": "[DONE]"},
    ]
    return {"request": request, "response": {"status": 200, "headers": _SSE, "events": events}}


def _streamed(request: dict[str, Any], finish: str, *deltas: Any) -> dict[str, Any]:
    """A stream that begins with the role and ends with usage; the request asks for both."""
    request = {**request, "body": {**request["body"], **_STREAM}}
    chunks = [_chunk({"role": "assistant", "content": None}), *map(_chunk, deltas), _chunk({}, finish)]
    usage = {"data": {**_chunk({})["data"], "choices": [], "usage": _usage(82, 44)}}
    return {
        "request": request,
        "response": {"status": 200, "headers": _SSE, "events": [*chunks, usage, {"data": "[DONE]"}]},
    }


_SQL_TOOL = {"type": "custom", "custom": {"name": "run_sql", "description": "Run a query.", "format": {"type": "text"}}}
_SQL_CALL = {"id": "call_s1Q2l3S4q5L6s7Q8l9S0q1L2", "type": "custom"}
_SQL = _request(tools=[WEATHER_TOOL, _SQL_TOOL])
_SQL_MESSAGE = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{**_SQL_CALL, "custom": {"name": "run_sql", "input": "select 1"}}],
}
_SQL_RESULT = {"role": "tool", "tool_call_id": _SQL_CALL["id"], "content": "1"}
_ALLOWED = {"mode": "required", "tools": [{"type": "function", "function": {"name": "get_weather"}}]}
_ALLOWED_CHOICE = {"type": "allowed_tools", "allowed_tools": _ALLOWED}
_ONE_CALL = {"role": "assistant", "content": None, "tool_calls": _CALLS[:1], "refusal": None, "annotations": []}
_STRICT_TOOL = {
    "type": "function",
    "function": {
        **WEATHER_TOOL["function"],
        "strict": True,
        "parameters": {**WEATHER_TOOL["function"]["parameters"], "additionalProperties": False},
    },
}
KINDS: dict[str, list[dict[str, Any]]] = {
    "custom-tool": [
        {"request": _SQL, "response": _completion({**_SQL_MESSAGE, "refusal": None}, "tool_calls")},
        {
            "request": _request(_SQL_MESSAGE, _SQL_RESULT, tools=[WEATHER_TOOL, _SQL_TOOL]),
            "response": _completion(_ANSWER, "stop"),
        },
    ],
    "stream-custom-tool": [
        _streamed(
            _SQL,
            "tool_calls",
            {"tool_calls": [{"index": 0, **_SQL_CALL, "custom": {"name": "run_sql", "input": ""}}]},
            {"tool_calls": [{"index": 0, "custom": {"input": "select"}}]},
            {"tool_calls": [{"index": 0, "custom": {"input": " 1"}}]},
        )
    ],
    "allowed-tools": [
        {"request": _request(tool_choice=_ALLOWED_CHOICE), "response": _completion(_ONE_CALL, "tool_calls")}
    ],
    "one-at-a-time": [
        {"request": _request(parallel_tool_calls=False), "response": _completion(_ONE_CALL, "tool_calls")}
    ],
    "strict": [{"request": _request(tools=[_STRICT_TOOL]), "response": _completion(_ONE_CALL, "tool_calls")}],
    "refusal": [
        {
            "request": _request(),
            "response": _completion({"role": "assistant", "content": None, "refusal": "I can not do that."}, "stop"),
        }
    ],
    "stream-refusal": [_streamed(_request(), "stop", {"refusal": "I can not"}, {"refusal": " do that."})],
    "cut-off": [
        {
            "request": _request(),
            "response": _completion({"role": "assistant", "content": "The weather in", "refusal": None}, "length"),
        }
    ],
}
"""The rarer kinds of tools, choices and endings."""

BASES: dict[str, list[dict[str, Any]]] = {
    "call": [CALL],
    "answer": [ANSWER],
    "run": [CALL, ANSWER],
    "stream-call": [STREAM_CALL],
    "stream-answer": [STREAM_ANSWER],
    "stream-run": [STREAM_CALL, STREAM_ANSWER],
    "failure": [FAILURE],
    **KINDS,
}
