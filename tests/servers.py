"""Servers in processes of their own: a free port, a start that waits until it is listened on, and an end."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_STEP = 0.1
_NEVER_GIVEN = range(16384, 32768)


class NotStartedError(Exception):
    """A server ended, or does not listen on its port."""


def free_port() -> int:
    """A port of loopback that was free a moment ago, and that no system gives to a connection or a server by itself.

    Those are 32768 and more on Linux, 49152 and more elsewhere (RFC 6335, section 6). One of them can be taken while
    the server of a test is between two runs.
    """
    for port in random.Random().sample(_NEVER_GIVEN, 100):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise NotStartedError(f"100 ports from {_NEVER_GIVEN.start} to {_NEVER_GIVEN.stop - 1} are taken")


def listening(port: int, *, process: subprocess.Popen[bytes] | None = None, seconds: float = 120) -> None:
    """Returns once something listens on the port.

    Raises:
        NotStartedError: the process ended before, or the time is over.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if process is not None and process.poll() is not None:
            raise NotStartedError(f"it exited with {process.returncode}")
        time.sleep(_STEP)
    raise NotStartedError(f"nothing listens on port {port} after {seconds:g} seconds")


@contextmanager
def running(
    command: Sequence[str],
    port: int,
    *,
    log: Path | None = None,
    more: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A server, from when it listens on the port. At the end it and all that it started are terminated, or killed.

    `log` gets its output, `more` are further variables of its environment, `folder` is where it runs.

    Raises:
        NotStartedError: it ended, or does not listen; with the end of its output.
    """
    with Path(os.devnull if log is None else log).open("ab") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env={**os.environ, **(more or {})}, cwd=folder, start_new_session=True
        )
    try:
        try:
            listening(port, process=process)
        except NotStartedError as error:
            said = "" if log is None else f": {log.read_text(errors='replace').strip()[-300:]}"
            raise NotStartedError(f"{command[0]}: {error}{said}") from None
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen[bytes], *, patience: float = 20) -> None:
    """Terminates a process and all that it started; kills what has not ended after `patience` seconds."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kills a process and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
