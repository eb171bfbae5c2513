"""Streams: the plan, then blocks of content or calls by their index, each with a start, pieces and an end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from conformance.dialects.cohere_chat.message import STOPS, read_block, read_call
from conformance.dialects.wire_readers import stop_of
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import chunk, closed, started, stopped, whole_parts
from conformance.model.transcript import Part, Reasoning, StreamEvent, Text, ToolCall, Turn
from conformance.model.values import get, text_of

_MESSAGE = ("delta", "message")


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """The one turn of a stream, as it would have been without streaming; none where no message begins."""
    begun, reason, at = False, None, ""
    for event in events:
        begun = begun or get(event.json, "type") == "message-start"
        if get(event.json, "type") == "message-end":
            begun, reason = True, get(event.json, "delta", "finish_reason")
            at = join(event.pointer, "delta", "finish_reason")
    parts = tuple(_parts(events))
    return (Turn("assistant", parts, "", stop_of(reason, STOPS), reason, at),) if begun or parts else ()


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """What each event adds to the one turn, and at the end its stop reason."""
    yield from closed(_moments(events))
    for turn in read_stream(events):
        yield from stopped(turn)


def _parts(events: Sequence[Event]) -> Iterator[Part]:
    """The parts in the order of a plain reply: the plan, the content, the calls."""
    plan, plan_at = "", ""
    blocks: dict[int, tuple[str, dict[str, Any]]] = {}
    calls: dict[int, tuple[str, dict[str, Any]]] = {}
    for event in events:
        piece = text_of(get(event.json, *_MESSAGE, "tool_plan"))
        if get(event.json, "type") == "tool-plan-delta" and piece is not None:
            plan, plan_at = plan + piece, plan_at or join(event.pointer, *_MESSAGE, "tool_plan")
        _grow(blocks, event, "content", ())
        _grow(calls, event, "tool_calls", ("function",))
    if plan:
        yield Reasoning(plan, pointer=plan_at)
    yield from (read_block(block, at) for _, (at, block) in sorted(blocks.items()))
    ends = [get(event.json, "index") for event in events if get(event.json, "type") == "tool-call-end"]
    for index, (at, call) in sorted(calls.items()):
        part = read_call(call, at)
        # A call without arguments streams no text for them, where a plain reply has `{}`.
        if isinstance(part, ToolCall) and part.wire == "" and index in ends:
            part = replace(part, arguments={})
        yield part


def _grow(found: dict[int, tuple[str, dict[str, Any]]], event: Event, key: str, inner: tuple[str, ...]) -> None:
    """Begins the item of an event, or appends the texts of a piece to it; a piece without a start begins one, too."""
    kind, index = get(event.json, "type"), get(event.json, "index")
    begins = kind == _KINDS[key][0]
    given = get(event.json, *_MESSAGE, key)
    if kind not in _KINDS[key] or not isinstance(given, dict) or not isinstance(index, int):
        return
    if begins or index not in found:
        at = join(event.pointer, *_MESSAGE, key)
        nested = {each: dict(given[each]) for each in inner if isinstance(given.get(each), dict)}
        found[index] = (at, {**given, **nested})
        return
    whole, piece = get(found[index][1], *inner), get(given, *inner)
    if isinstance(whole, dict) and isinstance(piece, dict):
        for name in _TEXTS:
            if isinstance(piece.get(name), str):
                whole[name] = (text_of(whole.get(name)) or "") + piece[name]


_KINDS = {"content": ("content-start", "content-delta"), "tool_calls": ("tool-call-start", "tool-call-delta")}
_TEXTS = ("text", "thinking", "arguments")


def _moments(events: Sequence[Event]) -> Iterator[StreamEvent]:
    begun: dict[int, StreamEvent] = {}
    filled: set[int] = set()
    for event in events:
        kind, index = get(event.json, "type"), get(event.json, "index")
        message, at = get(event.json, *_MESSAGE), join(event.pointer, *_MESSAGE)
        if kind in _KINDS["content"] or kind == "tool-plan-delta":
            yield from whole_parts(_pieces(message, at))
        elif kind in _KINDS["tool_calls"] and isinstance(index, int):
            call = read_call(get(message, "tool_calls"), join(at, "tool_calls"))
            if not isinstance(call, ToolCall):
                continue
            if index not in begun:
                begun[index] = started(call, len(begun))
                yield begun[index]
            if call.wire:
                filled.add(index)
                yield chunk(begun[index], call.wire, call.pointer)
        elif kind == "tool-call-end" and isinstance(index, int) and index in begun and index not in filled:
            yield chunk(begun[index], "{}", event.pointer)


def _pieces(message: Any, at: str) -> Iterator[Part]:
    """What a piece of the plan or of the content adds."""
    for keys in (("tool_plan",), ("content", "thinking"), ("content", "text")):
        piece = text_of(get(message, *keys))
        if piece:
            place = join(at, *keys)
            yield Text(piece, place) if keys[-1] == "text" else Reasoning(piece, pointer=place)
