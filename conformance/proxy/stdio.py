"""Passes the standard input and output of an MCP server on, byte for byte, and hands each line to a callback."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress

from conformance.errors import ConformanceError
from conformance.model.limits import limits

_READ = 1 << 16
_MIB = 1 << 20
GRACE_SECONDS = 10.0
"""How long a server may go on without output after its client has closed its input."""
_KILL_SECONDS = 2.0

OnLine = Callable[[bytes | None], "Future[None] | None"]
"""Takes a line without its end, or None if it is too long. The end is sent once what it returns is done."""


class Pump(threading.Thread):
    """Copies from one file descriptor to another until the end. The end of a line is sent once `on_line` is done."""

    def __init__(self, source: int, sink: int, on_line: OnLine) -> None:
        super().__init__(daemon=True)
        self._source = source
        self._sink = sink
        self._on_line = on_line
        self._line = bytearray()
        self._too_long = False
        self.broken = False
        """Whether the other side of the sink has gone."""
        self.latest = time.monotonic()

    def run(self) -> None:
        while data := self._read():
            self.latest = time.monotonic()
            *lines, rest = data.split(b"\n")
            for piece in lines:
                self._add(piece)
                self._hand_over()
                self._write(b"\n")
            self._add(rest)
        if self._line or self._too_long:
            self._hand_over()

    def _read(self) -> bytes:
        try:
            return os.read(self._source, _READ)
        except OSError:
            return b""

    def _add(self, piece: bytes) -> None:
        self._write(piece)
        if len(self._line) + len(piece) > limits().body * _MIB:
            self._too_long = True
            self._line.clear()
        if not self._too_long:
            self._line += piece

    def _hand_over(self) -> None:
        line = bytes(self._line).removesuffix(b"\r")
        done = None
        if self._too_long:
            done = self._on_line(None)
        elif line.strip():
            done = self._on_line(line)
        if done is not None:
            done.result()
        self._line.clear()
        self._too_long = False

    def _write(self, data: bytes) -> None:
        while data and not self.broken:
            try:
                data = data[os.write(self._sink, data) :]
            except OSError:
                self.broken = True


class StdioServer:
    """A server that runs between two pumps. Its standard error is that of this process."""

    def __init__(self, command: Sequence[str], from_client: OnLine, from_server: OnLine) -> None:
        """Starts it.

        Raises:
            ConformanceError: it cannot be started.
        """
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)  # noqa: S603 - the user's own command
        except OSError as error:
            raise ConformanceError(
                f"{command[0]}: cannot start the server: {error.strerror or error}", "check the command after --"
            ) from error
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: S101, PT018 - asked for
        self._input = self._process.stdin
        self._up = Pump(0, self._input.fileno(), from_client)
        self._down = Pump(self._process.stdout.fileno(), 1, from_server)
        self._down.start()
        self._up.start()
        self.client_left = False
        """Whether the client closed its side before the server ended."""

    def wait(self, stopped: threading.Event) -> int:
        """Waits for the end of the server, which the end of the client brings about; returns its exit code."""
        closed = 0.0
        while self._process.poll() is None and not stopped.wait(0.02):
            if not closed and (not self._up.is_alive() or self._down.broken):
                self.client_left = True
                closed = time.monotonic()
                with suppress(OSError):
                    self._input.close()
            if closed and time.monotonic() - max(closed, self._down.latest) > GRACE_SECONDS:
                break
        return self.stop()

    def stop(self) -> int:
        """Ends the server if it still runs, and passes on what it wrote."""
        with suppress(OSError):
            self._input.close()
        for end in (self._process.terminate, self._process.kill):
            if self._process.poll() is None:
                end()
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(_KILL_SECONDS)
        self._down.join(_KILL_SECONDS)  # a child of the server may keep its output open
        return self._process.wait()
