"""The reference server's side of Messages: turns and errors as the provider sends them.

Key order, headers and the cutting of streams follow recorded traffic: a ping after the first block's start, an
empty fragment before the first piece of a call's arguments, output tokens that begin small and end in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from conformance.dialects.anthropic_messages.reply import ERRORS, STOPS
from conformance.model.document import SERVER_SENT, Document, Mark
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, pieces, stop_in, value_and_text
from conformance.model.transcript import Ask, Reasoning, Search, Stop, Text, ToolCall, ToolResult, Turn

_MODEL = "claude-sonnet-4-5-20250929"
_WIRE_STOPS: dict[Stop, str] = {
    "end": "end_turn",
    "tool-calls": "tool_use",
    "length": "max_tokens",
    "filter": "refusal",
    "pause": "pause_turn",
}
_LIMITS = {
    "input-tokens": (450_000, 449_000),
    "output-tokens": (90_000, 90_000),
    "requests": (1000, 999),
    "tokens": (540_000, 539_000),
}
_KNOWS_ITS_PLACE = re.compile(r"claude-[a-z]+-(?:4-[6-9]|[5-9])")
"""Models whose answers name where they ran; of older ones, it is `not_available`."""
_RETRY_SECONDS = 12
_OTHER_ERROR = "api_error"

Json = dict[str, Any]


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as the provider sends it, as a stream if the request asks for one."""
    content = list(_blocks(turn, ids))
    stop = stop_in(turn, STOPS, _WIRE_STOPS, "end_turn")
    markup = 0 if turn.stop == "length" else 8 * len(content)
    read, written = ids.prompt_tokens(ask), ids.tokens(turn) + markup
    message = {
        "model": ask.model or _MODEL,
        "id": ids.id("msg_01", 22),
        "type": "message",
        "role": "assistant",
        "content": [block for block, _ in content],
        "stop_reason": stop,
        "stop_sequence": _sequence(request) if stop == "stop_sequence" else None,
        "stop_details": None,
        "usage": _usage(read, ids.cached_tokens, written, ask.model or _MODEL) | _searches(turn),
    }
    if not ask.stream:
        return Rendered(200, _headers("application/json", ids), (Document(message),))
    events = tuple(_event(event) for event in _events(message, [text for _, text in content]))
    return Rendered(200, (*_headers("text/event-stream; charset=utf-8", ids), ("cache-control", "no-cache")), events)


def failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - as others
    """The provider's error body for a status."""
    request_id = ids.id("req_011", 21)
    error = {"type": ERRORS.get(status, _OTHER_ERROR), "message": message}
    body = {"type": "error", "error": error, "request_id": request_id}
    again = status in (408, 409, 429) or status >= 500
    headers = [("content-type", "application/json"), ("request-id", request_id), ("x-should-retry", str(again).lower())]
    if status == 429:
        headers += [("retry-after", str(_RETRY_SECONDS)), *_limits(ids)]
    return Rendered(status, tuple(headers), (Document(body),))


def stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:  # noqa: ARG001 - as others
    """A stream that fails ends with an `error` event."""
    error = {"type": ERRORS.get(status, _OTHER_ERROR), "message": message}
    return (_event({"type": "error", "error": error}),)


def _blocks(turn: Turn, ids: IdFactory) -> Iterator[tuple[Json, str]]:
    """The content blocks of a turn, each with the text that a stream carries in pieces."""
    last_call: ToolCall | None = None
    if turn.search is not None:
        yield from _searched(turn.search, ids)
    for part in turn.parts:
        if isinstance(part, Text) and part.text:
            cited = {"citations": _citations(turn.search, part.text, ids)} if turn.search is not None else {}
            yield {**cited, "type": "text", "text": part.text}, part.text
        elif isinstance(part, Reasoning):
            yield _thought(part, ids), part.text or ""
        elif isinstance(part, ToolCall):
            last_call = part
            yield _call(part, ids), value_and_text(part.arguments)[1]
        elif isinstance(part, ToolResult) and last_call is not None:
            kind = f"{last_call.name}_tool_result"
            yield {"type": kind, "tool_use_id": part.call_id, "content": part.content}, ""


