"""Text with `<function_call>` tags, read chunk by chunk.

The reader is in one of two states. Outside of a block it releases text as soon as it cannot be the beginning of a
tag, or white space before one. Inside a block it keeps everything until the block is closed; a closing tag inside
a JSON string does not close the block, unless there is no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.prompted.tags import CLOSE, OPEN
from conformance.dialects.text.reading import read
from conformance.dialects.text.scan import Buffer, half_call, members, partial_tag
from conformance.model import jsontext
from conformance.model.frozen import dataclass
from conformance.model.transcript import Malformed, Part, Text, ToolCall, Unknown
from conformance.model.values import text_of

RECORD = "function_call_record"
"""The key of a completed call with its result. It is never a call, whichever side writes it."""

_FENCE = re.compile(r"^```[A-Za-z]*\s*(.*?)\s*```$", re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(\s*[}\]])')


@dataclass(frozen=True, slots=True)
class Block:
    """The text between two tags; `opening` is the tag that opens it, with its repetitions, if any."""

    body: str
    closed: bool
    opening: str = OPEN

    @property
    def nested(self) -> int:
        """How often the opening tag is repeated."""
        return self.opening.count(OPEN) - 1

    @property
    def raw(self) -> str:
        return self.opening + self.body + (CLOSE if self.closed else "")


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed block. `call` and `record` are None if it is not one; `fault` is the reason why it is neither.

    `repaired` is whether the text is JSON only without its trailing commas; `wrapper` is the key around the call,
    None for a flat one.
    """

    call: ToolCall | None = None
    record: dict[str, Any] | None = None
    fault: str | None = None
    json: Any = None
    repaired: bool = False
    wrapper: str | None = None


def read_block(block: Block) -> Reading:
    """The block's call, in any of the accepted shapes."""
    body = block.body.strip()
    fence = _FENCE.match(body)
    body = fence[1] if fence else body
    value, repaired = jsontext.parse(body), False
    if isinstance(value, Malformed):
        mended = _TRAILING_COMMA.sub(lambda match: match[1] or match[2], body)
        again = jsontext.parse(mended)
        if isinstance(again, Malformed):
            return Reading(fault=value.reason, json=value)
        body, value, repaired = mended, again, True
    if not isinstance(value, dict):
        return Reading(fault="no object", json=value, repaired=repaired)
    if isinstance(value.get(RECORD), dict):
        return Reading(record=value[RECORD], json=value, repaired=repaired)
    wrapper, inner = _unwrapped(value)
    if not isinstance(inner.get("name"), str) or "arguments" not in inner:
        return Reading(fault="no name and arguments", json=value, repaired=repaired)
    text = members(body).get(wrapper, "") if wrapper else body
    return Reading(_call(inner, members(text).get("arguments")), None, None, value, repaired, wrapper)


