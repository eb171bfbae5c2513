"""The channels of the two older transports: the standard streams of a process, and HTTP+SSE of 2024-11-05."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import IO, TYPE_CHECKING
from urllib.parse import urljoin

import anyio
import httpx2
from anyio.streams.text import TextReceiveStream

from conformance.model import sse

if TYPE_CHECKING:
    from anyio.abc import Process

_LAST_LINES = 3
_LONGEST_LINE = 200
_STOP_SECONDS = 2.0


class Pipes:
    """The standard input and output of a server: one message a line."""

    def __init__(self, process: Process, stderr: IO[str]) -> None:
        self._process = process
        self._stderr = stderr

    async def send(self, text: str) -> None:
        """Writes one line."""
        assert self._process.stdin is not None  # noqa: S101 - it was started with a pipe
        await self._process.stdin.send(text.replace("\n", " ").encode() + b"\n")

    async def received(self) -> AsyncIterator[str]:
        """The lines, until the process closes its output."""
        assert self._process.stdout is not None  # noqa: S101 - it was started with a pipe
        rest = ""
        async for chunk in TextReceiveStream(self._process.stdout, errors="replace"):
            *lines, rest = (rest + chunk).split("\n")
            for line in lines:
                yield line
        if rest:
            yield rest

    def last_words(self) -> str:
        """The last lines on standard error, as `: lines`."""
        self._stderr.seek(0)
        lines = [line.strip()[:_LONGEST_LINE] for line in self._stderr if line.strip()]
        return f": {' / '.join(lines[-_LAST_LINES:])}" if lines else ""


@asynccontextmanager
async def process(argv: Sequence[str]) -> AsyncIterator[Pipes]:
    """Starts a server by its command, and stops it at the end: its input is closed first, as the protocol wants it.

    Raises:
        OSError: the command cannot be started.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as stderr:
        running = await anyio.open_process(list(argv), stderr=stderr, env=dict(os.environ))
        try:
            yield Pipes(running, stderr)
        finally:
            with anyio.CancelScope(shield=True):
                await _stop(running)


async def _stop(running: Process) -> None:
    if running.stdin is not None:
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await running.stdin.aclose()
    for end in (running.terminate, running.kill):
        with anyio.move_on_after(_STOP_SECONDS):
            await running.wait()
            break
        with suppress(ProcessLookupError):
            end()
    await running.aclose()


class OldEvents:
    """The HTTP+SSE transport: a stream of events, the first of which names the address for messages."""

    def __init__(self, http: httpx2.AsyncClient, response: httpx2.Response) -> None:
        self._http = http
        self._response = response
        self._address: str | None = None
        self._known = anyio.Event()

    async def send(self, text: str) -> None:
        """Posts one message, once the address is known."""
        await self._known.wait()
        if self._address is None:
            raise OSError("the stream ended before its event `endpoint`")
        headers = {"content-type": "application/json"}
        answer = await self._http.post(self._address, content=text.encode(), headers=headers)
        if answer.is_error:
            raise OSError(f"the address for messages returned {answer.status_code}")

    async def received(self) -> AsyncIterator[str]:
        """The data of the events with messages."""
        buffer, seen = "", 0
        try:
            async for chunk in self._response.aiter_text():
                buffer += chunk
                events = [each for each in sse.events(buffer) if each.complete]
                for event in events[seen:]:
                    if event.name == "endpoint":
                        self._address = urljoin(str(self._response.url), event.data)
                        self._known.set()
                    else:
                        yield event.data
                seen = len(events)
        except httpx2.HTTPError:
            pass  # the same as its end, for what waits
        self._known.set()

    def last_words(self) -> str:
        """Empty: there is no channel beside the protocol."""
        return ""


@asynccontextmanager
async def old_events(http: httpx2.AsyncClient, url: str) -> AsyncIterator[OldEvents]:
    """Opens the stream of events.

    Raises:
        httpx2.HTTPError: no server answers, or not with a stream.
    """
    async with http.stream("GET", url, headers={"accept": "text/event-stream"}) as response:
        response.raise_for_status()
        yield OldEvents(http, response)
