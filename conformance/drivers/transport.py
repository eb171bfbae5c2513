"""The transport under every SDK: it records what was really sent, and splits the responses.

vcrpy plays and records below it, by patching the HTTP library's own transport; but it hands over a whole body
at once, and a miss is an exception which an SDK may retry or hide. Here the live request is taken down before
anything answers it, every failure is kept, and a response reaches the SDK in the chunks that `cut` makes.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

import httpx2

from conformance.drivers import TIMEOUT_SECONDS
from conformance.model.exchange import Body, Headers, Request

Chunker = Callable[[bytes], Iterable[bytes]]


@dataclass
class Capture:
    """The traffic of one run: the live requests in order, and why some got no answer."""

    requests: list[Request] = field(default_factory=list)
    failures: dict[int, Exception] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RequestHeaders:
    """The header fields that a target requires in each request, besides the SDK's own.

    `auth` is where the key goes, if not where the SDK puts it: `bearer`, or the name of a header field.
    """

    auth: str | None = None
    api_key: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def apply(self, request: httpx2.Request) -> None:
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
"""The fields in which SDKs carry a key."""


class RecordingTransport(httpx2.BaseTransport):
    """Sends through the library's own transport, and records everything in a `Wire`."""

    def __init__(
        self, capture: Capture, chunker: Chunker | None = None, request_headers: RequestHeaders | None = None
    ) -> None:
        self._wire = capture
        self._cut = chunker
        self._dress = request_headers or RequestHeaders()
        self._inner = httpx2.HTTPTransport(retries=0, verify=_trust())

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request; the response is cut anew if a chunker was given."""
        self._dress.apply(request)
        number = _note(self._wire, request, request.read())
        try:
            response = self._inner.handle_request(request)
        except Exception as error:
            self._wire.failures[number] = error
            raise
        if self._cut is None or not isinstance(response.stream, httpx2.SyncByteStream):
            return response
        content = b"".join(response.stream)
        response.stream.close()
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Chunks(list(self._cut(content))),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Closes the connections below."""
        self._inner.close()


class AsyncRecordingTransport(httpx2.AsyncBaseTransport):
    """The same for an SDK that is asynchronous. One capture can have both kinds, in the order of their requests.

    Requests by a method of `refused` are answered here with a 405, and are on no capture: a stream that its server
    never ends can not be recorded.
    """

    def __init__(self, capture: Capture, chunker: Chunker | None = None, refused: Iterable[str] = ()) -> None:
        self._wire = capture
        self._cut = chunker
        self._refused = frozenset(refused)
        self._inner = httpx2.AsyncHTTPTransport(retries=0, verify=_trust())

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request; the response is cut anew if a chunker was given."""
        body = await request.aread()
        if request.method in self._refused:
            return httpx2.Response(405, request=request)
        number = _note(self._wire, request, body)
        try:
            response = await self._inner.handle_async_request(request)
        except Exception as error:
            self._wire.failures[number] = error
            raise
        if self._cut is None or not isinstance(response.stream, httpx2.AsyncByteStream):
            return response
        content = b"".join([chunk async for chunk in response.stream])
        await response.stream.aclose()
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_AsyncChunks(list(self._cut(content))),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Closes the connections below."""
        await self._inner.aclose()


def _note(capture: Capture, request: httpx2.Request, body: bytes) -> int:
    """Records a request before it is answered, and returns its number in the run."""
    headers = Headers(request.headers.multi_items())
    capture.requests.append(Request(request.method, str(request.url), headers, Body(body)))
    return len(capture.requests) - 1


@cache
def _trust() -> ssl.SSLContext:
    """The usual certificates, read once per process, because that takes longer than a replay."""
    return httpx2.create_ssl_context(trust_env=False)


class _Chunks(httpx2.SyncByteStream):
    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)


class _AsyncChunks(httpx2.AsyncByteStream):
    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            yield chunk


def client(
    capture: Capture,
    chunker: Chunker | None = None,
    *,
    timeout: float = TIMEOUT_SECONDS,
    request_headers: RequestHeaders | None = None,
) -> httpx2.Client:
    """An HTTP client for an SDK: our transport below it, a timeout, no proxy from the environment."""
    return httpx2.Client(
        transport=RecordingTransport(capture, chunker, request_headers), timeout=timeout, trust_env=False
    )
