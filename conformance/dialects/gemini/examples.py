"""Conforming Gemini exchanges, the bases of every example of this dialect.

Shapes, key order, ids and headers are those of real replies (docs/contract/gemini.md); the words are ours.
The runs are Gemini 3 with ids and a signature; `legacy-run` is 2.0 without either, `thinking-run` 2.5 with
a thought summary and a signature.
"""

from __future__ import annotations

import copy
from typing import Any

_HOST = "https://generativelanguage.googleapis.com/v1beta/models"
_SENT = {
    "content-type": "application/json",
    "x-goog-api-key": "REDACTED",
    "x-goog-api-client": "google-genai-sdk/2.34.0",
}
_JSON = {"content-type": "application/json; charset=UTF-8", "vary": "Origin, X-Origin, Referer"}
_SSE = {"content-type": "text/event-stream", "vary": "Origin, X-Origin, Referer"}

NEW, THINKING, OLD = "gemini-3-flash-preview", "gemini-2.5-flash", "gemini-2.0-flash"
SIGNATURE = "EsYCCsMCAXLI2nwd/tSeaL+forTheFirstCallOfThisTurn=="
ANSWER_SIGNATURE = "EpwBCpkBAXLI2nz+sealOnTheThinkingBehindTheAnswer0A=="
OTHER_SIGNATURE = "EjQKMgFyyNp8aSealThatBelongsToSomeOtherTurnAltogetherAA="

WEATHER_TOOL: dict[str, Any] = {
    "functionDeclarations": [
        {
            "name": "get_weather",
            "description": "Current weather at a place.",
            "parameters": {
                "type": "OBJECT",
                "properties": {"latitude": {"type": "NUMBER"}, "longitude": {"type": "NUMBER"}},
                "required": ["latitude", "longitude"],
            },
        }
    ]
}
_SEOUL, _BUSAN = {"latitude": 37.57, "longitude": 126.98}, {"latitude": 35.18, "longitude": 129.08}
_USER = {"parts": [{"text": "How warm is it in Seoul and in Busan?"}], "role": "user"}
_WORDS = ("14.2 °C in Seoul, ", "17.9 °C in Busan.")


def _call(place: dict[str, Any], call_id: str | None = None, signature: str | None = None) -> dict[str, Any]:
    call: dict[str, Any] = {"name": "get_weather", "args": place, **({"id": call_id} if call_id else {})}
    return {"functionCall": call, **({"thoughtSignature": signature} if signature else {})}


def _result(degrees: float, call_id: str | None = None) -> dict[str, Any]:
    result = {"name": "get_weather", "response": {"output": {"temperature": degrees}}}
    return {"functionResponse": {**({"id": call_id} if call_id else {}), **result}}


_CALLS = [_call(_SEOUL, "dv8szvqe", SIGNATURE), _call(_BUSAN, "j80tal12")]
_RESULTS = [_result(14.2, "dv8szvqe"), _result(17.9, "j80tal12")]
_OLD_CALLS, _OLD_RESULTS = [_call(_SEOUL), _call(_BUSAN)], [_result(14.2), _result(17.9)]
_THOUGHT = {"text": "Two places, so two calls.", "thought": True}
_THINKING_CALLS = [_call(_SEOUL, signature=SIGNATURE), _call(_BUSAN)]


def _request(model: str, *contents: Any, method: str = "generateContent", **more: Any) -> dict[str, Any]:
    body = {"contents": [_USER, *contents], "tools": [WEATHER_TOOL], **more}
    return {"method": "POST", "url": f"{_HOST}/{model}:{method}", "headers": _SENT, "body": body}


def _history(calls: list[Any], results: list[Any]) -> tuple[Any, Any]:
    return {"parts": calls, "role": "model"}, {"parts": results, "role": "user"}


def _usage(prompt: int, said: int, thoughts: int = 0) -> dict[str, Any]:
    usage = {"promptTokenCount": prompt, "candidatesTokenCount": said, "totalTokenCount": prompt + said + thoughts}
    return {**usage, **({"thoughtsTokenCount": thoughts} if thoughts else {})}


def _body(model: str, parts: list[Any], usage: dict[str, Any], finish: str | None = "STOP") -> dict[str, Any]:
    candidate = {
        "content": {"parts": parts, "role": "model"},
        **({"finishReason": finish} if finish else {}),
        "index": 0,
    }
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": model,
        "responseId": "FyIhav7bJNyw4-EP6eCsqA0",
    }


def _ok(body: Any, headers: dict[str, str] = _JSON) -> dict[str, Any]:
    return {"status": 200, "headers": headers, "body": body}


def _streamed(*bodies: Any) -> dict[str, Any]:
    return {"status": 200, "headers": _SSE, "events": [{"data": body} for body in bodies]}


def _text(text: str, signature: str | None = None) -> dict[str, Any]:
    return {"text": text, **({"thoughtSignature": signature} if signature else {})}