def _searched(search: Search, ids: IdFactory) -> Iterator[tuple[Json, str]]:
    """The provider's call of its own search, and what it found."""
    call = ToolCall(ids.id("srvtoolu_01", 22), "web_search", {"query": search.query}, kind="server")
    yield _call(call, ids), value_and_text(call.arguments)[1]
    found = [
        {
            "type": "web_search_result",
            "title": each.title,
            "url": each.url,
            "encrypted_content": ids.id("EqgfCioI", 120) + "==",
            "page_age": None,
        }
        for each in search.sources
    ]
    yield {"type": "web_search_tool_result", "tool_use_id": call.id, "content": found}, ""


def _citations(search: Search, text: str, ids: IdFactory) -> list[Json]:
    return [
        {
            "type": "web_search_result_location",
            "cited_text": text,
            "url": each.url,
            "title": each.title,
            "encrypted_index": ids.id("Eo8BCioI", 80) + "==",
        }
        for each in search.sources
    ]


def _thought(part: Reasoning, ids: IdFactory) -> Json:
    seal = part.signature or ids.id("EqoBCkgI", 120) + "=="
    if part.text is None:
        return {"type": "redacted_thinking", "data": seal}
    return {"type": "thinking", "thinking": part.text, "signature": seal}


def _call(part: ToolCall, ids: IdFactory) -> Json:
    server = part.kind == "server"
    called: Json = {} if server else {"caller": {"type": "direct"}}
    return {
        "type": "server_tool_use" if server else "tool_use",
        "id": part.id or ids.id("srvtoolu_01" if server else "toolu_01", 22),
        "name": part.name,
        "input": value_and_text(part.arguments)[0],
        **called,
    }


def _events(message: Json, texts: list[str]) -> Iterator[Json]:
    usage = message["usage"]
    begun = {**message, "content": [], "stop_reason": None, "stop_sequence": None}
    first = {key: value for key, value in usage.items() if key != "server_tool_use"}
    yield {"type": "message_start", "message": {**begun, "usage": {**first, "output_tokens": 1}}}
    for index, (block, text) in enumerate(zip(message["content"], texts, strict=True)):
        start, deltas = _streamed(block, text)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        if index == 0:
            yield {"type": "ping"}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    counted = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    searches = {key: usage[key] for key in ("server_tool_use",) if key in usage}
    yield {
        "type": "message_delta",
        "delta": {key: message[key] for key in ("stop_reason", "stop_sequence", "stop_details")},
        "usage": {key: usage[key] for key in counted} | searches,
    }
    yield {"type": "message_stop"}


def _streamed(block: Json, text: str) -> tuple[Json, list[Json]]:
    """The start of a block, and the deltas that fill it."""
    kind = block["type"]
    if kind == "text":
        cited = block.get("citations", [])
        deltas = [{"type": "citations_delta", "citation": each} for each in cited]
        deltas += [{"type": "text_delta", "text": piece} for piece in pieces(text)]
        return {**block, **({"citations": []} if cited else {}), "text": ""}, deltas
    if kind == "thinking":
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(text)]
        seal = {"type": "signature_delta", "signature": block["signature"]}
        return {**block, "thinking": "", "signature": ""}, [*deltas, seal]
    if "input" in block:
        fragments = ["", *pieces(text)]
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in fragments]
        return {**block, "input": {}}, deltas
    return block, []


def _usage(read: int, cached: int, written: int, model: str) -> Json:
    return {
        "input_tokens": read - cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": cached,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": written,
        "service_tier": "standard",
        "inference_geo": "global" if _KNOWS_ITS_PLACE.match(model) else "not_available",
    }


def _searches(turn: Turn) -> Json:
    return {} if turn.search is None else {"server_tool_use": {"web_search_requests": 1}}


def _sequence(request: Request) -> str | None:
    """The first requested stop sequence."""
    body = request.body.json
    asked = body.get("stop_sequences") if isinstance(body, dict) else None
    return asked[0] if isinstance(asked, list) and asked else None


def _headers(content_type: str, ids: IdFactory) -> tuple[tuple[str, str], ...]:
    return (("content-type", content_type), ("request-id", ids.id("req_011", 21)), *_limits(ids))


def _limits(ids: IdFactory) -> Iterator[tuple[str, str]]:
    reset = datetime.fromtimestamp(ids.now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    for what, (limit, remaining) in _LIMITS.items():
        yield f"anthropic-ratelimit-{what}-limit", str(limit)
        yield f"anthropic-ratelimit-{what}-remaining", str(remaining)
        yield f"anthropic-ratelimit-{what}-reset", reset


def _event(event: Json) -> Document:
    """An event whose name equals the type in its data."""
    return Document(event, SERVER_SENT, event["type"])
