"""The text of a Qwen3 turn, read chunk by chunk: thoughts, text, and calls between `<tool_call>` tags.

The reader matches the brackets of a call's JSON outside of its strings: a closing tag inside a string does not
close the call. If the brackets never match, or the text in them is not JSON, the first closing tag closes the call.
Everything inside the think block is thought, whatever it looks like.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from conformance.dialects.text.reading import read
from conformance.dialects.text.scan import Buffer, half_call, members, partial_tag
from conformance.model import jsontext
from conformance.model.frozen import dataclass
from conformance.model.transcript import Malformed, Part, Reasoning, Text, ToolCall, Unknown

OPEN, CLOSE = "<tool_call>", "</tool_call>"
THINK, THOUGHT = "<think>", "</think>"
END = "<|im_end|>"
_LONGEST = max(map(len, (OPEN, CLOSE, THINK, THOUGHT, END)))
_UNOPENED = "think-end"


@dataclass(frozen=True, slots=True)
class Block:
    """The text between two tags."""

    body: str
    closed: bool

    @property
    def raw(self) -> str:
        return OPEN + self.body + (CLOSE if self.closed else "")


@dataclass(frozen=True, slots=True)
class Thought:
    """A think block or a piece of one; `opened` and `closed` state whether the piece has its tags."""

    text: str
    opened: bool = False
    closed: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """The end token, and the text after it."""

    rest: str


Piece = str | Block | Thought | End


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed block: the call, or the fault that prevents one."""

    call: ToolCall | None
    fault: str | None
    json: Any


def read_block(block: Block) -> Reading:
    """The block's call: an object with a name and arguments."""
    body = block.body.strip()
    value = jsontext.parse(body)
    if isinstance(value, Malformed):
        return Reading(None, value.reason, value)
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return Reading(None, "no object with a name", value)
    if "arguments" not in value:
        return Reading(ToolCall(None, value["name"], Malformed("", "no arguments")), None, value)
    return Reading(ToolCall(None, value["name"], value["arguments"], wire=members(body).get("arguments")), None, value)


class Scanner:
    """The state machine over chunks: thoughts, text and blocks, in order and complete."""

    def __init__(self) -> None:
        self._buffer = Buffer()
        self._state = "start"
        self._opened = False

    def feed(self, chunk: str) -> Iterator[Piece]:
        """The pieces that are certain after this chunk."""
        self._buffer.add(chunk)
        yield from self._pieces(last=False)

    def finish(self) -> Iterator[Piece]:
        """The rest."""
        yield from self._pieces(last=True)

    def _pieces(self, *, last: bool) -> Iterator[Piece]:
        while True:
            state, left = self._state, len(self._buffer)
            if state == "start":
                self._start(last=last)
            elif state == "think":
                yield from self._think(last=last)
            elif state == "call":
                yield from self._call(last=last)
            elif state == "text":
                yield from self._text(last=last)
            elif last:
                yield End(self._all())
                return
            if (state, left) == (self._state, len(self._buffer)):
                return

    def _start(self, *, last: bool) -> None:
        """White space, and then the think block, if any."""
        blank = self._buffer.after_blank()
        if self._buffer.startswith(THINK, blank):
            self._buffer.take(blank + len(THINK))
            self._state, self._opened = "think", True
        elif last or not THINK.startswith(self._buffer.piece(blank, blank + len(THINK))):
            self._state = "text"

    def _think(self, *, last: bool) -> Iterator[Piece]:
        at = self._buffer.find(THOUGHT)
        if at >= 0:
            yield Thought(self._buffer.take(at), opened=self._opened, closed=True)
            self._buffer.take(len(THOUGHT))
            self._state, self._opened = "text", False
            return
        text = self._untagged((THOUGHT,), last=last)
        if text or (last and self._opened):
            yield Thought(text, opened=self._opened)
            self._opened = False

    def _text(self, *, last: bool) -> Iterator[Piece]:
        found = {tag: at for tag in (OPEN, THOUGHT, END) if (at := self._buffer.find(tag)) >= 0}
        tag = min(found, key=found.__getitem__, default=None)
        if tag is None:
            text = self._untagged((OPEN, THOUGHT, END), last=last)
            if text:
                yield text
            return
        if found[tag]:
            yield self._buffer.take(found[tag])
        self._buffer.take(len(tag))
        self._state = {OPEN: "call", END: "end"}.get(tag, "text")
        if tag == THOUGHT:  # the prompt had opened the block
            yield Thought("", closed=True)

    def _untagged(self, tags: tuple[str, ...], *, last: bool) -> str:
        """Text without a tag, up to what may become one."""
        size = len(self._buffer)
        keep = 0 if last else partial_tag(self._buffer.piece(max(size - _LONGEST, 0), size), tags)
        return self._buffer.take(size - keep)

    def _all(self) -> str:
        return self._buffer.take(len(self._buffer))

    def _call(self, *, last: bool) -> Iterator[Piece]:
        at = self._closing(last=last)
        if at is None and not last:
            return
        self._state = "text"
        if at is None:
            again = self._buffer.find(OPEN)
            yield Block(self._all() if again < 0 else self._buffer.take(again), closed=False)
            return
        closed = self._buffer.startswith(CLOSE, at)
        yield Block(self._buffer.take(at), closed=closed)
        if closed:
            self._buffer.take(len(CLOSE))

    def _closing(self, *, last: bool) -> int | None:
        """The end of the block's body: its closing tag, or the text after its JSON if there is none."""
        body = self._buffer
        start = body.after_blank()
        if start == len(body):
            return None
        if body.piece(start, start + 1) not in "{[":
            return self._plainly()
        end = body.value_end(start)
        if end is not None and not isinstance(jsontext.parse(body.piece(start, end)), Malformed):
            at = body.after_blank(end)
            if body.startswith(CLOSE, at):
                return at
            rest = body.piece(at, at + _LONGEST)
            if not last and (CLOSE.startswith(rest) or OPEN.startswith(rest) or END.startswith(rest)):
                return None
            return end if rest.startswith((OPEN, END)) else self._plainly(end)
        return None if end is None and not last else self._plainly()

    def _plainly(self, start: int = 0) -> int | None:
        """The next closing tag, also inside a string."""
        at = self._buffer.find(CLOSE, start)
        return at if at >= 0 else None


