"""Streamed completions: the chunks of each choice, assembled into the text of the same reply without streaming."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from conformance.dialects.openai_completions.reply import STOPS, choices_of
from conformance.dialects.wire_readers import stop_of
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import stopped
from conformance.model.transcript import StreamEvent, Text, Turn
from conformance.model.values import get


@dataclass
class _Choice:
    """The text of one choice so far; `text_at` is the pointer of its first piece."""

    pointer: str
    text: list[str] = field(default_factory=list)
    text_at: str = ""
    finish: Any = None
    finish_at: str = ""


def failed(event: Event) -> bool:
    """Whether this event is the server's error."""
    return get(event.json, "error") is not None


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
    """The stream events of all choices in the order of the chunks, and at the end each choice's stop reason."""
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
    stop = "error" if broken and choice.finish is None else stop_of(choice.finish, STOPS)
    return Turn("assistant", parts, choice.pointer, stop, choice.finish, choice.finish_at)
