"""Messages streams: the blocks of the one turn, assembled into those of the same reply without streaming."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from conformance.dialects.anthropic_messages.block import is_call, kind_of, read_block
from conformance.dialects.anthropic_messages.reply import STOPS
from conformance.dialects.wire_readers import stop_of
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.transcript import Part, Turn

_GROWS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""The member of a block to which each delta type appends its member of the same name."""


@dataclass
class Block:
    """A block so far: its start and the text of its deltas."""

    start: Any
    pointer: str
    pieces: dict[str, list[str]] = field(default_factory=dict)

    def add(self, key: str, piece: Any) -> None:
        if isinstance(piece, str):
            self.pieces.setdefault(key, []).append(piece)

    def joined(self, key: str) -> str:
        """All pieces of one member, the start's own text first."""
        first = self.start.get(key) if isinstance(self.start, dict) else None
        return (first if isinstance(first, str) else "") + "".join(self.pieces.get(key, ()))

    @property
    def part(self) -> Part:
        """The finished block; a call whose argument text is empty has the arguments of its start, `{}`."""
        if not isinstance(self.start, dict):
            return read_block(self.start, self.pointer)
        if is_call(kind_of(self.start)):
            wire = "".join(self.pieces.get("partial_json", ()))
            return read_block({**self.start, "input": self.start.get("input", {})}, self.pointer, wire)
        whole = {key: self.joined(key) for key in _GROWS.values() if key in self.start or key in self.pieces}
        return read_block({**self.start, **whole}, self.pointer)


def typed(events: Sequence[Event]) -> Iterator[tuple[str | None, dict[str, Any], Event]]:
    """The events that carry an object, each with the type that it names."""
    for event in events:
        if isinstance(event.json, dict):
            yield kind_of(event.json), event.json, event


def gather(events: Sequence[Event]) -> list[Block]:
    """The blocks of a stream, in the order of their starts. A delta goes to the latest block of its index."""
    blocks: list[Block] = []
    by_index: dict[Any, Block] = {}
    for kind, data, event in typed(events):
        index = data.get("index")
        key = index if isinstance(index, (int, str)) else None
        if kind == "content_block_start":
            by_index[key] = Block(data.get("content_block"), join(event.pointer, "content_block"))
            blocks.append(by_index[key])
        elif kind == "content_block_delta" and key in by_index:
            _grow(by_index[key], data.get("delta"))
    return blocks


def _grow(block: Block, delta: Any) -> None:
    kind = kind_of(delta)
    if kind == "input_json_delta":
        block.add("partial_json", delta.get("partial_json"))
    elif kind in _GROWS:
        block.add(_GROWS[kind], delta.get(_GROWS[kind]))


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """The one turn; empty if the stream has no part of a message (only an error, for example)."""
    parts = tuple(block.part for block in gather(events))
    begun = bool(parts)
    pointer, reason, reason_at = "", None, ""
    for kind, data, event in typed(events):
        if kind == "message_start":
            begun, pointer = True, join(event.pointer, "message")
        elif kind == "message_delta" and isinstance(data.get("delta"), dict):
            begun = True
            if data["delta"].get("stop_reason") is not None:
                reason, reason_at = data["delta"]["stop_reason"], join(event.pointer, "delta", "stop_reason")
    return (Turn("assistant", parts, pointer, stop_of(reason, STOPS), reason, reason_at),) if begun else ()
