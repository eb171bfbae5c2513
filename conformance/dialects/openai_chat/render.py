"""The reference server's side of Chat: turns and errors as api.openai.com sends them.

Key order, headers, the two-space body and the way a stream is cut follow recorded traffic: a single call's first
fragment is part of the role chunk, several calls follow it; every chunk is padded by an `obfuscation` field.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.dialects import mistral_errors, openai_headers
from conformance.dialects.openai_chat import render_mistral
from conformance.dialects.openai_chat.reply import STOPS
from conformance.dialects.openai_citations import url_citations
from conformance.model.document import DONE, INDENTED, SERVER_SENT, Document, Mark, compact
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, arguments_text, pieces, stop_in
from conformance.model.transcript import Ask, Stop, ToolCall, Turn

_MODELS = {"gpt-4o-mini": "gpt-4o-mini-2024-07-18", "gpt-4o": "gpt-4o-2024-08-06"}
_WIRE_STOPS: dict[Stop, str] = {"length": "length", "filter": "content_filter"}
_ERRORS: dict[int, tuple[str, str | None]] = {
    400: ("invalid_request_error", None),
    401: ("invalid_request_error", "invalid_api_key"),
    403: ("invalid_request_error", None),
    404: ("invalid_request_error", "model_not_found"),
    429: ("requests", "rate_limit_exceeded"),
}
_PADDING = 16
_BODY = replace(INDENTED, after="\n")

Json = dict[str, Any]


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as the provider sends it, as a stream if the request asks for one."""
    if render_mistral.is_asked(request):
        return render_mistral.answer(turn, ask, ids)
    head = {"id": ids.id("chatcmpl-", 29), "created": ids.now, "model": _model(ask)}
    tail = {"service_tier": "default", "system_fingerprint": ids.id("fp_", 10, openai_headers.HEXADECIMAL)}
    usage = _usage(ids.prompt_tokens(ask), ids.cached_tokens, ids.tokens(turn))
    calls = [_call(call, ids) for call in turn.calls]
    text = turn.text if turn.text or not calls else None
    cited = [{"type": each.pop("type"), "url_citation": each} for each in url_citations(turn.search, text or "")]
    if ask.stream:
        options = request.body.json.get("stream_options") if isinstance(request.body.json, dict) else None
        stream = _Stream(head, tail, options if isinstance(options, dict) else {}, ids)
        chunks = stream.chunks(list(_deltas(text, calls, cited)), _finish(turn, ask), usage)
        return Rendered(200, openai_headers.answered("text/event-stream; charset=utf-8", ids), (*chunks, DONE))
    message: Json = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = calls
    message |= {"refusal": None, "annotations": cited}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(turn, ask)}
    body = {
        "id": head["id"],
        "object": "chat.completion",
        "created": head["created"],
        "model": head["model"],
        "choices": [choice],
        "usage": usage,
        **tail,
    }
    return Rendered(200, openai_headers.answered("application/json", ids), (Document(body, _BODY),))


def failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered:
    """The provider's error body for a status."""
    if render_mistral.is_asked(request):
        return mistral_errors.failure(status, message, ids)
    body = _error(status, message)
    headers = (
        ("content-type", "application/json; charset=utf-8" if status in (401, 403) else "application/json"),
        *openai_headers.identity(ids),
        *openai_headers.retry(status),
    )
    return Rendered(status, headers, (Document(body, _BODY),))


def stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:  # noqa: ARG001 - as others
    """A stream that fails ends with the error as data, and without `[DONE]`."""
    return (Document(_error(status, message), SERVER_SENT),)


def _error(status: int, message: str) -> Json:
    kind, code = _ERRORS.get(status, ("server_error" if status >= 500 else "invalid_request_error", None))
    if "didn't provide" in message:
        code = None  # the code is for a key that is wrong
    return {"error": {"message": message, "type": kind, "param": openai_headers.param_of(message), "code": code}}


def _model(ask: Ask) -> str:
    """The dated model name in the server's replies."""
    return _MODELS.get(ask.model or "gpt-4o-mini", ask.model or "")


def _finish(turn: Turn, ask: Ask) -> str:
    """The stop reason; calls that a named choice forced end in `stop`, as OpenAI's do."""
    called = turn.stop == "tool-calls" or (turn.stop is None and turn.calls)
    forced = ask.choice is not None and ask.choice.mode == "named"
    return stop_in(turn, STOPS, _WIRE_STOPS, "tool_calls" if called and not forced else "stop")


def _call(call: ToolCall, ids: IdFactory) -> Json:
    call_id = call.id or ids.id("call_", 24)
    if call.kind == "custom":
        return {"id": call_id, "type": "custom", "custom": {"name": call.name, "input": arguments_text(call)}}
    return {"id": call_id, "type": "function", "function": {"name": call.name, "arguments": arguments_text(call)}}


def _usage(prompt: int, cached: int, completion: int) -> Json:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": 0,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }


class _Stream:
    """The chunks of one reply. `options` is the request's `stream_options`."""

    def __init__(self, head: Json, tail: Json, options: Json, ids: IdFactory) -> None:
        self._head = {"id": head["id"], "object": "chat.completion.chunk", **head, **tail}
        self._usage = options.get("include_usage") is True
        self._padded = options.get("include_obfuscation") is not False
        self._ids = ids

    def chunks(self, deltas: list[Json], finish: str, usage: Json) -> Iterator[Document]:
        for delta in deltas:
            yield self._chunk([_choice(delta, None)])
        yield self._chunk([_choice({}, finish)])
        if self._usage:
            yield self._chunk([], usage)

    def _chunk(self, choices: list[Json], usage: Json | None = None) -> Document:
        chunk = {**self._head, "choices": choices}
        if self._usage:
            chunk["usage"] = usage
        if self._padded:
            length = -len(compact(choices)) % _PADDING
            chunk["obfuscation"] = self._ids.id("", length)
        return Document(chunk, SERVER_SENT)


def _deltas(text: str | None, calls: list[Json], cited: list[Json]) -> Iterator[Json]:
    """The deltas of a reply: its role, its text in pieces, what it cites, then call after call."""
    opening: Json = {"role": "assistant", "content": None if text is None else ""}
    in_opening = text is None and len(calls) == 1
    if in_opening:
        opening["tool_calls"] = [_fragment(0, calls[0])]
    yield {**opening, "refusal": None}
    for piece in pieces(text or ""):
        yield {"content": piece}
    if cited:
        yield {"annotations": cited}
    for index, call in enumerate(calls):
        if not in_opening:
            yield {"tool_calls": [_fragment(index, call)]}
        kind, key = ("custom", "input") if call["type"] == "custom" else ("function", "arguments")
        for piece in pieces(call[kind][key]):
            yield {"tool_calls": [{"index": index, kind: {key: piece}}]}


def _fragment(index: int, call: Json) -> Json:
    """The first fragment of a call: everything except the arguments."""
    kind, key = ("custom", "input") if call["type"] == "custom" else ("function", "arguments")
    return {"index": index, "id": call["id"], "type": kind, kind: {"name": call[kind]["name"], key: ""}}


def _choice(delta: Json, finish: str | None) -> Json:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
