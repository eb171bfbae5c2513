"""Connections of the reference server: bounded in number, in the size of a request's head, and in the time it may take.

uvicorn alone waits for a request without end: a client that opens connections and sends little holds each of them.
"""

from __future__ import annotations

import asyncio
import json
import sys
from functools import partial
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from conformance.reference.bounds import Bounds

_MESSAGES = {
    400: "the request is not valid HTTP",
    408: "the request's head took longer than {head_seconds:g} s",
    431: "the request's head has more than {head_bytes} bytes",
    501: "the request's Transfer-Encoding is not supported",
    503: "the server has {connections} open connections, all of them busy",
}


def protocol(bounds: Bounds) -> Any:
    """What makes the protocol of one connection, for uvicorn's `http`."""
    return partial(BoundedProtocol, bounds=bounds, incomplete={})


def sockets() -> Any:
    """What makes the protocol of a WebSocket, for uvicorn's `ws`: its package is loaded for the first one only."""

    def made(**named: Any) -> Any:
        from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

        return AutoWebSocketsProtocol(**named)  # type: ignore[misc]

    return made


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 that refuses slow and large heads, and gives up the oldest incomplete request for a new connection.

    `incomplete` are the connections whose request is not complete, oldest first; all connections share it.
    """

    def __init__(self, *arguments: Any, bounds: Bounds, incomplete: dict[BoundedProtocol, None], **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._bounds = bounds
        self._incomplete = incomplete
        self._timer: asyncio.TimerHandle | None = None
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts the connection, and begins to measure the time of its first request."""
        super().connection_made(transport)
        if len(self.connections) > self._bounds.connections:
            oldest = next(iter(self._incomplete), self)
            oldest.refuse(503 if oldest is self else 408)
        if not self._refused:
            self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._refused = True
        self._stop_timer()
        self._incomplete.pop(self, None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads on, unless the request is refused: what is still under way is dropped then."""
        if not self._refused:
            super().data_received(data)

    def handle_events(self) -> None:
        """Reads what has come, and measures the time if the next request is not complete."""
        super().handle_events()
        if not self._refused:
            self._watch()

    def _watch(self) -> None:
        state = self.conn.their_state
        if state is h11.IDLE and self._timer is None:
            self._timer = self.loop.call_later(self._bounds.head_seconds, self._too_slow)
        elif state is not h11.IDLE:
            self._stop_timer()
        if state in (h11.IDLE, h11.SEND_BODY):
            self._incomplete.setdefault(self)
        else:
            self._incomplete.pop(self, None)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        if not self._refused:
            self.refuse(408)

    def send_400_response(self, msg: str) -> None:
        """Refuses what h11 does not accept, with the status that h11 suggests: 431 for a long head."""
        self.refuse(getattr(sys.exception(), "error_status_hint", 400))

    def refuse(self, status: int) -> None:
        """Answers if the client has begun a request and has no answer yet, and closes the connection.

        It stays open for reading for a while: if it closed with bytes unread, the client would not see the answer.
        """
        self._refused = True
        self._stop_timer()
        self._incomplete.pop(self, None)
        begun = status != 408 or bool(self.conn.trailing_data[0])
        if self.transport.is_closing() or self.conn.our_state is not h11.IDLE or not begun:
            self.transport.close()
            return
        message = _MESSAGES.get(status, _MESSAGES[400]).format(**vars(self._bounds))
        body = json.dumps({"error": message}).encode()
        headers = [("content-type", "application/json"), ("content-length", str(len(body))), ("connection", "close")]
        reason = {408: "Request Timeout", 431: "Request Header Fields Too Large"}.get(status, "")
        for event in (
            h11.Response(status_code=status, headers=headers, reason=reason.encode()),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.write_eof()
        self.loop.call_later(self._bounds.linger_seconds, self.transport.abort)
