"""Connections over a WebSocket as exchanges: each frame of the client with the frames that answer it.

An exchange has the URL (`wss://…`), the status (101) and the request headers of the handshake. The body of the request
is the client's frame; that of the response has the server's frames, one on each line (`application/x-ndjson`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any

from conformance.model import jsontext, lines
from conformance.model.exchange import SWITCHED, Body, Exchange, Headers, Request, Response, lacks_at
from conformance.model.frozen import dataclass
from conformance.model.values import text_of

_ASKS = "response.create"
_ENDS = ("response.completed", "response.failed", "response.incomplete", "error")
"""The types of the frames after which nothing of the same answer follows."""
_STEERS = "response.steer"
"""The type of a frame with input for a response that is under way; those that answer it begin so."""


@dataclass(slots=True)
class Turn:
    """A frame of the client, and what the server sent for it.

    `stream` is its lane, if the client named one. It is `open` until it is answered.
    """

    sent: str
    stream: str | None
    open: bool
    received: list[str] = field(default_factory=list)

    def exchange(self, url: str, headers: Headers, **origin: Any) -> Exchange:
        """The exchange; a turn that the server did not answer has an empty response."""
        answer = "".join(f"{frame}\n" for frame in self.received)
        return Exchange(
            request=Request("GET", url, headers, Body(self.sent)),
            response=Response(SWITCHED, Headers([("content-type", lines.CONTENT_TYPE)]), Body(answer)),
            lacks=lacks_at(url),
            **origin,
        )


class Turns:
    """Puts the frames of one connection together, in the order in which they are seen."""

    def __init__(self) -> None:
        self.found: list[Turn] = []
        self._asking: list[Turn] = []
        self._steering: dict[str | None, list[Turn]] = {}
        self._settled = 0

    def sent(self, frame: str) -> None:
        """A frame of the client. One that asks for nothing is a turn without an answer."""
        value = _object(frame)
        kind = value.get("type")
        turn = Turn(frame, text_of(value.get("stream_id")), kind in (_ASKS, _STEERS))
        self.found.append(turn)
        if kind == _ASKS:
            self._asking.append(turn)
        elif kind == _STEERS:
            self._steering.setdefault(text_of(value.get("previous_response_id")), []).append(turn)

    def received(self, frame: str) -> None:
        """A frame of the server: of the oldest open turn in its lane, else of the oldest; if none is open, of the last.

        A response that nobody asked for takes up the input of the last turn. A frame about the input of a turn that the
        source does not have is left out.
        """
        value = _object(frame)
        kind = text_of(value.get("type")) or ""
        if kind.startswith(_STEERS):
            self._steered(frame, kind, value.get("steer"))
            return
        lane = text_of(value.get("stream_id"))
        waiting = self._asking or self.found[-1:]
        for turn in sorted(waiting, key=lambda each: each.stream != lane)[:1]:
            turn.received.append(frame)
            if kind in _ENDS:
                turn.open = False
                self._asking = [each for each in self._asking if each is not turn]

    def _steered(self, frame: str, kind: str, steer: Any) -> None:
        """The oldest of those that steer the same response and have no frame of this kind."""
        parent = text_of(steer.get("previous_response_id")) if isinstance(steer, dict) else None
        turns = self._steering.get(parent, ())
        for turn in sorted(turns, key=lambda each: any(_object(one).get("type") == kind for one in each.received))[:1]:
            turn.received.append(frame)
            turn.open = False

    def settled(self, *, closed: bool) -> Iterator[Turn]:
        """The turns that end, each once and in order: with their answer, or with the connection."""
        for turn in self.found[self._settled :]:
            if turn.open and not closed:
                return
            self._settled += 1
            yield turn


def turns_of(frames: Iterable[tuple[bool, str]]) -> list[Turn]:
    """The turns of a whole connection; each frame with whether the client sent it."""
    turns = Turns()
    for by_client, frame in frames:
        (turns.sent if by_client else turns.received)(frame)
    return turns.found


def _object(frame: str) -> dict[str, Any]:
    value = jsontext.parse(frame)
    return value if isinstance(value, dict) else {}
