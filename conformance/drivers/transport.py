"""The transport under every SDK: it records what was really sent, and splits the responses.

vcrpy plays and records below it, by patching the HTTP library's own transport; but it hands over a whole body
at once, and a miss is an exception which an SDK may retry or hide. Here the live request is captured before
anything answers it, every failure is kept, and the SDK gets a response in the chunks that a chunker makes.

An SDK uses httpx or httpx2, which have the same classes: `library` is the name of the one it uses.
"""

from __future__ import annotations

import importlib
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Self

from conformance.drivers import TIMEOUT_SECONDS
from conformance.drivers.installed import vcr_patches_clients
from conformance.model.exchange import Body, Headers, Request

Chunker = Callable[[bytes], Iterable[bytes]]


@dataclass
class Capture:
    """The traffic of one run: the live requests in order, and why some got no answer.

    `started` is when each request was sent, on the monotonic clock.
    """

    requests: list[Request] = field(default_factory=list)
    failures: dict[int, Exception] = field(default_factory=dict)
    started: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RequestHeaders:
    """The header fields that a target requires in each request, besides the SDK's own.

    `auth` is where to send the key, if not where the SDK puts it: `bearer`, or the name of a header field.
    """

    auth: str | None = None
    api_key: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def apply(self, request: Any) -> None:
        """Changes the header of a request that is about to be sent."""
        if self.auth is not None:
            for name in _CREDENTIALS:
                request.headers.pop(name, None)
            if self.auth == "bearer":
                request.headers["authorization"] = f"Bearer {self.api_key}"
            else:
                request.headers[self.auth] = self.api_key
        for name, value in self.headers.items():
            request.headers[name] = value


_CREDENTIALS = ("authorization", "x-api-key", "x-goog-api-key", "api-key")
"""The header fields in which SDKs send a key."""


class Taken:
    """Captures requests and their failures, and makes responses that arrive in chunks, for one HTTP library."""

    def __init__(
        self, capture: Capture, chunker: Chunker | None, request_headers: RequestHeaders | None, library: str
    ) -> None:
        self.http = importlib.import_module(library)
        self.chunker = chunker
        self._capture = capture
        self._headers = request_headers or RequestHeaders()

    def note(self, request: Any, body: bytes) -> int:
        """Captures a request before anything answers it; returns its number in the run."""
        headers = self.completed(request)
        self._capture.started.append(time.monotonic())
        self._capture.requests.append(Request(request.method, str(request.url), headers, Body(body)))
        return len(self._capture.requests) - 1

    def completed(self, request: Any) -> Headers:
        """The headers of a request, with those that the target requires."""
        self._headers.apply(request)
        return Headers(request.headers.multi_items())

    def failed(self, number: int, error: Exception) -> None:
        """Notes why a request has no answer."""
        self._capture.failures[number] = error

    def cut(self, response: Any, content: bytes, chunker: Chunker) -> Any:
        """The response, with its content in the chunks that the chunker makes."""
        return self.http.Response(
            response.status_code,
            headers=response.headers,
            stream=_stream(self.http.__name__)(list(chunker(content))),
            extensions=response.extensions,
        )


class RecordingTransport:
    """Sends through the library's own transport, and writes everything to a `Capture`."""

    def __init__(
        self,
        capture: Capture,
        chunker: Chunker | None = None,
        request_headers: RequestHeaders | None = None,
        library: str = "httpx2",
    ) -> None:
        self._taken = Taken(capture, chunker, request_headers, library)
        self._inner = self._taken.http.HTTPTransport(retries=0, verify=_trust(library))

    def handle_request(self, request: Any) -> Any:
        """Sends one request; the response is cut anew if a chunker was given."""
        number = self._taken.note(request, request.read())
        try:
            response = self._inner.handle_request(request)
        except Exception as error:
            self._taken.failed(number, error)
            raise
        chunker = self._taken.chunker
        if chunker is None or not isinstance(response.stream, self._taken.http.SyncByteStream):
            return response
        content = b"".join(response.stream)
        response.stream.close()
        return self._taken.cut(response, content, chunker)

    def close(self) -> None:
        """Closes the connections below."""
        self._inner.close()

    def __enter__(self) -> Self:
        self._inner.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._inner.__exit__(*raised)


class AsyncRecordingTransport:
    """The same for an SDK that is asynchronous. One capture can have both kinds, in the order of their requests.

    Requests by a method of `refused` are answered here with a 405, and are not captured: a stream that its server
    never ends cannot be recorded.
    """

    def __init__(
        self, capture: Capture, chunker: Chunker | None = None, refused: Iterable[str] = (), library: str = "httpx2"
    ) -> None:
        self._taken = Taken(capture, chunker, None, library)
        self._refused = frozenset(refused)
        self._inner = self._taken.http.AsyncHTTPTransport(retries=0, verify=_trust(library))

    async def handle_async_request(self, request: Any) -> Any:
        """Sends one request; the response is cut anew if a chunker was given."""
        body = await request.aread()
        if request.method in self._refused:
            return self._taken.http.Response(405, request=request)
        number = self._taken.note(request, body)
        try:
            response = await self._inner.handle_async_request(request)
        except Exception as error:
            self._taken.failed(number, error)
            raise
        chunker = self._taken.chunker
        if chunker is None or not isinstance(response.stream, self._taken.http.AsyncByteStream):
            return response
        content = b"".join([chunk async for chunk in response.stream])
        await response.stream.aclose()
        return self._taken.cut(response, content, chunker)

    async def aclose(self) -> None:
        """Closes the connections below."""
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._inner.__aexit__(*raised)


class _Chunks:
    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk


@cache
def _stream(library: str) -> type[Any]:
    """A stream of chunks, as a response of the library accepts it."""
    http = importlib.import_module(library)
    return type("Chunks", (_Chunks, http.SyncByteStream, http.AsyncByteStream), {})


@cache
def _trust(library: str) -> ssl.SSLContext:
    """The default certificates, loaded once per process: loading takes longer than a replay."""
    context: ssl.SSLContext = importlib.import_module(library).create_ssl_context(trust_env=False)
    return context


def client(
    capture: Capture,
    chunker: Chunker | None = None,
    *,
    timeout: float = TIMEOUT_SECONDS,
    request_headers: RequestHeaders | None = None,
    library: str = "httpx2",
) -> Any:
    """An HTTP client for an SDK: our transport below it, a timeout, no proxy from the environment."""
    http = importlib.import_module(library)
    if library == "httpx" and vcr_patches_clients():
        return _above(http)(Taken(capture, chunker, request_headers, library), timeout=timeout, trust_env=False)
    transport = RecordingTransport(capture, chunker, request_headers, library)
    return http.Client(transport=transport, timeout=timeout, trust_env=False)


def _above(http: Any) -> type[Any]:
    """A client of httpx for an older vcrpy, which replaces the client's use of its transport: captures above it."""

    class Recording(http.Client):  # type: ignore[misc]
        def __init__(self, taken: Taken, **options: Any) -> None:
            super().__init__(**options)
            self._taken = taken

        def _send_single_request(self, request: Any) -> Any:
            number = self._taken.note(request, request.read())
            try:
                response = super()._send_single_request(request)
            except Exception as error:
                self._taken.failed(number, error)
                raise
            chunker = self._taken.chunker
            if chunker is None:
                return response
            again = self._taken.cut(response, response.read(), chunker)
            again.request = request
            return again

    return Recording
