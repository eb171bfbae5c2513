"""Reads the bodies of requests within the bounds of the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING

from conformance.reference.bounds import MIB, Bounds

if TYPE_CHECKING:
    from starlette.requests import Request as WebRequest


class RefusedError(Exception):
    """A body that is not taken. `status` is the HTTP status of the refusal."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class Intake:
    """Counts what the server holds. It belongs to the server's event loop."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._held = 0
        self._one_by_one = asyncio.Semaphore(1)

    @asynccontextmanager
    async def body(self, web: WebRequest) -> AsyncIterator[bytes]:
        """The body of a request, counted as held until the context is left.

        Raises:
            RefusedError: it is too long, or took too long, or the server holds too much.
        """
        most = self.bounds.body_bytes
        declared = web.headers.get("content-length", "")
        if declared.isdecimal() and (len(declared) > 15 or int(declared) > most):
            raise RefusedError(413, _too_large(most))
        pieces: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self.bounds.body_seconds):
                async for piece in web.stream():
                    size += len(piece)
                    self._held += len(piece)
                    if size > most:
                        raise RefusedError(413, _too_large(most))
                    if self._held > self.bounds.held_bytes:
                        raise RefusedError(
                            503, f"the server holds {self._held // MIB} MiB of requests; send it again later"
                        )
                    pieces.append(piece)
            whole = b"".join(pieces)
            del pieces
            yield whole
        except TimeoutError:
            raise RefusedError(408, f"the request's body took longer than {self.bounds.body_seconds:g} s") from None
        finally:
            self._held -= size

    def turn(self, size: int) -> AbstractAsyncContextManager[object]:
        """Held while a request is answered: large ones, whose parsed form is many times larger, one after the other."""
        return self._one_by_one if size > MIB else nullcontext()


def _too_large(most: int) -> str:
    return (
        f"Request exceeds the maximum size of {most // MIB} MiB." if most >= MIB else f"Request exceeds {most} bytes."
    )
