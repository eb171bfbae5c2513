"""The reference server's side of Mistral's Chat, for Mistral's own client: keys in the order of recorded replies.

Thoughts are chunks of the content, and a call comes in one piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.mistral_errors import HEXADECIMAL, headers
from conformance.model.document import DONE, SERVER_SENT, Document, compact
from conformance.model.exchange import Headers, Request
from conformance.model.rendered import IdFactory, Rendered, pieces
from conformance.model.transcript import Ask, Malformed, Reasoning, Stop, Text, ToolCall, Turn
from conformance.profiles.recognition import recognised

_REASONS: dict[Stop, str] = {"tool-calls": "tool_calls", "length": "length", "error": "error"}
_ID = 9
"""How many letters and digits the id of a call has."""

Json = dict[str, Any]


def is_asked(request: Request) -> bool:
    """Whether the request is for Mistral."""
    found = recognised(request.host, Headers(()), lambda: None, request.headers.get("user-agent"))
    return found is not None and found.provider == "mistral"


def answer(turn: Turn, ask: Ask, ids: IdFactory) -> Rendered:
    """The turn as the provider sends it, as a stream if the request asks for one."""
    content = [_chunk(part) for part in turn.parts if isinstance(part, (Text, Reasoning)) and part.text]
    calls = [_call(call, number, ids) for number, call in enumerate(turn.calls)]
    read, written = ids.prompt_tokens(ask), ids.tokens(turn)
    named = {"id": ids.id("", 32, HEXADECIMAL), "created": ids.now, "model": ask.model or ""}
    usage = {
        "prompt_tokens": read,
        "total_tokens": read + written,
        "completion_tokens": written,
        "prompt_tokens_details": {"cached_tokens": ids.cached_tokens},
        "service_tier": "standard",
    }
    reason = _REASONS.get(turn.stop or ("tool-calls" if turn.calls else "end"), "stop")
    if not ask.stream:
        message = {"role": "assistant", "tool_calls": calls or None, "content": _content(content)}
        choice = {"index": 0, "finish_reason": reason, "message": message}
        body = {**named, "usage": usage, "object": "chat.completion", "choices": [choice]}
        return Rendered(200, headers("application/json", ids), (Document(body),))
    head = {"id": named["id"], "object": "chat.completion.chunk", "created": ids.now, "model": named["model"]}
    *deltas, last = _deltas(content, calls)
    chunks = (_streamed(head, delta, None) for delta in deltas)
    end = _streamed({**head}, last, reason, {"usage": usage})
    return Rendered(200, headers("text/event-stream; charset=utf-8", ids), (*chunks, end, DONE))


def _chunk(part: Text | Reasoning) -> Json:
    text = {"type": "text", "text": part.text}
    return text if isinstance(part, Text) else {"type": "thinking", "thinking": [text], "closed": True}


def _content(content: list[Json]) -> str | list[Json]:
    """A text, unless there is more than that."""
    if all(each["type"] == "text" for each in content):
        return "".join(each["text"] for each in content)
    return content


def _call(call: ToolCall, index: int, ids: IdFactory) -> Json:
    text = call.arguments.text if isinstance(call.arguments, Malformed) else call.wire or compact(call.arguments)
    function = {"name": call.name, "arguments": text}
    return {"id": call.id or ids.id("", _ID), "type": "function", "function": function, "index": index}


def _deltas(content: list[Json], calls: list[Json]) -> Iterator[Json]:
    """The deltas of a reply: its role, its content in pieces, and in the last one all calls."""
    yield {"role": "assistant", "content": ""}
    for each in content:
        if each["type"] == "text":
            yield from ({"content": piece} for piece in pieces(each["text"]))
        else:
            for piece in pieces(each["thinking"][0]["text"]):
                yield {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": piece}]}]}
            yield {"content": [{"type": "thinking", "thinking": [], "closed": True}]}
    yield {"tool_calls": calls} if calls else {"content": ""}


def _streamed(head: Json, delta: Json, reason: str | None, more: Json | None = None) -> Document:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return Document({**head, "choices": [choice], **(more or {})}, SERVER_SENT)
