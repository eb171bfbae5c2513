"""A local server that a command runs until it is ended."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from conformance.errors import ConformanceError
from conformance.reference.server import ReferenceServer


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that SIGTERM sets, so that the report is written before the end."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before = signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGTERM, before)


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
