"""A transport around another one of httpx or httpx2: it logs each request and response, and changes neither."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from conformance.cassette.traffic import Log, Sent, vcr_request
from conformance.errors import ConformanceError

_LIBRARIES = ("httpx", "httpx2")
_UNDER_WAY: ContextVar[tuple[Sent, ...]] = ContextVar("requests under way", default=())


def recording_transport(inner: Any, log: Log) -> Any:
    """A transport of the same library that sends through `inner` and writes the traffic to the log.

    Raises:
        ConformanceError: `inner` is not a transport of httpx or httpx2.
    """
    library = _library(inner)
    bases = (library.BaseTransport, library.AsyncBaseTransport)

    def handle_request(_self: Any, request: Any) -> Any:
        request.read()
        sent = _taken_over(log, request)
        response = inner.handle_request(request)
        sent.answer(response.status_code, response.headers.multi_items())
        stream = sync_stream(library.SyncByteStream, response.stream, sent)
        return _same(library, response, stream)

    async def handle_async_request(_self: Any, request: Any) -> Any:
        await request.aread()
        sent = _taken_over(log, request)
        response = await inner.handle_async_request(request)
        sent.answer(response.status_code, response.headers.multi_items())
        stream = async_stream(library.AsyncByteStream, response.stream, sent)
        return _same(library, response, stream)

    def close(_self: Any) -> None:
        if hasattr(inner, "close"):
            inner.close()

    async def aclose(_self: Any) -> None:
        if hasattr(inner, "aclose"):
            await inner.aclose()

    methods = {
        "handle_request": handle_request,
        "handle_async_request": handle_async_request,
        "close": close,
        "aclose": aclose,
    }
    return type("ConformanceTransport", bases, methods)()


def _library(inner: Any) -> Any:
    roots = {each.__module__.partition(".")[0] for each in type(inner).__mro__}
    name = next((each for each in _LIBRARIES if each in roots), None)
    if name is None or not (hasattr(inner, "handle_request") or hasattr(inner, "handle_async_request")):
        raise ConformanceError(
            f"{type(inner).__name__} is not a transport of httpx or httpx2",
            "pass one, such as httpx.HTTPTransport() or httpx.MockTransport(handler)",
        )
    return sys.modules[name]


def noted(log: Log, request: Any) -> Sent:
    """Logs a request of httpx or httpx2 whose body has been read."""
    sent = Sent(vcr_request(request.method, str(request.url), request.headers.multi_items(), request.content))
    log.sent.append(sent)
    return sent


def _taken_over(log: Log, request: Any) -> Sent:
    """Logs a request; the log of the client that sends it leaves it to this one."""
    outer = under_way(request.method, str(request.url))
    if outer is not None:
        outer.elsewhere = True
    return noted(log, request)


@contextmanager
def sending(sent: Sent) -> Iterator[None]:
    """Inside this context, `under_way` finds the request."""
    token = _UNDER_WAY.set((*_UNDER_WAY.get(), sent))
    try:
        yield
    finally:
        _UNDER_WAY.reset(token)


def under_way(method: str, url: str) -> Sent | None:
    """The request that a client is sending in this context, if it is this one."""
    wanted = method.upper(), url.partition("?")[0]
    for sent in reversed(_UNDER_WAY.get()):
        if (sent.request["method"], sent.request["uri"].partition("?")[0]) == wanted:
            return sent
    return None


def _same(library: Any, response: Any, stream: Any) -> Any:
    return library.Response(
        response.status_code, headers=response.headers, stream=stream, extensions=response.extensions
    )


def sync_stream(base: type, inner: Any, sent: Sent) -> Any:
    """A stream that passes the chunks of another one on and logs them."""

    def iterate(_self: Any) -> Iterator[bytes]:
        for chunk in inner:
            sent.read(chunk)
            yield chunk
        sent.ended = True

    return type("ConformanceStream", (base,), {"__iter__": iterate, "close": lambda _self: inner.close()})()


def async_stream(base: type, inner: Any, sent: Sent) -> Any:
    """As `sync_stream`, asynchronously."""

    async def iterate(_self: Any) -> AsyncIterator[bytes]:
        async for chunk in inner:
            sent.read(chunk)
            yield chunk
        sent.ended = True

    async def aclose(_self: Any) -> None:
        await inner.aclose()

    return type("ConformanceStream", (base,), {"__aiter__": iterate, "aclose": aclose})()
