"""Conforming ReAct exchanges, the bases of every example of this dialect. The words are ours."""

from __future__ import annotations

from typing import Any

from conformance.dialects.react.prompt import form, observed
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
TOOLS = [ToolDefinition("get_weather", "Current weather at a place.", _SHAPE)]
QUESTION = "How warm is it in Seoul?"
PROMPT = form(TOOLS, QUESTION)
ACT = (
    "Thought: I have to look it up.\n"
    "Action: get_weather\n"
    'Action Input: {"latitude": 37.57, "longitude": 126.98}'
)
OBSERVED = observed(PROMPT, ACT, '{"temperature": 14.2}')
FINAL = "Now I know the answer.\nFinal Answer: It is 14.2 °C in Seoul."
_ASKED = [{"role": "user", "content": PROMPT}]
_TURNS = [
    {"role": "system", "content": PROMPT.partition("\n\nQuestion: How")[0]},
    {"role": "user", "content": f"Question: {QUESTION}"},
    {"role": "assistant", "content": ACT},
    {"role": "user", "content": 'Observation: {"temperature": 14.2}'},
]


def _usage(prompt: int, completion: int) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def exchange(messages: list[Any], text: str, *, stream: bool = False, finish: str = "stop") -> dict[str, Any]:
    """One exchange record: messages and the text that answers them, streamed in four chunks if so wished."""
    body: dict[str, Any] = {"model": "gpt-4o-mini", "messages": messages, "stop": ["Observation:"]}
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


_CALL = exchange(_ASKED, ACT)
_STREAM_CALL = exchange(_ASKED, ACT, stream=True)
_SECOND = [{"role": "user", "content": OBSERVED}]

BASES: dict[str, list[dict[str, Any]]] = {
    "call": [_CALL],
    "answer": [exchange(_SECOND, FINAL)],
    "run": [_CALL, exchange(_SECOND, FINAL)],
    "stream-call": [_STREAM_CALL],
    "stream-run": [_STREAM_CALL, exchange(_SECOND, FINAL, stream=True)],
    "turns": [exchange(_TURNS, f"Thought: {FINAL}")],
    "cut-off": [exchange(_ASKED, ACT[:50], finish="length")],
}
