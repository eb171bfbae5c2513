"""Streams: the text and the thinking in pieces, each call whole, the reason to stop in the last line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from conformance.dialects.ollama_chat.message import model_turn, parts_of
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import closed, stopped, whole_parts
from conformance.model.transcript import Part, Reasoning, StreamEvent, Text, ToolCall, Turn
from conformance.model.values import get


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """The one turn of a stream, as it would have been without streaming; none where no line has a message."""
    pieces: list[Part] = []
    pointer, reason, reason_at, failed = "", None, "", False
    for event in events:
        failed = failed or bool(get(event.json, "error"))
        if get(event.json, "done_reason"):
            reason, reason_at = event.json["done_reason"], join(event.pointer, "done_reason")
        if isinstance(get(event.json, "message"), dict):
            pointer = pointer or join(event.pointer, "message")
        pieces += _parts(event)
    if not pointer:
        return ()
    turn = model_turn(_joined(pieces), pointer, reason, reason_at)
    return (replace(turn, stop="error") if failed and turn.stop is None else turn,)


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """What each line adds, and at the end why the turn stopped."""
    yield from closed(_moments(events))
    for turn in read_stream(events):
        yield from stopped(turn)


def _moments(events: Sequence[Event]) -> Iterator[StreamEvent]:
    calls = 0
    for event in events:
        parts = _parts(event)
        yield from whole_parts(parts, calls)
        calls += sum(isinstance(part, ToolCall) for part in parts)


def _parts(event: Event) -> list[Part]:
    message = get(event.json, "message")
    return list(parts_of(message, join(event.pointer, "message"))) if isinstance(message, dict) else []


def _joined(pieces: Sequence[Part]) -> tuple[Part, ...]:
    """The parts in the order of a message without streaming, which has one member for each kind."""
    texts = [each for each in pieces if isinstance(each, Text)]
    thoughts = [each for each in pieces if isinstance(each, Reasoning)]
    parts: list[Part] = []
    if len(thoughts) > 1:
        parts.append(replace(thoughts[0], text="".join(each.text or "" for each in thoughts)))
    else:
        parts += thoughts
    if texts:
        parts.append(replace(texts[0], text="".join(each.text for each in texts)))
    others = [each for each in pieces if not isinstance(each, (Text, Reasoning))]
    return (*parts, *sorted(others, key=lambda part: isinstance(part, ToolCall)))