def _unwrapped(value: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    if isinstance(value.get("function_call"), dict):
        return "function_call", value["function_call"]
    if isinstance(value.get("name"), str) and "arguments" in value:
        return None, value
    if isinstance(value.get("function"), dict):
        return "function", value["function"]
    if len(value) == 1:
        key, inner = next(iter(value.items()))
        if isinstance(inner, dict):
            return key, inner
    return None, value


def _call(inner: dict[str, Any], wire: str | None) -> ToolCall:
    given, call_id = inner["arguments"], text_of(inner.get("id"))
    if isinstance(given, str):
        return ToolCall(call_id, inner["name"], jsontext.parse(given), wire=given)
    return ToolCall(call_id, inner["name"], given, wire=wire)


class Scanner:
    """The state machine over chunks: text and blocks, in order and complete."""

    def __init__(self) -> None:
        self._buffer = Buffer()
        self._inside = False
        self._opening = [OPEN]

    def feed(self, chunk: str) -> Iterator[str | Block]:
        """The pieces that are certain after this chunk."""
        self._buffer.add(chunk)
        yield from self._pieces()

    def finish(self) -> Iterator[str | Block]:
        """The rest: text that only looked like a tag, and a block that was never closed."""
        while self._inside:
            at = self._buffer.find(CLOSE)
            if at < 0:
                yield Block(self._buffer.take(len(self._buffer)), closed=False, opening="".join(self._opening))
                self._inside = False
            else:  # every closing tag seemed to be in a string: the first one closes the block
                yield self._block(at)
                yield from self._pieces()
        if self._buffer:
            yield self._buffer.take(len(self._buffer))

    def _pieces(self) -> Iterator[str | Block]:
        while True:
            if self._inside:
                block = self._next_block()
                if block is None:
                    return
                yield block
                continue
            at = self._buffer.find(OPEN)
            if at < 0:
                size = len(self._buffer)
                keep = partial_tag(self._buffer.piece(max(size - len(OPEN), 0), size), (OPEN,))
                if size > keep:
                    yield self._buffer.take(size - keep)
                return
            if at:
                yield self._buffer.take(at)
            self._buffer.take(len(OPEN))
            self._inside, self._opening = True, [OPEN]

    def _next_block(self) -> Block | None:
        """The block up to the next tag outside of a string: its own closing tag, or the next opening one."""
        place = 0
        while True:
            found = [at for at in (self._buffer.find(OPEN, place), self._buffer.find(CLOSE, place)) if at >= 0]
            if not found:
                return None
            at = min(found)
            if self._buffer.inside_string(at):
                place = at + 1
                continue
            if self._buffer.startswith(CLOSE, at):
                return self._block(at)
            if self._buffer.after_blank() < at:  # the block before it was never closed
                block = Block(self._buffer.take(at), closed=False, opening="".join(self._opening))
                self._buffer.take(len(OPEN))
                self._opening = [OPEN]
                return block
            self._opening.append(self._buffer.take(at + len(OPEN)))
            place = 0

    def _block(self, at: int) -> Block:
        block = Block(self._buffer.take(at), closed=True, opening="".join(self._opening))
        self._buffer.take(len(CLOSE))
        self._inside = False
        return block


class Reader:
    """Parts from chunks. White space around a block is layout; a block that is not a call is text."""

    def __init__(self) -> None:
        self._scanner = Scanner()
        self._space = ""
        self._after_call = False

    def feed(self, chunk: str) -> Iterator[Part]:
        """The parts that are certain after this chunk."""
        for piece in self._scanner.feed(chunk):
            yield from self._part(piece)

    def finish(self, *, cut: bool = False) -> Iterator[Part]:
        """The rest at the end."""
        for piece in self._scanner.finish():
            yield from self._part(piece, cut=cut)
        if self._space and not self._after_call:
            yield Text(self._space)

    def _part(self, piece: str | Block, *, cut: bool = False) -> Iterator[Part]:
        if isinstance(piece, Block):
            reading = read_block(piece)
            half = cut and reading.fault and not piece.closed
            call = reading.call or (half_call(piece.body, piece.raw) if half else None)
            if call is not None or reading.record is not None:
                self._space, self._after_call = "", True
                yield call if call is not None else Unknown(RECORD, reading.json)
                return
            piece = piece.raw
        text = self._space + piece
        text = text.lstrip() if self._after_call else text
        if not text.strip():
            self._space = text
            return
        body = text.rstrip()
        self._space, self._after_call = text[len(body) :], False
        yield Text(body)


def scan(text: str) -> tuple[str | Block, ...]:
    """The text's pieces: text and blocks."""
    scanner = Scanner()
    return (*scanner.feed(text), *scanner.finish())


def shown_format(text: str) -> str | None:
    """The example call between the tags in the text; None if it has no example with name and arguments."""
    for piece in scan(text):
        if not isinstance(piece, str) and piece.closed and '"name"' in piece.body and '"arguments"' in piece.body:
            return piece.body
    return None


def parse(text: str, *, cut: bool = False) -> tuple[Part, ...]:
    """All parts of a text. With `cut` (the text was truncated) an incomplete call is a call, else it is text."""
    return read(Reader(), text, cut=cut)
