"""The reference server's side of cohere-chat: turns and errors as Cohere sends them, keys in recorded order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.dialects.cohere_chat.message import STOPS
from conformance.dialects.cohere_chat.sources import sources_of
from conformance.model.document import DONE, SERVER_SENT, Document, Mark, compact
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, arguments_text, pieces, stop_in
from conformance.model.transcript import Ask, Reasoning, Stop, Text, ToolCall, Turn
from conformance.model.values import get

_REASONS: dict[Stop, str] = {"tool-calls": "TOOL_CALL", "length": "MAX_TOKENS", "error": "ERROR"}

Json = dict[str, Any]


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as one object, or as a stream if the request asks for one."""
    number = ids.id("", 32, "0123456789abcdef")
    name = "-".join((number[:8], number[8:12], number[12:16], number[16:20], number[20:]))
    plan, content, calls = _parts(turn, ids)
    read, written = ids.prompt_tokens(ask), ids.tokens(turn)
    end = {
        "finish_reason": stop_in(turn, STOPS, _REASONS, "COMPLETE"),
        "usage": {
            "billed_units": {"input_tokens": read, "output_tokens": written},
            "tokens": {"input_tokens": read, "output_tokens": written},
            "cached_tokens": ids.cached_tokens,
        },
    }
    cited = list(_citations(request.body.json, content))
    if not ask.stream:
        given = {"tool_plan": plan, "content": content, "tool_calls": calls, "citations": cited}
        message = {"role": "assistant", **{key: value for key, value in given.items() if value}}
        return Rendered(200, _headers("application/json"), (Document({"id": name, "message": message, **end}),))
    empty = {"role": "assistant", "content": [], "tool_plan": "", "tool_calls": [], "citations": []}
    events: tuple[Document | Mark, ...] = (
        Document({"id": name, "type": "message-start", "delta": {"message": empty}}, SERVER_SENT, "message-start"),
        *(_event("tool-plan-delta", None, {"tool_plan": piece}) for piece in pieces(plan)),
        *(event for index, block in enumerate(content) for event in _content(index, block, cited)),
        *(event for index, call in enumerate(calls) for event in _call(index, call)),
        Document({"type": "message-end", "delta": end}, SERVER_SENT, "message-end"),
        DONE,
    )
    return Rendered(200, _headers("text/event-stream"), events)


def failure(status: int, message: str, _request: Request, ids: IdFactory) -> Rendered:
    """The provider's error body."""
    return Rendered(status, _headers("application/json"), (Document({"id": ids.id("", 32), "message": message}),))


def stream_failure(_status: int, message: str, _sent: int) -> tuple[Document | Mark, ...]:
    """A stream that fails ends with the reason `ERROR`."""
    delta = {"finish_reason": "ERROR", "usage": {}, "error": message}
    return (Document({"type": "message-end", "delta": delta}, SERVER_SENT, "message-end"), DONE)


def _headers(kind: str) -> tuple[tuple[str, str], ...]:
    return (("content-type", kind),)


def _parts(turn: Turn, ids: IdFactory) -> tuple[str, list[Json], list[Json]]:
    """The plan, the blocks of content and the calls. What the model thinks before it calls tools is its plan."""
    plan, content, calls = "", [], []
    for part in turn.parts:
        if isinstance(part, Reasoning) and part.text:
            if turn.calls:
                plan += part.text
            else:
                content.append({"type": "thinking", "thinking": part.text})
        elif isinstance(part, Text) and part.text:
            content.append({"type": "text", "text": part.text})
        elif isinstance(part, ToolCall):
            name = part.id or ids.id(f"{part.name}_", 12, "abcdefghijklmnopqrstuvwxyz0123456789")
            # Cohere writes the value that it parsed, not the text of the model.
            function = {"name": part.name, "arguments": arguments_text(replace(part, wire=None))}
            calls.append({"id": name, "type": "function", "function": function})
    return plan, content, calls


def _citations(body: Any, content: list[Json]) -> Iterator[Json]:
    """A citation for each text of a source that the answer repeats."""
    if get(body, "citation_options", "mode") in ("OFF", "DISABLED"):
        return
    for index, block in enumerate(content):
        text = block.get("text", "")
        for name, (kind, data) in sources_of(body).items():
            shown = {"tool_output" if kind == "tool" else "document": data}
            for value in (data or {}).values():
                said = value if isinstance(value, str) else compact(value)
                start = text.find(said) if said else -1
                if start >= 0:
                    cited = {"start": start, "end": start + len(said), "text": said}
                    source = {"type": kind, "id": name, **shown}
                    yield {**cited, "sources": [source], "type": "TEXT_CONTENT", "content_index": index}


def _event(name: str, index: int | None, message: Json | None = None) -> Document:
    numbered = {} if index is None else {"index": index}
    added = {} if message is None else {"delta": {"message": message}}
    return Document({"type": name, **numbered, **added}, SERVER_SENT, name)


def _content(index: int, block: Json, cited: list[Json]) -> Iterator[Document]:
    kind = block["type"]
    yield _event("content-start", index, {"content": {"type": kind, kind: ""}})
    yield from (_event("content-delta", index, {"content": {kind: piece}}) for piece in pieces(block[kind]))
    for number, citation in enumerate(cited):
        if citation["content_index"] == index:
            yield _event("citation-start", number, {"citations": citation})
            yield _event("citation-end", number)
    yield _event("content-end", index)


def _call(index: int, call: Json) -> Iterator[Document]:
    """The events of a call; one without arguments has no text for them."""
    function = call["function"]
    begun = {**call, "function": {**function, "arguments": ""}}
    yield _event("tool-call-start", index, {"tool_calls": begun})
    for piece in pieces("" if function["arguments"] == "{}" else function["arguments"]):
        yield _event("tool-call-delta", index, {"tool_calls": {"function": {"arguments": piece}}})
    yield _event("tool-call-end", index)
