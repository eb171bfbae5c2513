"""WebSockets under an SDK that opens them with the package `websockets`: recorded into a cassette, or played from one.

A cassette has each frame of the client as an exchange, with the frames that answer it (`conformance.inputs.websocket`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any
from unittest import mock

from conformance.cassette.vcr import answered, keep
from conformance.inputs.websocket import Turns
from conformance.model.exchange import Body, Request

if TYPE_CHECKING:
    from vcr.cassette import Cassette as VcrCassette

    from conformance.drivers.transport import Taken


class Sockets:
    """Opens the connections of one run: to the endpoint, or, with `plays`, to the cassette. `tape` is vcrpy's."""

    def __init__(self, taken: Taken, tape: VcrCassette, *, plays: bool, timeout: float) -> None:
        self._taken = taken
        self._tape = tape
        self._plays = plays
        self._timeout = timeout

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Takes the place of `connect` in the package, as vcrpy does in HTTP libraries."""
        from websockets.sync import client

        with mock.patch.object(client, "connect", partial(self._connect, client.connect)):
            yield

    def _connect(self, connect: Any, url: str, *, additional_headers: Any = None, **options: Any) -> _Connection:
        request = self._taken.http.Request("GET", url, headers=additional_headers)
        if self._plays:
            return _Connection(_Played(self._tape, url), request, self._taken, None)
        headers = [each for each in self._taken.completed(request) if each[0] != "host"]
        if "proxy" in signature(connect).parameters:
            options["proxy"] = None
        wire = connect(url, additional_headers=headers, open_timeout=self._timeout, **options)
        return _Connection(wire, request, self._taken, self._tape, timeout=self._timeout)


class _Connection:
    """What an SDK uses of a connection; each frame is noted as it passes, and kept on the tape, if there is one."""

    def __init__(self, wire: Any, handshake: Any, taken: Taken, tape: VcrCassette | None, **waiting: float) -> None:
        self._wire = wire
        self._handshake = handshake
        self._taken = taken
        self._tape = tape
        self._waiting = waiting
        self._turns = Turns()

    def send(self, frame: str) -> None:
        number = self._taken.note(self._handshake, frame.encode())
        self._turns.sent(frame)
        try:
            self._wire.send(frame)
        except Exception as error:
            self._taken.failed(number, error)
            raise

    def recv(self, **options: Any) -> str | bytes:
        frame: str | bytes = self._wire.recv(**self._waiting, **options)
        self._turns.received(frame if isinstance(frame, str) else frame.decode())
        self._keep()
        return frame

    def close(self, *how: Any, **named: Any) -> None:
        self._wire.close(*how, **named)
        self._keep(closed=True)

    def _keep(self, *, closed: bool = False) -> None:
        for turn in self._turns.settled(closed=closed):
            if self._tape is not None:
                headers = self._taken.completed(self._handshake)
                keep(self._tape, turn.exchange(str(self._handshake.url), headers))


class _Played:
    """A connection to a cassette. When its frames are all received, the server has closed the connection."""

    def __init__(self, tape: VcrCassette, url: str) -> None:
        self._tape = tape
        self._url = url
        self._frames: deque[bytes] = deque()

    def send(self, frame: str) -> None:
        self._frames.extend(answered(self._tape, Request("GET", self._url, body=Body(frame))).splitlines())

    def recv(self, *, decode: bool = True) -> str | bytes:
        from websockets.exceptions import ConnectionClosedOK

        if not self._frames:
            raise ConnectionClosedOK(None, None)
        frame = self._frames.popleft()
        return frame.decode() if decode else frame

    def close(self, *_how: Any, **_named: Any) -> None:
        self._frames.clear()
