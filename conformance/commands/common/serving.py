"""A local server that a command runs until it is ended."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

from conformance.errors import ConformanceError
from conformance.reference.server import ReferenceServer


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that SIGTERM sets, so that the report is written before the end.

    A handler must not set it itself: it may run while the main thread holds the event's lock, and wait for ever. It
    writes to a queue, whose `put` may be interrupted by itself, and a thread sets the event.
    """
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    signals: SimpleQueue[bool] = SimpleQueue()

    def pass_on() -> None:
        if signals.get():
            stopped.set()

    threading.Thread(target=pass_on, daemon=True).start()
    before = signal.signal(signal.SIGTERM, lambda *_: signals.put(True))
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGTERM, before)
        signals.put(False)


@contextmanager
def started(server: ReferenceServer, port: int, option: str = "--port") -> Iterator[ReferenceServer]:
    """A running server.

    Raises:
        ConformanceError: the requested port is not available.
    """
    if port:
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server itself does
            try:
                tried.bind(("127.0.0.1", port))
            except OSError as error:
                raise ConformanceError(
                    f"127.0.0.1:{port}: {error.strerror}", f"choose another {option}, or omit it to use a free one"
                ) from error
    with server:
        yield server