class Reader:
    """Parts from chunks. White space around blocks is layout; a block that is not a call is text."""

    def __init__(self) -> None:
        self._scanner = Scanner()
        self._space = ""
        self._layout = True
        self._thinking = False

    def feed(self, chunk: str) -> Iterator[Part]:
        """The parts that are certain after this chunk."""
        for piece in self._scanner.feed(chunk):
            yield from self._part(piece)

    def finish(self, *, cut: bool = False) -> Iterator[Part]:
        """The rest at the end."""
        for piece in self._scanner.finish():
            yield from self._part(piece, cut=cut)

    def _part(self, piece: Piece, *, cut: bool = False) -> Iterator[Part]:
        if isinstance(piece, Thought):
            if piece.closed and not piece.opened and not self._thinking:
                yield Unknown(_UNOPENED, None)
            self._thinking = not piece.closed
            yield from self._shown(piece.text, Reasoning)
            if piece.closed:
                self._space, self._layout = "", True
            return
        if isinstance(piece, End):
            return
        if isinstance(piece, Block):
            reading = read_block(piece)
            half = cut and reading.fault and not piece.closed
            call = reading.call or (half_call(piece.body, piece.raw) if half else None)
            if call is not None:
                self._space, self._layout = "", True
                yield call
                return
            piece = piece.raw
        yield from self._shown(piece, Text)

    def _shown(self, text: str, kind: type[Text | Reasoning]) -> Iterator[Part]:
        """Text without the white space that is layout."""
        text = self._space + text
        text = text.lstrip() if self._layout else text
        body = text.rstrip()
        self._space = text[len(body) :]
        if body:
            self._layout = False
            yield kind(body)


def scan(text: str) -> tuple[Piece, ...]:
    """The text's pieces, with adjacent pieces of one kind joined."""
    scanner = Scanner()
    found: list[Piece] = [*scanner.feed(text), *scanner.finish()]
    joined: list[Piece] = []
    for is_text, group in groupby(found, lambda piece: isinstance(piece, str)):
        pieces = list(group)
        joined += ["".join(map(str, pieces))] if is_text else pieces
    return tuple(joined)


def parse(text: str, *, cut: bool = False) -> tuple[Part, ...]:
    """All parts of a text. With `cut` (the text was truncated) an incomplete call is a call, else it is text.

    Text before a closing think tag without an opening one is thought: the prompt opened the block.
    """
    parts = read(Reader(), text, cut=cut)
    ends = {number for number, part in enumerate(parts) if isinstance(part, Unknown) and part.kind == _UNOPENED}
    last = max(ends, default=0)
    return tuple(
        Reasoning(part.text) if isinstance(part, Text) and number < last else part
        for number, part in enumerate(parts)
        if number not in ends
    )