_STREAM = "streamGenerateContent?alt=sse"
_CALL_CHUNKS = [
    _body(NEW, _CALLS[:1], _usage(71, 16, 93), None),
    _body(NEW, _CALLS[1:], _usage(71, 33, 93), None),
    _body(NEW, [_text("")], _usage(71, 33, 93)),
]
_ANSWER_CHUNKS = [
    _body(NEW, [_text(_WORDS[0])], _usage(210, 9), None),
    _body(NEW, [_text(_WORDS[1])], _usage(210, 21), None),
    _body(NEW, [_text("", ANSWER_SIGNATURE)], _usage(210, 21, 12)),
]
_ECHO = _history(_CALLS, _RESULTS)

CALL = {"request": _request(NEW), "response": _ok(_body(NEW, _CALLS, _usage(71, 33, 93)))}
ANSWER = {
    "request": _request(NEW, *_ECHO),
    "response": _ok(_body(NEW, [_text("".join(_WORDS), ANSWER_SIGNATURE)], _usage(210, 21, 12))),
}
UNMERGED = {
    "request": _request(
        NEW,
        {"parts": _CALLS[:1], "role": "model"},
        {"parts": _CALLS[1:], "role": "model"},
        {"parts": _RESULTS[:1], "role": "user"},
        {"parts": _RESULTS[1:], "role": "user"},
    ),
    "response": ANSWER["response"],
}
STREAM_CALL = {"request": _request(NEW, method=_STREAM), "response": _streamed(*_CALL_CHUNKS)}
STREAM_ANSWER = {"request": _request(NEW, *_ECHO, method=_STREAM), "response": _streamed(*_ANSWER_CHUNKS)}
ARRAY_CALL = {
    "request": _request(NEW, method="streamGenerateContent?alt=json"),
    "response": _ok(_CALL_CHUNKS),
}
_LEGACY_RUN = [
    {"request": _request(OLD), "response": _ok(_body(OLD, _OLD_CALLS, _usage(71, 33)))},
    {
        "request": _request(OLD, *_history(_OLD_CALLS, _OLD_RESULTS)),
        "response": _ok(_body(OLD, [_text("".join(_WORDS))], _usage(140, 21))),
    },
]
_THINKING_RUN = [
    {
        "request": _request(THINKING, generationConfig={"thinkingConfig": {"includeThoughts": True}}),
        "response": _ok(_body(THINKING, [_THOUGHT, *_THINKING_CALLS], _usage(71, 33, 64))),
    },
    {
        "request": _request(THINKING, *_history(_THINKING_CALLS, _OLD_RESULTS)),
        "response": _ok(_body(THINKING, [_text("".join(_WORDS))], _usage(140, 21))),
    },
]
SNAKE = {
    "request": {
        **_request(NEW),
        "body": {
            "contents": [
                _USER,
                {
                    "parts": [
                        {"function_call": _CALLS[0]["functionCall"], "thought_signature": SIGNATURE},
                        {"function_call": _CALLS[1]["functionCall"]},
                    ],
                    "role": "model",
                },
                {"parts": [{"function_response": each["functionResponse"]} for each in _RESULTS], "role": "user"},
            ],
            "system_instruction": {"parts": [{"text": "Answer in one sentence."}]},
            "tools": [
                {
                    "function_declarations": [
                        {
                            "name": "get_weather",
                            "description": "Current weather at a place.",
                            "parameters_json_schema": {
                                "type": "object",
                                "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
                                "required": ["latitude", "longitude"],
                            },
                        }
                    ]
                }
            ],
            "tool_config": {"function_calling_config": {"mode": "AUTO"}},
            "generation_config": {"max_output_tokens": 1024},
        },
    },
    "response": ANSWER["response"],
}
BLOCKED = {
    "request": _request(THINKING),
    "response": _ok(
        {
            "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
            "usageMetadata": {"promptTokenCount": 71, "totalTokenCount": 71},
            "modelVersion": THINKING,
            "responseId": "FyIhav7bJNyw4-EP6eCsqA0",
        }
    ),
}
FORCED = copy.deepcopy(CALL)
FORCED["request"]["body"]["toolConfig"] = {
    "functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["get_weather"]}
}
FAILURE = {
    "request": _request(THINKING),
    "response": {
        "status": 400,
        "headers": _JSON,
        "body": {
            "error": {
                "code": 400,
                "message": "API key not valid. Please pass a valid API key.",
                "status": "INVALID_ARGUMENT",
                "details": [
                    {
                        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                        "reason": "API_KEY_INVALID",
                        "domain": "googleapis.com",
                        "metadata": {"service": "generativelanguage.googleapis.com"},
                    }
                ],
            }
        },
    },
}

BASES: dict[str, list[dict[str, Any]]] = {
    "call": [CALL],
    "answer": [ANSWER],
    "run": [CALL, ANSWER],
    "stream-call": [STREAM_CALL],
    "stream-answer": [STREAM_ANSWER],
    "stream-run": [STREAM_CALL, STREAM_ANSWER],
    "array-call": [ARRAY_CALL],
    "legacy-run": _LEGACY_RUN,
    "thinking-run": _THINKING_RUN,
    "snake-case": [SNAKE],
    "unmerged": [UNMERGED],
    "forced-call": [FORCED],
    "blocked": [BLOCKED],
    "failure": [FAILURE],
}
