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
_NO_PART = "response.steer."


@dataclass(slots=True)
class Turn:
    """A frame of the client, and what the server sent for it. `stream` is its lane, if the client named one."""

    sent: str
    stream: str | None
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
        self._open: list[Turn] = []
        self._settled = 0

    def sent(self, frame: str) -> None:
        """A frame of the client. One that asks for no response is a turn without an answer."""
        value = _object(frame)
        self.found.append(Turn(frame, text_of(value.get("stream_id"))))
        if value.get("type") == _ASKS:
            self._open.append(self.found[-1])

    def received(self, frame: str) -> None:
        """A frame of the server: of the oldest open turn in its lane, else of the oldest; if none is open, of the last.

        What answers another frame of the client is left out: it is no part of a response.
        """
        value = _object(frame)
        kind = text_of(value.get("type")) or ""
        if kind.startswith(_NO_PART) or not self.found:
            return
        lane = text_of(value.get("stream_id"))
        open_ones = self._open or self.found[-1:]
        turn = next((each for each in open_ones if each.stream == lane), open_ones[0])
        turn.received.append(frame)
        if kind in _ENDS and turn in self._open:
            self._open.remove(turn)

    def settled(self, *, closed: bool) -> Iterator[Turn]:
        """The turns that end, each once and in order: with their answer, or with the connection."""
        for turn in self.found[self._settled :]:
            if not closed and any(each is turn for each in self._open):
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
