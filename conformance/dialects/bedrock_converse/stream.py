"""Converse streams: the blocks of the one turn, assembled into those of the same reply without streaming."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from conformance.dialects.bedrock_converse.blocks import read_block
from conformance.dialects.bedrock_converse.reply import STOPS
from conformance.dialects.wire_readers import stop_of
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import Grown, grown, stopped
from conformance.model.transcript import Happening, Part, Reasoning, StreamEvent, Text, Turn
from conformance.model.values import get, list_of, text_of

_PIECES: Mapping[str, Happening | None] = {
    "text": "text",
    "toolUse/input": "tool_call_chunk",
    "reasoningContent/text": "reasoning",
    "reasoningContent/signature": None,
    "reasoningContent/redactedContent": None,
}
"""The texts of a delta that are appended to what came before, and what each adds to a turn that is shown."""


@dataclass
class Block:
    """A block so far: its start, if it has one, and the texts of its deltas, each with its kind and place."""

    pointer: str
    start: Any = None
    pieces: list[tuple[str, str, str]] = field(default_factory=list)
    content: list[Any] = field(default_factory=list)
    stop: str | None = None

    @property
    def part(self) -> Part | None:
        """The finished block; None if nothing of it came. A call without pieces has an empty object as arguments."""
        pieces: dict[str, list[str]] = {}
        for kind, text, _ in self.pieces:
            pieces.setdefault(kind, []).append(text)
        texts = {kind: "".join(each) for kind, each in pieces.items()}
        if get(self.start, "toolUse") is not None:
            wire = texts.get("toolUse/input")
            block = {
                "toolUse": {"input": {}, **self.start["toolUse"]} if isinstance(self.start["toolUse"], dict) else {}
            }
            return read_block(block, self.pointer, of_model=True, wire=wire)
        if isinstance(get(self.start, "toolResult"), dict):
            block = {"toolResult": {**self.start["toolResult"], "content": self.content}}
            return read_block(block, self.pointer, of_model=True)
        if "text" in texts:
            return Text(texts["text"], self.pointer)
        if texts:
            seal = texts.get("reasoningContent/signature") or texts.get("reasoningContent/redactedContent")
            return Reasoning(texts.get("reasoningContent/text"), seal, self.pointer)
        return read_block(self.start, self.pointer, of_model=True) if self.start else None

    @property
    def grown(self) -> Grown:
        """The block with the pieces that a client sees."""
        pieces = [(shown, text, at) for kind, text, at in self.pieces if (shown := _PIECES[kind]) is not None]
        return Grown(self.part or Text(""), pieces, self.stop)


def gather(events: Sequence[Event]) -> list[Block]:
    """The blocks of a stream, in the order in which they begin."""
    blocks: dict[Any, Block] = {}
    for kind in ("contentBlockStart", "contentBlockDelta", "contentBlockStop"):
        for event in events:
            data = get(event.json, kind)
            index = get(data, "contentBlockIndex")
            if not isinstance(data, dict) or not isinstance(index, (int, str)):
                continue
            at = join(event.pointer, kind)
            block = blocks.setdefault(index, Block(at))
            if kind == "contentBlockStart":
                block.start = data.get("start")
            elif kind == "contentBlockStop":
                block.stop = event.pointer
            else:
                _grow(block, data.get("delta"), join(at, "delta"))
    return sorted(blocks.values(), key=lambda block: int(block.pointer.split("/")[1]))


def _grow(block: Block, delta: Any, at: str) -> None:
    for each in _PIECES:
        piece = text_of(get(delta, *each.split("/")))
        if piece is not None:
            block.pieces.append((each, piece, f"{at}/{each}"))
    block.content += list_of(get(delta, "toolResult"))


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """The one turn; none if the stream has no part of a message (only an exception, for example)."""
    parts = tuple(part for block in gather(events) if (part := block.part) is not None)
    begun, reason, at = bool(parts), None, ""
    for event in events:
        begun = begun or get(event.json, "messageStart") is not None
        if isinstance(get(event.json, "messageStop"), dict):
            begun, reason = True, event.json["messageStop"].get("stopReason")
            at = join(event.pointer, "messageStop", "stopReason")
    return (Turn("assistant", parts, "", stop_of(reason, STOPS), reason, at),) if begun else ()


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """What each event adds to the one turn, and at the end its stop reason."""
    yield from grown(block.grown for block in gather(events))
    for turn in read_stream(events):
        yield from stopped(turn)
