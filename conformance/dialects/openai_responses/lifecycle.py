"""The life of each output item in a stream: added, built by deltas, done; docs/contract/openai-responses.md.

`lives` walks a stream once and assigns the events to their items; an event without an item is a stray.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import lru_cache
from typing import Any

from conformance.dialects.openai_responses.items import type_of
from conformance.dialects.openai_responses.stream import ADDED, DONE, field_of, kind_of
from conformance.judge.view import View
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.sse import Event

DELTAS = {
    "response.function_call_arguments": "arguments",
    "response.custom_tool_call_input": "input",
    "response.mcp_call_arguments": "arguments",
    "response.code_interpreter_call_code": "code",
    "response.output_text": "text",
    "response.refusal": "refusal",
    "response.reasoning_summary_text": "text",
    "response.reasoning_text": "text",
}
"""Texts that are sent in pieces: the events `X.delta`, and the field of `X.done` with the whole text."""


@dataclass
class Life:
    """One item. `item` is the one in `added`, `done_item` the one in `done`.

    `overlaps` is whether another item was open when this one was added. Listings of MCP tools do not count: they run
    in parallel.
    """

    index: Any
    added: Event
    item: dict[str, Any]
    events: list[Event] = field(default_factory=list)
    done: Event | None = None
    done_item: dict[str, Any] = field(default_factory=dict)
    overlaps: bool = False

    @property
    def kind(self) -> str | None:
        return type_of(self.item)

    @property
    def id(self) -> Any:
        return self.item.get("id")


@dataclass(frozen=True, slots=True)
class Stray:
    """An event that belongs to no open item; `pointer` is the field that shows it."""

    event: Event
    pointer: str
    why: str
    expected: str


@dataclass
class Lives:
    items: list[Life] = field(default_factory=list)
    strays: list[Stray] = field(default_factory=list)


@lru_cache(maxsize=8)
def lives(view: View) -> Lives:
    """The items of a stream in the order in which they were added; cached, because many rules need them."""
    found = Lives()
    open_items: dict[Any, Life] = {}
    for event in view.events or ():
        kind, index = kind_of(event), field_of(event, "output_index")
        item = field_of(event, "item")
        if isinstance(index, (dict, list)):
            index = None
        if kind == ADDED and isinstance(item, dict):
            listing = type_of(item) == "mcp_list_tools"
            overlaps = not listing and any(life.kind != "mcp_list_tools" for life in open_items.values())
            open_items[index] = Life(index, event, item, overlaps=overlaps)
            found.items.append(open_items[index])
        elif kind == DONE and isinstance(item, dict):
            life = open_items.pop(index, None)
            if life is None:
                found.strays.append(
                    Stray(event, event.pointer, "no open item has this output_index", _known(open_items))
                )
            else:
                life.done, life.done_item = event, item
        elif _addresses(event, kind):
            stray = _stray(event, open_items)
            if stray is None:
                open_items[index].events.append(event)
            else:
                found.strays.append(stray)
    return found


def _addresses(event: Event, kind: str | None) -> bool:
    """Whether an event is about one item: by its fields or by its type."""
    if kind in (ADDED, DONE) or not isinstance(event.json, dict):
        return False
    named = "output_index" in event.json or "item_id" in event.json
    return named or (kind or "").rpartition(".")[0] in DELTAS or (kind or "").startswith("response.content_part.")


def _stray(event: Event, open_items: dict[Any, Life]) -> Stray | None:
    index, item_id = field_of(event, "output_index"), field_of(event, "item_id")
    if "output_index" not in event.json:
        return Stray(event, event.pointer, "the event has no output_index", _known(open_items))
    life = open_items.get(index) if not isinstance(index, (dict, list)) else None
    if life is None:
        at = join(event.pointer, "output_index")
        return Stray(event, at, "no open item has this output_index", _known(open_items))
    if "item_id" not in event.json:
        return Stray(event, event.pointer, "the event has no item_id", f"{life.id}")
    if item_id != life.id:
        at = join(event.pointer, "item_id")
        return Stray(event, at, "the open item at this output_index has another id", f"{life.id}")
    return None


def _known(open_items: dict[Any, Life]) -> str:
    return f"one of {brief(list(open_items))}" if open_items else "an item that was added before"


@dataclass
class Piece:
    """One text of an item that comes in pieces: a call's arguments, a content part, a summary part."""

    what: str
    part: Any
    deltas: list[str] = field(default_factory=list)
    first: Event | None = None
    done: Event | None = None
    whole: Any = None


def pieces(life: Life) -> Iterator[Piece]:
    """The texts of an item, each with its deltas and the event that closes it, in the order of their first event."""
    found: dict[tuple[str, str], Piece] = {}
    for event in life.events:
        what, _, step = (kind_of(event) or "").rpartition(".")
        if what not in DELTAS or step not in ("delta", "done"):
            continue
        part = field_of(event, "content_index")
        part = field_of(event, "summary_index") if part is None else part
        piece = found.setdefault((what, repr(part)), Piece(what, part))
        piece.first = piece.first or event
        if step == "delta":
            delta = field_of(event, "delta")
            piece.deltas.append(delta if isinstance(delta, str) else "")
        elif piece.done is None:
            piece.done, piece.whole = event, field_of(event, DELTAS[what])
    yield from found.values()


def final_value(life: Life, piece: Piece) -> tuple[Any, str] | None:
    """The text of the finished item at the place of the piece, and its pointer; None if it has no such place."""
    if life.done is None:
        return None
    at = join(life.done.pointer, "item")
    if piece.what in ("response.function_call_arguments", "response.mcp_call_arguments"):
        return _at(life.done_item, ("arguments",), at)
    if piece.what == "response.custom_tool_call_input":
        return _at(life.done_item, ("input",), at)
    if piece.what == "response.output_text":
        return _at(life.done_item, ("content", piece.part, "text"), at)
    if piece.what == "response.refusal":
        return _at(life.done_item, ("content", piece.part, "refusal"), at)
    if piece.what == "response.reasoning_summary_text":
        return _at(life.done_item, ("summary", piece.part, "text"), at)
    return None


def _at(value: Any, path: tuple[Any, ...], pointer: str) -> tuple[Any, str] | None:
    for step in path:
        in_list = isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)
        if not in_list and not (isinstance(value, dict) and isinstance(step, str) and step in value):
            return None
        value = value[step]
        pointer = join(pointer, step)
    return value, pointer
