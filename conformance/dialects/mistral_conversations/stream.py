"""Streams: the outputs, put together from the events into those of the same response without streaming."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import Any

from conformance.dialects.mistral_conversations.entries import read_entry, turn_of
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import chunk, closed, started, stopped, whole_parts
from conformance.model.transcript import Stop, StreamEvent, ToolCall, Turn
from conformance.model.values import get, text_of

STARTED, DONE, ERROR = (f"conversation.response.{word}" for word in ("started", "done", "error"))
_ENTRIES = {
    "message.output.delta": "message.output",
    "function.call.delta": "function.call",
    "tool.execution.started": "tool.execution",
    "tool.execution.delta": "tool.execution",
    "tool.execution.done": "tool.execution",
    "agent.handoff.started": "agent.handoff",
    "agent.handoff.done": "agent.handoff",
}
"""The type of the entry that an event adds to."""
_OF_EVENT = ("type", "output_index", "content_index", "content", "arguments")


@dataclass
class Output:
    """An entry so far, at the pointer of the first of its events; `texts` are the pieces of its arguments."""

    pointer: str
    entry: dict[str, Any]
    content: list[Any] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def whole(self) -> dict[str, Any]:
        """The finished entry, as a response without streaming has it."""
        kind = self.entry["type"]
        if kind == "message.output":
            plain = all(each["type"] == "text" for each in self.content)
            return {**self.entry, "content": "".join(each["text"] for each in self.content) if plain else self.content}
        return self.entry if kind == "agent.handoff" else {**self.entry, "arguments": "".join(self.texts)}

    def add(self, event: dict[str, Any]) -> None:
        """Adds what an event has."""
        self.entry |= {key: value for key, value in event.items() if key not in _OF_EVENT}
        if isinstance(event.get("arguments"), str):
            self.texts.append(event["arguments"])
        for piece in pieces(event.get("content")):
            last = self.content[-1] if self.content else None
            if last is not None and last["type"] == piece["type"] == "text":
                self.content[-1] = {**last, "text": last["text"] + piece["text"]}
            elif last is not None and last["type"] == piece["type"] == "thinking":
                self.content[-1] = {**last, **piece, "thinking": [*last["thinking"], *piece["thinking"]]}
            else:
                self.content.append(piece)


def pieces(content: Any) -> list[dict[str, Any]]:
    """The chunk that an event adds to a message, as a list; a text is one, and what is no chunk is none."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    needed = {"text": str, "thinking": list}.get(text_of(get(content, "type")) or "")
    if needed is None:
        return [content] if text_of(get(content, "type")) else []
    return [content] if isinstance(content.get(content["type"]), needed) else []


def _name(event: Event) -> str:
    """What the events of one output have in common: its id, or else its number."""
    return text_of(get(event.json, "id")) or str(get(event.json, "output_index"))


def gather(events: Sequence[Event]) -> list[Output]:
    """The outputs of a stream, in the order in which they begin."""
    found: dict[tuple[str, str], Output] = {}
    for event in events:
        kind = _ENTRIES.get(text_of(get(event.json, "type")) or "")
        if kind is None:
            continue
        key = (kind, _name(event))
        if key not in found:
            found[key] = Output(event.pointer, {"type": kind})
        found[key].add(event.json)
    return list(found.values())


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """The one turn of a stream; none where nothing of a response came."""
    outputs = gather(events)
    by_type = {text_of(get(event.json, "type")): event for event in reversed(events)}
    if not outputs and not by_type.keys() & {STARTED, DONE, ERROR}:
        return ()
    parts = tuple(part for each in outputs for part in read_entry(each.whole, each.pointer))
    conversation = get(by_type[STARTED].json, "conversation_id") if STARTED in by_type else None
    last = by_type.get(ERROR) or by_type.get(DONE)
    stop: Stop | None = "error" if ERROR in by_type else "end" if DONE in by_type else None
    return (turn_of(parts, conversation, stop, last.pointer if last is not None else ""),)


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """What each event adds to the one turn, and at the end why it stopped."""
    yield from closed(_moments(events))
    for turn in read_stream(events):
        yield from stopped(turn)


def _moments(events: Sequence[Event]) -> Iterator[StreamEvent]:
    begun: dict[str, StreamEvent] = {}
    for event in events:
        kind = _ENTRIES.get(text_of(get(event.json, "type")) or "")
        if kind == "message.output":
            read = read_entry({"type": kind, "content": pieces(event.json.get("content"))}, event.pointer)
            yield from whole_parts(replace(part, pointer=join(event.pointer, "content")) for part in read)
        elif kind in ("function.call", "tool.execution"):
            call = next(part for part in read_entry({**event.json, "type": kind}, event.pointer))
            name = _name(event)
            if not isinstance(call, ToolCall):
                continue
            if name not in begun:
                begun[name] = started(call, len(begun))
                yield begun[name]
            if call.wire:
                yield chunk(begun[name], call.wire, join(event.pointer, "arguments"))
