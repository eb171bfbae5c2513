"""The gateway under test: where it listens, and its process if we start it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import urlsplit

from conformance.commands.common.client import Client
from conformance.errors import ConformanceError

_POLL_SECONDS = 0.2


@contextmanager
def running(process: Client, base_url: str, command: Sequence[str], seconds: float) -> Iterator[None]:
    """Waits until the gateway listens; ends it afterwards.

    Raises:
        ConformanceError: it ends, or does not listen in time.
    """
    try:
        _wait(process, base_url, command[0], seconds)
        yield
    finally:
        process.end()


def _wait(process: Client, base_url: str, name: str, seconds: float) -> None:
    parts = urlsplit(base_url)
    host, port = parts.hostname or "127.0.0.1", parts.port or (443 if parts.scheme == "https" else 80)
    pause = threading.Event()
    for _ in range(max(1, int(seconds / _POLL_SECONDS))):
        if process.exit_code is not None:
            last = f": {process.error}" if process.error else ""
            raise ConformanceError(
                f"{name} ended with exit code {process.exit_code} before it listened at {base_url}{last}",
                "check the command after --; read what it prints",
            )
        try:
            socket.create_connection((host, port), timeout=1).close()
        except OSError:
            pause.wait(_POLL_SECONDS)
        else:
            return
    raise ConformanceError(
        f"{name} does not listen at {base_url} after {seconds:g} s",
        "check the port in --base-url and in the gateway's configuration, or raise --start-timeout",
    )
