"""The proxy as a server on loopback, in its own thread."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Collection, Coroutine
from concurrent.futures import Future
from types import TracebackType
from typing import Protocol, Self, TypeVar

from conformance.errors import ConformanceError
from conformance.proxy.captured import Answer, Budget, Captured
from conformance.proxy.forwarding import Forwarding
from conformance.proxy.upstream import Upstream

_STOP_SECONDS = 5.0
T = TypeVar("T")


class Observer(Protocol):
    """Gets each exchange before its end is sent on. Its methods are called in one other thread."""

    def exchanged(self, captured: Captured) -> Future[None]:
        """Records an exchange, and releases it; the future is done when it is on disk."""

    def page(self, method: str, path: str) -> Answer | None:
        """The proxy's own response, for a path of its own."""


class ProxyServer:
    """Forwards to the upstream at `origin` while the context is open. A port of 0 takes any free one.

    Requests are refused that are neither to a name of loopback nor to one of the `hosts`.
    """

    def __init__(self, upstream: Upstream, observer: Observer, port: int = 0, *, hosts: Collection[str] = ()) -> None:
        self._hosts = hosts
        self._upstream = upstream
        self._observer = observer
        self._port = port
        self._budget = Budget()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.faults: list[str] = []
        """Errors of the proxy itself."""
        self.origin = ""

    def __enter__(self) -> Self:
        """Starts to listen.

        Raises:
            ConformanceError: the requested port is not available.
        """
        self._thread.start()
        try:
            self._server = self._call(self._listen)
        except OSError as error:
            self._end_loop()
            raise ConformanceError(
                f"127.0.0.1:{self._port}: {error.strerror}", "choose another --port, or omit it to use a free one"
            ) from error
        self.origin = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._call(self._stop)
        self._end_loop()

    async def _listen(self) -> asyncio.Server:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio looks for TCP
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", self._port))
        except OSError:
            listening.close()
            raise
        return await asyncio.start_server(self._accept, sock=listening, limit=1 << 16, backlog=512)

    async def _stop(self) -> None:
        """Stops to listen, and ends what is in progress; each exchange is recorded as far as it came."""
        if self._server is not None:
            self._server.close()
        for each in self._connections:
            each.cancel()
        if self._connections:
            await asyncio.wait(self._connections, timeout=_STOP_SECONDS)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = self._loop.create_task(self._forward(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            forwarding = Forwarding(
                self._upstream,
                reader,
                writer,
                budget=self._budget,
                recorded=self._recorded,
                own=self._own,
                hosts=self._hosts,
            )
            await forwarding.run()
        except asyncio.CancelledError:
            writer.transport.abort()
        except Exception as error:  # noqa: BLE001 - whatever it is, other connections go on, and it is reported
            self.faults.append(f"proxy: {type(error).__name__}: {error}")
            writer.transport.abort()

    async def _recorded(self, captured: Captured) -> None:
        """Waits until an exchange is recorded, which goes on if the wait is cancelled."""
        recording = self._observer.exchanged(captured)
        await asyncio.shield(asyncio.wrap_future(recording))

    async def _own(self, method: str, path: str) -> Answer | None:
        if not path.startswith("/_conformance"):
            return None
        return await asyncio.to_thread(self._observer.page, method, path)

    def _call(self, made: Callable[[], Coroutine[object, object, T]]) -> T:
        return asyncio.run_coroutine_threadsafe(made(), self._loop).result()

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_STOP_SECONDS)
        self._loop.close()
