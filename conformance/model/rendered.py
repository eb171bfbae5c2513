"""The interface of a dialect's `render.py`.

Each `render.py` has three functions:

    answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered
        The turn as the provider sends it, as a stream if the request asks for one.
    failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered
        The provider's error body for that status.
    stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]
        The end of a stream that fails in the middle, after `sent` documents and marks.

It may have a fourth one:

    accepted(rendered: Rendered, request: Request) -> Rendered
        What is sent in place of the answer, if the client fetches that later.

A response is rendered as documents, each with the style in which its dialect writes JSON. The server encodes them.
"""

from __future__ import annotations

import hashlib
import json
import string
from collections.abc import Container, Iterable, Mapping
from dataclasses import field
from functools import cached_property
from math import inf
from typing import Any

from conformance.model.document import Document, Mark, compact, encoded
from conformance.model.exchange import Body, Headers, Response
from conformance.model.frozen import dataclass
from conformance.model.transcript import Ask, Malformed, Reasoning, Stop, Text, ToolCall, ToolResult, Turn

ALPHANUMERIC = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Rendered:
    """A response, not yet encoded: one document that is the body, or one for each event of a stream."""

    status: int
    headers: tuple[tuple[str, str], ...]
    documents: tuple[Document | Mark, ...]

    @cached_property
    def chunks(self) -> tuple[bytes, ...]:
        """The body in the pieces that the server sends one by one."""
        return tuple(encoded(self.documents))

    @cached_property
    def body(self) -> bytes:
        """The encoded body as a whole."""
        return b"".join(self.chunks)

    @property
    def response(self) -> Response:
        """The whole response, as a client gets it."""
        return Response(self.status, Headers(self.headers), Body(self.body))


@dataclass(frozen=True, slots=True)
class Delivery:
    """A response as it is sent: the encoded pieces, and whether the connection is cut after them.

    `pause` is how many seconds pass before each piece. A cut without any piece sends no status either. `partial` is
    whether the body ends as if it were whole, but is not.
    """

    rendered: Rendered
    pieces: tuple[bytes, ...]
    pause: float = 0.0
    cut: bool = False
    partial: bool = False

    @classmethod
    def of(cls, rendered: Rendered) -> Delivery:
        """The response as it is, one piece for each document."""
        return cls(rendered, rendered.chunks)

    @property
    def lost(self) -> bool:
        """Whether the client gets less than the whole response."""
        return self.cut or self.partial

    @property
    def body(self) -> bytes:
        """What is sent of the body."""
        return self.rendered.body if self.pieces is self.rendered.chunks else b"".join(self.pieces)

    @property
    def response(self) -> Response:
        """The response with what is sent of its body."""
        return Response(self.rendered.status, Headers(self.rendered.headers), Body(self.body))


@dataclass
class IdFactory:
    """Makes ids, times and counts that look like the provider's and are the same in every recording.

    Ids are opaque and unpredictable on a real wire; here they follow from the seed and a counter, so that
    a new recording differs only where something changed.
    """

    seed: str
    now: int = 1_790_000_000
    max_tokens: float = inf
    """The most tokens that a reply can have."""
    cached_tokens: int = 0
    """How many tokens of each prompt are from a cache."""
    _count: int = field(default=0, init=False)

    def id(self, prefix: str, length: int, alphabet: str = ALPHANUMERIC) -> str:
        """The prefix and `length` characters of the alphabet."""
        self._count += 1
        stream = b"".join(
            hashlib.sha256(f"{self.seed}/{self._count}/{block}".encode()).digest() for block in range(length // 32 + 1)
        )
        return prefix + "".join(alphabet[byte % len(alphabet)] for byte in stream[:length])

    def prompt_tokens(self, ask: Ask) -> int:
        """A plausible count for a request: grows with the history and the tools."""
        return 20 + sum(map(_tokens, ask.history)) + 40 * len(ask.tools or ())

    def tokens(self, turn: Turn) -> int:
        """A plausible count for a reply."""
        return int(min(_tokens(turn), self.max_tokens))


def _tokens(turn: Turn) -> int:
    """About one token for four bytes of the texts of a turn."""
    return max(1, sum(len(text.encode()) for text in _texts(turn)) // 4)


def _texts(turn: Turn) -> Iterable[str]:
    for part in turn.parts:
        if isinstance(part, Text):
            yield part.text
        elif isinstance(part, Reasoning):
            yield part.text or ""
        elif isinstance(part, ToolCall):
            yield f"{part.name}{part.arguments}"
        elif isinstance(part, ToolResult):
            yield str(part.content)


def arguments_text(call: ToolCall) -> str:
    """A call's arguments as text: the turn's own text if it has one, else compact JSON."""
    if call.wire is not None:
        return call.wire
    if isinstance(call.arguments, Malformed):
        return call.arguments.text
    return call.arguments if call.kind == "custom" and isinstance(call.arguments, str) else compact(call.arguments)


def value_and_text(arguments: Any) -> tuple[Any, str]:
    """The arguments where they are a value, and their text in a stream, which is empty for a call without any."""
    if isinstance(arguments, Malformed):
        return {}, arguments.text
    return arguments, json.dumps(arguments, ensure_ascii=False) if arguments else ""


def stop_in(turn: Turn, stops: Container[str], written: Mapping[Stop, str], usual: str) -> str:
    """The stop reason on the wire: the turn's own if it is one of the dialect's, else that of its neutral one."""
    if isinstance(turn.stop_wire, str) and turn.stop_wire in stops:
        return turn.stop_wire
    return written.get(turn.stop or "end", usual)


def pieces(text: str, size: int = 12) -> list[str]:
    """The text in pieces like a model's tokens, never split inside a character."""
    return [text[start : start + size] for start in range(0, len(text), size)]
