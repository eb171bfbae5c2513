"""Streamed completions: the chunks of each choice, put together into the text that would have come unstreamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.dialects.openai_completions.reply import choices_of, read_stop
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import stopped
from conformance.model.transcript import StreamEvent, Text, Turn


@dataclass
class _Choice:
    """What one choice has said so far; `text_at` is where its first text stands."""

    pointer: str
    text: list[str] = field(default_factory=list)
    text_at: str = ""
    finish: Any = None
    finish_at: str = ""


def failed(event: Event) -> bool:
    """Whether the server gives up in this event."""
    return isinstance(event.json, dict) and event.json.get("error") is not None


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """One turn for each choice index, in the order of their first chunk."""
    choices: dict[int, _Choice] = {}
    broken = False
    for event in events:
        broken = broken or failed(event)
        for entry, pointer in choices_of(event.json, event.pointer):
            choice = choices.setdefault(_index(entry), _Choice(pointer))
            text = entry.get("text")
            if isinstance(text, str) and text:
                choice.text_at = choice.text_at or join(pointer, "text")
                choice.text.append(text)
            if entry.get("finish_reason") is not None:
                choice.finish, choice.finish_at = entry["finish_reason"], join(pointer, "finish_reason")
    return tuple(_turn(choice, broken=broken) for choice in choices.values())


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """The texts of all choices as the chunks bring them, and at the end why each choice stopped."""
    choices: dict[int, None] = {}
    for event in events:
        for entry, pointer in choices_of(event.json, event.pointer):
            choices.setdefault(_index(entry))
            if isinstance(entry.get("text"), str) and entry["text"]:
                yield StreamEvent("text", join(pointer, "text"), _index(entry), entry["text"])
    for index, turn in zip(choices, read_stream(events), strict=True):
        yield from stopped(turn, index)


def _index(entry: dict[str, Any]) -> int:
    index = entry.get("index", 0)
    return index if isinstance(index, int) else 0


def _turn(choice: _Choice, *, broken: bool) -> Turn:
    parts = (Text("".join(choice.text), choice.text_at),) if choice.text else ()
    stop = "error" if broken and choice.finish is None else read_stop(choice.finish)
    return Turn("assistant", parts, choice.pointer, stop, choice.finish, choice.finish_at)
