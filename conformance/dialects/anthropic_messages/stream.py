"""Messages streams: the blocks of the one turn, assembled into those of the same reply without streaming."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from conformance.dialects.anthropic_messages.block import after_fallback, is_call, kind_of, read_block
from conformance.dialects.anthropic_messages.reply import STOPS
from conformance.dialects.wire_readers import stop_of
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.stream_events import Grown
from conformance.model.transcript import Happening, Part, ToolCall, Turn
from conformance.model.values import get, list_of, text_of

_GROWS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}
"""The member of a block to which each delta type appends its member of the same name."""
_SHOWN: Mapping[str, Happening] = {"text": "text", "thinking": "reasoning"}


@dataclass
class Block:
    """A block so far: its start, and the texts of its deltas, each with its member and its pointer."""

    start: Any
    pointer: str
    pieces: list[tuple[str, str, str]] = field(default_factory=list)
    end: str | None = None

    def add(self, delta: Any, pointer: str) -> None:
        """Appends what a delta adds."""
        key = _GROWS.get(kind_of(delta) or "", "")
        if isinstance(get(delta, key), str):
            self.pieces.append((key, delta[key], join(pointer, key)))

    def joined(self, key: str) -> str:
        """All pieces of one member, the start's own text first."""
        return (text_of(get(self.start, key)) or "") + "".join(text for name, text, _ in self.pieces if name == key)

    @property
    def part(self) -> Part:
        """The finished block; a call whose argument text is empty has the arguments of its start, `{}`."""
        if not isinstance(self.start, dict):
            return read_block(self.start, self.pointer)
        if is_call(kind_of(self.start)):
            start = {**self.start, "input": self.start.get("input", {}), "partial_json": ""}
            return read_block(start, self.pointer, self.joined("partial_json"))
        known = {*self.start, *(name for name, _, _ in self.pieces)}
        whole = {key: self.joined(key) for key in ("text", "thinking", "signature") if key in known}
        return read_block({**self.start, **whole}, self.pointer)

    @property
    def grown(self) -> Grown:
        """The block with the pieces that a client sees; a text that it began with is a piece, too."""
        part, kind = self.part, kind_of(self.start) or ""
        if isinstance(part, ToolCall):
            return Grown(part, list(self._texts("partial_json", "tool_call_chunk")), self.end)
        shown = _SHOWN.get(kind)
        if shown is None:
            return Grown(part)
        return Grown(part, [(shown, text_of(self.start.get(kind)) or "", self.pointer), *self._texts(kind, shown)])

    def _texts(self, key: str, shown: Happening) -> Iterator[tuple[Happening, str, str]]:
        return ((shown, text, at) for name, text, at in self.pieces if name == key)


def typed(events: Sequence[Event]) -> Iterator[tuple[str | None, dict[str, Any], Event]]:
    """The events that carry an object, each with the type that it names."""
    for event in events:
        if isinstance(event.json, dict):
            yield kind_of(event.json), event.json, event


def gather(events: Sequence[Event]) -> list[Block]:
    """The blocks of a stream, in the order of their starts. A delta goes to the latest block of its index.

    A message that goes on in code without the model has its blocks in its start, whole.
    """
    blocks: list[Block] = []
    by_index: dict[Any, Block] = {}
    for kind, data, event in typed(events):
        index = data.get("index")
        key = index if isinstance(index, (int, str)) else None
        if kind == "message_start":
            content, at = list_of(get(data.get("message"), "content")), join(event.pointer, "message", "content")
            blocks += [Block(each, join(at, number), end=event.pointer) for number, each in enumerate(content)]
        elif kind == "content_block_start":
            by_index[key] = Block(data.get("content_block"), join(event.pointer, "content_block"))
            blocks.append(by_index[key])
        elif kind == "content_block_delta" and key in by_index:
            by_index[key].add(data.get("delta"), join(event.pointer, "delta"))
        elif kind == "content_block_stop" and key in by_index:
            by_index[key].end = event.pointer
    return blocks


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """The one turn; empty if the stream has no part of a message (only an error, for example)."""
    parts = after_fallback(block.part for block in gather(events))
    begun = bool(parts)
    pointer, reason, reason_at = "", None, ""
    for kind, data, event in typed(events):
        if kind == "message_start":
            begun, pointer = True, join(event.pointer, "message")
            reason, reason_at = get(data.get("message"), "stop_reason"), join(pointer, "stop_reason")
        elif kind == "message_delta" and isinstance(data.get("delta"), dict):
            begun = True
            if data["delta"].get("stop_reason") is not None:
                reason, reason_at = data["delta"]["stop_reason"], join(event.pointer, "delta", "stop_reason")
    return (Turn("assistant", parts, pointer, stop_of(reason, STOPS), reason, reason_at),) if begun else ()
