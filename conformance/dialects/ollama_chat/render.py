"""The reference server's side of ollama-chat: turns and errors as Ollama's own server sends them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from conformance.dialects.ollama_chat.message import STOPS
from conformance.model import lines
from conformance.model.document import Document, Mark, Style
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, pieces, stop_in
from conformance.model.transcript import Ask, Malformed, Reasoning, Turn

_JSON = (("content-type", "application/json; charset=utf-8"),)
_LINES = (("content-type", lines.CONTENT_TYPE),)
_ESCAPED = "<>&\u2028\u2029"
"""What Go's encoder escapes."""
_BODY, _LINE = Style(escaped=_ESCAPED), Style(escaped=_ESCAPED, after="\n")
_TOKEN, _LOADING = 36_000_000, 41_000_000
"""Nanoseconds for a token, and to find the model in memory."""

Json = dict[str, Any]


def answer(turn: Turn, ask: Ask, _request: Request, ids: IdFactory) -> Rendered:
    """The turn as one object, or as lines unless the request forbids a stream."""
    thinking = "".join(part.text or "" for part in turn.parts if isinstance(part, Reasoning))
    # The server sends a call when its parser has all of it: one that is cut off never comes.
    whole = [call for call in turn.calls if not isinstance(call.arguments, Malformed)]
    calls = [
        {
            "id": call.id or ids.id("call_", 8, "abcdefghijklmnopqrstuvwxyz0123456789"),
            "function": {"index": index, "name": call.name, "arguments": call.arguments},
        }
        for index, call in enumerate(whole)
    ]
    end = _end(turn, ids.prompt_tokens(ask), ids.tokens(turn))
    if not ask.stream:
        message = {"content": turn.text, "thinking": thinking, "tool_calls": calls}
        return Rendered(200, _JSON, (Document(_value(ask, ids, 0, message, end), _BODY),))
    messages: list[Json] = [{"thinking": piece} for piece in pieces(thinking)]
    messages += [{"content": piece} for piece in pieces(turn.text)]
    messages += [{"tool_calls": [call]} for call in calls]
    sent = [_value(ask, ids, number, each, {"done": False}) for number, each in enumerate(messages)]
    return Rendered(200, _LINES, tuple(Document(each, _LINE) for each in (*sent, _value(ask, ids, len(sent), {}, end))))


def failure(status: int, message: str, _request: Request, _ids: IdFactory) -> Rendered:
    """The server's error body."""
    return Rendered(status, _JSON, (Document({"error": message}, _BODY),))


def stream_failure(_status: int, message: str, _sent: int) -> tuple[Document | Mark, ...]:
    """A stream that fails ends with a line that has the error."""
    return (Document({"error": message}, _LINE),)


def _value(ask: Ask, ids: IdFactory, number: int, given: Json, rest: Json) -> Json:
    """A reply or a line; what is empty of a message is left out, all but the content."""
    made = datetime.fromtimestamp(ids.now, UTC)
    message = {"role": "assistant", "content": "", **{key: value for key, value in given.items() if value}}
    created = f"{made:%Y-%m-%dT%H:%M:%S}.{87_100_000 + number * _TOKEN % 10**9:09}".rstrip("0") + "Z"
    return {"model": ask.model or "", "created_at": created, "message": message, **rest}


def _end(turn: Turn, prompt: int, tokens: int) -> Json:
    """What the last line has besides the message."""
    return {
        "done": True,
        "done_reason": stop_in(turn, STOPS, {"length": "length"}, "stop"),
        "total_duration": _LOADING + (prompt // 10 + tokens) * _TOKEN,
        "load_duration": _LOADING,
        "prompt_eval_count": prompt,
        "prompt_eval_duration": prompt // 10 * _TOKEN,
        "eval_count": tokens,
        "eval_duration": tokens * _TOKEN,
    }
