"""The reference server's side of Interactions: turns and errors as the provider sends them, keys in recorded order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from conformance.dialects.gemini_interactions.steps import STOPS
from conformance.dialects.openai_citations import url_citations
from conformance.model.document import SERVER_SENT, Document, Mark
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, pieces, stop_in, value_and_text
from conformance.model.transcript import Ask, Part, Reasoning, Search, Stop, Text, ToolCall, Turn, Unknown
from conformance.model.values import get

_STATUSES: dict[Stop, str] = {
    "tool-calls": "requires_action",
    "length": "incomplete",
    "filter": "incomplete",
    "pause": "requires_continuation",
    "error": "failed",
}
_CODES = {
    401: "unauthenticated",
    403: "permission_denied",
    404: "not_found",
    429: "too_many_requests",
    503: "service_unavailable",
}
_DONE = Mark("event: done\ndata: [DONE]\n\n")
_SEAL = 160

Json = dict[str, Any]


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as the provider sends it, as a stream if the request asks for one."""
    body = request.body.json
    steps = list(_steps(turn, ids))
    status = stop_in(turn, STOPS, _STATUSES, "completed")
    stored = get(body, "store") is not False
    names = {"model": ask.model} if ask.model else {"agent": get(body, "agent")}
    tail = {"object": "interaction", **names}
    name = ids.id("v1_", 52) if stored else ""
    made = f"{datetime.fromtimestamp(ids.now, UTC):%Y-%m-%dT%H:%M:%SZ}"
    served = {
        "usage": _usage(ask, turn, ids),
        "created": made,
        "updated": made,
        "service_tier": get(body, "service_tier") or "standard",
    }
    if not ask.stream:
        before = {"previous_interaction_id": ask.continues} if ask.continues else {}
        shown = {"steps": [step for step, _ in steps]}
        value = {"id": name, "status": status, **served, **shown, **before, **tail}
        return Rendered(200, _headers("application/json; charset=UTF-8"), (Document(value),))
    running = "in_progress"
    events = [
        _event("interaction.created", {"interaction": {"id": name, "status": running, **tail}}),
        _event("interaction.status_update", {"interaction_id": name, "status": running}),
        *(event for index, (step, text) in enumerate(steps) for event in _events(index, step, text)),
        _event("interaction.completed", {"interaction": {"id": name, "status": status, **served, **tail}}),
    ]
    return Rendered(200, _headers("text/event-stream"), (*events, _DONE))


def failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - as others
    """The provider's error body for a status."""
    body = {"error": {"message": message, "code": _code(status)}}
    return Rendered(status, _headers("application/json; charset=UTF-8"), (Document(body),))


def stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:  # noqa: ARG001 - as others
    """A stream that fails ends with an event `error`."""
    return (_event("error", {"error": {"message": message, "code": _code(status)}}), _DONE)


def _code(status: int) -> str:
    return _CODES.get(status, "invalid_request" if status < 500 else "api_error")


def _headers(kind: str) -> tuple[tuple[str, str], ...]:
    return (("content-type", kind),)


def _usage(ask: Ask, turn: Turn, ids: IdFactory) -> Json:
    read, written = ids.prompt_tokens(ask), ids.tokens(turn)
    texts = [part.text or "" for part in turn.parts if isinstance(part, Reasoning)]
    thought = min(written, sum(len(text.encode()) for text in texts) // 4)
    return {
        "total_tokens": read + written,
        "total_input_tokens": read,
        "input_tokens_by_modality": [{"modality": "text", "tokens": read}],
        "total_cached_tokens": ids.cached_tokens,
        "total_output_tokens": written - thought,
        "total_tool_use_tokens": 0,
        "total_thought_tokens": thought,
    }


def _steps(turn: Turn, ids: IdFactory) -> Iterator[tuple[Json, str]]:
    """The steps of a turn, each with the text of its arguments that a stream carries."""
    if turn.search is not None:
        yield from _searched(turn.search, ids)
    for part in turn.parts:
        yield from _step(part, turn.search, ids)


def _searched(search: Search, ids: IdFactory) -> Iterator[tuple[Json, str]]:
    call, seal = ids.id("", 8), ids.id("CiUBDDnWx", _SEAL - 9)
    yield {"type": "google_search_call", "id": call, "arguments": {"queries": [search.query]}, "signature": seal}, ""
    found = [{"search_suggestions": f"<div>{search.query}</div>"}]
    yield {"type": "google_search_result", "call_id": call, "result": found, "signature": seal, "is_error": False}, ""


def _step(part: Part, search: Search | None, ids: IdFactory) -> Iterator[tuple[Json, str]]:
    if isinstance(part, Text) and part.text:
        cited = url_citations(search, part.text.encode())
        marks = {"annotations": cited} if cited else {}
        yield {"content": [{"text": part.text, **marks, "type": "text"}], "type": "model_output"}, ""
    elif isinstance(part, Reasoning):
        shown = {"summary": [{"text": part.text, "type": "text"}]} if part.text else {}
        yield {"signature": part.signature or ids.id("CiUBDDnWx", _SEAL - 9), **shown, "type": "thought"}, ""
    elif isinstance(part, ToolCall):
        arguments, text = value_and_text(part.arguments)
        call = part.id or ids.id("", 8, "abcdefghijklmnopqrstuvwxyz0123456789")
        kind = "function_call" if part.kind != "server" else f"{part.name}_call"
        yield {"id": call, "type": kind, "name": part.name, "arguments": arguments}, text
    elif isinstance(part, Unknown) and isinstance(part.value, dict):
        yield part.value, ""


def _event(name: str, payload: Json) -> Document:
    return Document({**payload, "event_type": name}, SERVER_SENT, name)


def _events(index: int, step: Json, text: str) -> Iterator[Document]:
    """The events of a step: its start, without what comes in pieces; the pieces; its end."""
    kind = step["type"]
    kept = {key: value for key, value in step.items() if key not in ("content", "signature", "summary", "result")}
    begun = {**kept, "arguments": {}} if kind == "function_call" else kept
    yield _event("step.start", {"index": index, "step": begun})
    for delta in _deltas(kind, step, text):
        yield _event("step.delta", {"index": index, "delta": delta})
    yield _event("step.stop", {"index": index})


def _deltas(kind: str, step: Json, text: str) -> Iterator[Json]:
    if kind == "model_output":
        for each in step["content"]:
            yield from ({"text": piece, "type": "text"} for piece in pieces(each["text"]))
            if "annotations" in each:
                yield {"annotations": each["annotations"], "type": "text_annotation_delta"}
    elif kind == "thought":
        for each in step.get("summary", ()):
            found = pieces(each["text"])
            yield from ({"content": {"text": piece, "type": "text"}, "type": "thought_summary"} for piece in found)
        yield {"signature": step["signature"], "type": "thought_signature"}
    elif kind == "function_call":
        yield from ({"arguments": piece, "type": "arguments_delta"} for piece in pieces(text or "{}"))
    else:
        yield {key: value for key, value in step.items() if key not in ("id", "call_id")}
