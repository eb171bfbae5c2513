"""Responses streams: the output items that the events build, as the turn of the same reply without streaming."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

from conformance.dialects.openai_responses.items import CALLS, read_item
from conformance.dialects.openai_responses.reply import read_output, turn_of
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.transcript import Part, Turn
from conformance.model.values import text_of

TERMINAL = ("response.completed", "response.incomplete", "response.failed")
ADDED, DONE = "response.output_item.added", "response.output_item.done"


def kind_of(event: Event) -> str | None:
    """The event's type: that of its body, or else its name."""
    kind = event.json.get("type") if isinstance(event.json, dict) else None
    return kind if isinstance(kind, str) else event.name


def is_end_mark(event: Event) -> bool:
    """Whether this is `[DONE]`, which some servers add after the last event."""
    return event.data.strip() == "[DONE]"


def field_of(event: Event, key: str) -> Any:
    """A field of the event's body, None if it is missing."""
    return event.json.get(key) if isinstance(event.json, dict) else None


def responses_of(events: Iterable[Event]) -> Iterator[tuple[Event, dict[str, Any], str]]:
    """Every event that carries a whole response object, with that object and its pointer."""
    for event in events:
        response = field_of(event, "response")
        if isinstance(response, dict):
            yield event, response, join(event.pointer, "response")


def final_response(events: Sequence[Event]) -> tuple[dict[str, Any], str] | None:
    """The response object of the terminal event, and its pointer."""
    ends = (event for event in events if kind_of(event) in TERMINAL)
    return next(((response, pointer) for _, response, pointer in responses_of(ends)), None)


@dataclass
class _Item:
    """An output item under construction."""

    value: dict[str, Any]
    pointer: str
    done: bool = False
    arguments: list[str] = field(default_factory=list)
    texts: dict[Any, list[str]] = field(default_factory=dict)


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """One turn, from the finished items, or from the deltas of an unfinished one."""
    items: dict[Any, _Item] = {}
    failed = ""
    for event in events:
        kind, index = kind_of(event), field_of(event, "output_index")
        if isinstance(index, (dict, list)):
            continue
        item = field_of(event, "item")
        if kind in (ADDED, DONE) and isinstance(item, dict):
            items[index] = _Item(item, join(event.pointer, "item"), kind == DONE)
        elif kind in ("response.function_call_arguments.delta", "response.custom_tool_call_input.delta"):
            if index in items:
                items[index].arguments.append(str(field_of(event, "delta") or ""))
        elif kind in ("response.output_text.delta", "response.refusal.delta") and index in items:
            part = field_of(event, "content_index")
            key = part if isinstance(part, int) else 0
            items[index].texts.setdefault(key, []).append(str(field_of(event, "delta") or ""))
        elif kind == "error":
            failed = failed or event.pointer
    if not events:
        return ()
    return (_turn(list(items.values()), final_response(events), failed, list(events)),)


def _turn(items: list[_Item], final: tuple[dict[str, Any], str] | None, failed: str, events: list[Event]) -> Turn:
    parts: list[Part] = [part for item in items for part in read_item(_whole(item), item.pointer)]
    if final is not None:
        return turn_of(final[0], final[1], parts or read_output(final[0].get("output"), join(final[1], "output")))
    reply_id = next((text_of(response.get("id")) for _, response, _ in responses_of(events)), None)
    if failed:
        return Turn("assistant", tuple(parts), events[0].pointer, "error", "error", failed, reply_id)
    return Turn("assistant", tuple(parts), events[0].pointer, id=reply_id)


def _whole(item: _Item) -> dict[str, Any]:
    """The current item; a truncated one with the text of its deltas."""
    if item.done:
        return item.value
    whole = dict(item.value)
    kind = whole.get("type")
    if isinstance(kind, str) and kind in CALLS and item.arguments:
        whole[CALLS[kind]] = "".join(item.arguments)
    if kind == "message" and item.texts:
        whole["content"] = [{"type": "output_text", "text": "".join(text)} for text in item.texts.values()]
    return whole
