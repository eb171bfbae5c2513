"""Conforming prompted exchanges, the bases of every example of this dialect. The words are ours."""

from __future__ import annotations

import json
from typing import Any

from conformance.dialects.prompted.prompt import instructions
from conformance.transcript import ToolDefinition

_URL = "https://api.openai.com/v1/chat/completions"
_SENT = {"accept": "application/json", "authorization": "Bearer REDACTED", "content-type": "application/json"}
_JSON = {"content-type": "application/json"}
_SSE = {"content-type": "text/event-stream; charset=utf-8"}
_HEAD = {
    "id": "chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012",
    "object": "chat.completion",
    "created": 1790000000,
    "model": "gpt-4o-mini-2024-07-18",
}

_NUMBER = {"type": "number"}
_SHAPE = {
    "type": "object",
    "properties": {"latitude": _NUMBER, "longitude": _NUMBER},
    "required": ["latitude", "longitude"],
}
SYSTEM = instructions([ToolDefinition("get_weather", "Current weather at a place.", _SHAPE)])
CALLS = (
    '<function_call>\n{"function_call": {"name": "get_weather", "arguments": {"latitude": 37.57, "longitude": 126.98}}}'
    "\n</function_call>\n"
    '<function_call>\n{"function_call": {"name": "get_weather", "arguments": {"latitude": 35.18, "longitude": 129.08}}}'
    "\n</function_call>"
)
_ANSWER = "14.2 °C in Seoul, 17.9 °C in Busan."


def record(arguments: Any, response: Any, name: str = "get_weather") -> str:
    """A call that was run, with its result."""
    value = {"function_call_record": {"name": name, "arguments": arguments, "response": response}}
    return f"<function_call>{json.dumps(value, ensure_ascii=False)}</function_call>"


RECORDS = [
    record({"latitude": 37.57, "longitude": 126.98}, {"temperature": 14.2}),
    record({"latitude": 35.18, "longitude": 129.08}, {"temperature": 17.9}),
]
_ASKED = [
    {"role": "system", "content": SYSTEM},
    {"role": "user", "content": "How warm is it in Seoul and in Busan?"},
]
_ANSWERED = [{"role": "assistant", "content": CALLS}, {"role": "user", "content": "\n".join(RECORDS)}]


def _usage(prompt: int, completion: int) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def exchange(messages: list[Any], text: str, *, stream: bool = False, finish: str = "stop") -> dict[str, Any]:
    """One exchange record: messages and the text that answers them, streamed in four chunks if so wished."""
    body: dict[str, Any] = {"model": "gpt-4o-mini", "messages": messages}
    if stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    request = {"method": "POST", "url": _URL, "headers": _SENT, "body": body}
    tail = {"service_tier": "default", "system_fingerprint": "fp_560af6e559"}
    if not stream:
        message = {"role": "assistant", "content": text, "refusal": None, "annotations": []}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
        answer = {**_HEAD, "choices": [choice], "usage": _usage(182, 44), **tail}
        return {"request": request, "response": {"status": 200, "headers": _JSON, "body": answer}}
    size = max(1, (len(text) + 3) // 4)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "", "refusal": None}]
    deltas += [{"content": text[start : start + size]} for start in range(0, len(text), size)]
    head = {**_HEAD, "object": "chat.completion.chunk", **tail}
    choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "logprobs": None, "finish_reason": finish})
    events: list[dict[str, Any]] = [{"data": {**head, "choices": [choice], "usage": None}} for choice in choices]
    events += [{"data": {**head, "choices": [], "usage": _usage(182, 44)}}, {"data": "[DONE]"}]
    return {"request": request, "response": {"status": 200, "headers": _SSE, "events": events}}


_CALL = exchange(_ASKED, CALLS)
_STREAM_CALL = exchange(_ASKED, CALLS, stream=True)
_FINAL = exchange([*_ASKED, *_ANSWERED], _ANSWER)

BASES: dict[str, list[dict[str, Any]]] = {
    "call": [_CALL],
    "answer": [_FINAL],
    "run": [_CALL, _FINAL],
    "stream-call": [_STREAM_CALL],
    "stream-run": [_STREAM_CALL, exchange([*_ASKED, *_ANSWERED], _ANSWER, stream=True)],
    "split-records": [
        exchange([*_ASKED, _ANSWERED[0], *({"role": "user", "content": each} for each in RECORDS)], _ANSWER)
    ],
    "cut-off": [exchange(_ASKED, CALLS[:150], finish="length")],
}
