"""Messages streams, event by event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects.anthropic_messages.block import kind_of, read_block
from conformance.dialects.anthropic_messages.stream import read_stream, typed
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import argument_text, chunk, closed, ended, started, stopped, whole_parts
from conformance.model.transcript import StreamEvent, ToolCall
from conformance.model.values import text_of


@dataclass
class _Open:
    """An open call; `call` is the one in its start event."""

    start: StreamEvent
    call: ToolCall
    begun: bool = False
    over: bool = False


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """The stream events of the one turn, and at the end its stop reason."""
    yield from closed(_unclosed(events))
    for turn in read_stream(events):
        yield from stopped(turn)


def _unclosed(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """A call with empty pieces has the arguments of its start; open blocks are identified by index."""
    blocks: dict[Any, _Open | str | None] = {}
    calls: list[_Open] = []
    for kind, data, event in typed(events):
        index = data.get("index")
        key = index if isinstance(index, (int, str)) else None
        if kind == "content_block_start":
            block, pointer = data.get("content_block"), join(event.pointer, "content_block")
            part = read_block({"input": {}, **block} if isinstance(block, dict) else block, pointer)
            if isinstance(part, ToolCall):
                calls.append(_Open(started(part, len(calls)), part))
                blocks[key] = calls[-1]
                yield calls[-1].start
            else:
                blocks[key] = kind_of(block)
                yield from whole_parts([part])
        elif kind == "content_block_delta" and key in blocks:
            yield from _delta(blocks[key], data.get("delta"), join(event.pointer, "delta"))
        elif kind == "content_block_stop":
            block = blocks.get(key)
            if isinstance(block, _Open):
                yield from _end(block, event.pointer)
    for call in calls:
        if not call.over:
            yield from _end(call, call.call.pointer)


def _delta(block: _Open | str | None, delta: Any, pointer: str) -> Iterator[StreamEvent]:
    kind = kind_of(delta)
    if isinstance(block, _Open):
        piece = text_of(delta.get("partial_json")) if kind == "input_json_delta" else None
        if piece:
            block.begun = True
            yield chunk(block.start, piece, join(pointer, "partial_json"))
    elif kind == "text_delta" and block == "text" and text_of(delta.get("text")):
        yield StreamEvent("text", join(pointer, "text"), text=delta["text"])
    elif kind == "thinking_delta" and block == "thinking" and text_of(delta.get("thinking")):
        yield StreamEvent("reasoning", join(pointer, "thinking"), text=delta["thinking"])


def _end(block: _Open, pointer: str) -> Iterator[StreamEvent]:
    """The end of a call's block; without pieces before it, the arguments of its start."""
    if not block.begun:
        yield chunk(block.start, argument_text(block.call), block.call.pointer)
    block.begun = block.over = True
    yield ended(block.start, pointer)
