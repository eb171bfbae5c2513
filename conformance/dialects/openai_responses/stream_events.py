"""Responses streams, event by event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from conformance.dialects.openai_responses.items import CALLS, read_item, type_of
from conformance.dialects.openai_responses.reply import read_output
from conformance.dialects.openai_responses.stream import ADDED, DONE, TERMINAL, field_of, kind_of, read_stream
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import argument_text, chunk, closed, ended, started, stopped, whole_parts
from conformance.model.transcript import Happening, Part, Reasoning, StreamEvent, Text, ToolCall
from conformance.model.values import text_of

_DELTAS: dict[str, tuple[Happening, tuple[str, ...]]] = {
    "response.output_text.delta": ("text", ("message",)),
    "response.refusal.delta": ("text", ("message",)),
    "response.reasoning_summary_text.delta": ("reasoning", ("reasoning",)),
    "response.reasoning_text.delta": ("reasoning", ("reasoning",)),
    "response.function_call_arguments.delta": ("tool_call_chunk", tuple(CALLS)),
    "response.custom_tool_call_input.delta": ("tool_call_chunk", tuple(CALLS)),
}
"""The text that each delta adds, and the items that it belongs to."""


@dataclass
class _Item:
    """An output item that was added: its latest value, and its text so far."""

    value: dict[str, Any]
    pointer: str
    start: StreamEvent | None = None
    sent: list[str] = field(default_factory=list)
    piece: Any = None
    done: bool = False


@dataclass
class _State:
    items: dict[Any, _Item] = field(default_factory=dict)
    calls: int = 0
    something: bool = False


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """The stream events of the one turn, and at the end its stop reason."""
    yield from closed(_unclosed(events, _State()))
    for turn in read_stream(events):
        yield from stopped(turn)


def _unclosed(events: Sequence[Event], state: _State) -> Iterator[StreamEvent]:
    """The texts of the deltas; and an item's text beyond its deltas, when the item is done or the stream ends."""
    for event in events:
        kind, index, item = kind_of(event), field_of(event, "output_index"), field_of(event, "item")
        if isinstance(index, (dict, list)):
            continue
        if kind in (ADDED, DONE) and isinstance(item, dict):
            yield from _item(state, index, item, event)
        elif kind in _DELTAS and index in state.items:
            yield from _delta(state.items[index], event, *_DELTAS[kind])
        elif kind in TERMINAL and not state.something:
            response = field_of(event, "response")
            output = response.get("output") if isinstance(response, dict) else None
            yield from _parts(state, read_output(output, join(event.pointer, "response", "output")))
    for late in state.items.values():
        if not late.done:
            yield from _rest(state, late, late.pointer)


def _item(state: _State, index: Any, value: dict[str, Any], event: Event) -> Iterator[StreamEvent]:
    pointer = join(event.pointer, "item")
    item = state.items.get(index)
    if item is None or item.done or type_of(value) != type_of(item.value):
        item = state.items[index] = _Item(value, pointer)
        part = next(read_item(value, pointer), None)
        if isinstance(part, ToolCall) and type_of(value) in CALLS:
            item.start = started(part, state.calls)
            state.calls, state.something = state.calls + 1, True
            yield item.start
    item.value, item.done = value, kind_of(event) == DONE
    if item.done:
        yield from _rest(state, item, pointer)


def _delta(item: _Item, event: Event, kind: Happening, types: tuple[str, ...]) -> Iterator[StreamEvent]:
    text = text_of(field_of(event, "delta"))
    if not text or type_of(item.value) not in types:
        return
    pointer = join(event.pointer, "delta")
    if item.start is not None:
        yield chunk(item.start, text, pointer)
    else:
        piece = (field_of(event, "summary_index"), field_of(event, "content_index"))
        if kind == "reasoning" and item.sent and piece != item.piece:
            text = f"\n\n{text}"  # as in the turn, the parts of reasoning are joined
        item.piece = piece
        yield StreamEvent(kind, pointer, text=text)
    item.sent.append(text)


def _rest(state: _State, item: _Item, pointer: str) -> Iterator[StreamEvent]:
    """The item's text beyond its deltas, unless it contradicts them; then a call is finished."""
    parts = list(read_item(item.value, pointer))
    state.something = state.something or bool(parts)
    if item.start is None and not item.sent:
        yield from _parts(state, parts)
        return
    before, whole = "".join(item.sent), "".join(map(_text, parts))
    rest = whole[len(before) :] if whole.startswith(before) else ""
    if item.start is not None:
        yield chunk(item.start, rest, pointer)
        yield ended(item.start, pointer)
    elif rest:
        yield StreamEvent("reasoning" if type_of(item.value) == "reasoning" else "text", pointer, text=rest)


def _parts(state: _State, parts: list[Part]) -> Iterator[StreamEvent]:
    yield from whole_parts(parts, state.calls)
    state.calls += sum(isinstance(part, ToolCall) for part in parts)


def _text(part: Part) -> str:
    if isinstance(part, ToolCall):
        return argument_text(part)
    return part.text or "" if isinstance(part, (Text, Reasoning)) else ""
