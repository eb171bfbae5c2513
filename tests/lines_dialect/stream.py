"""Streams: one JSON object a line, the text in pieces, each call whole, the reason to stop in the last line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import closed, stopped, whole_parts
from conformance.model.transcript import Part, Reasoning, StreamEvent, Text, ToolCall, Turn

from .reading import made_turn, parts_of


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """The one turn of a stream, as it would have been without streaming; none where no line has a message."""
    parts: list[Part] = []
    pointer, reason, reason_at, failed = "", None, "", False
    for event in events:
        if not isinstance(event.json, dict):
            continue
        failed = failed or "error" in event.json
        if event.json.get("done_reason") is not None:
            reason, reason_at = event.json["done_reason"], join(event.pointer, "done_reason")
        for part in _parts(event):
            _add(parts, part)
        if isinstance(event.json.get("message"), dict):
            pointer = pointer or join(event.pointer, "message")
    if not pointer:
        return ()
    turn = made_turn(tuple(parts), pointer, reason, reason_at)
    return (replace(turn, stop="error") if failed and turn.stop is None else turn,)


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """What each line adds, and at the end why the turn stopped."""
    yield from closed(_said(events))
    for turn in read_stream(events):
        yield from stopped(turn)


def _said(events: Sequence[Event]) -> Iterator[StreamEvent]:
    calls = 0
    for event in events:
        parts = _parts(event)
        yield from whole_parts(parts, calls)
        calls += sum(isinstance(part, ToolCall) for part in parts)


def _parts(event: Event) -> list[Part]:
    message = event.json.get("message") if isinstance(event.json, dict) else None
    return list(parts_of(message, join(event.pointer, "message"))) if isinstance(message, dict) else []


def _add(parts: list[Part], part: Part) -> None:
    last = parts[-1] if parts else None
    if isinstance(last, Text) and isinstance(part, Text):
        parts[-1] = replace(last, text=last.text + part.text)
    elif isinstance(last, Reasoning) and isinstance(part, Reasoning):
        parts[-1] = replace(last, text=(last.text or "") + (part.text or ""))
    else:
        parts.append(part)
