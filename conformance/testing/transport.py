"""A transport around another one of httpx or httpx2: it logs each request and response, and changes neither."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

from conformance.cassette.traffic import Log, Sent, vcr_request
from conformance.errors import ConformanceError
from conformance.model.exchange import Headers

_LIBRARIES = ("httpx", "httpx2")


def recording_transport(inner: Any, log: Log) -> Any:
    """A transport of the same library that sends through `inner` and writes the traffic to the log.

    Raises:
        ConformanceError: `inner` is not a transport of httpx or httpx2.
    """
    library = _library(inner)
    bases = (library.BaseTransport, library.AsyncBaseTransport)

    def handle_request(_self: Any, request: Any) -> Any:
        request.read()
        sent = _noted(log, request)
        response = inner.handle_request(request)
        content = _answered(sent, response)
        stream = _stream(library.SyncByteStream, response.stream, content)
        return _same(library, response, stream)

    async def handle_async_request(_self: Any, request: Any) -> Any:
        await request.aread()
        sent = _noted(log, request)
        response = await inner.handle_async_request(request)
        content = _answered(sent, response)
        stream = _async_stream(library.AsyncByteStream, response.stream, content)
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


def _noted(log: Log, request: Any) -> Sent:
    sent = Sent(vcr_request(request.method, str(request.url), request.headers.multi_items(), request.content))
    log.sent.append(sent)
    return sent


def _answered(sent: Sent, response: Any) -> dict[str, bytes]:
    """Logs the response; its body grows as the client reads it."""
    content = {"string": b""}
    headers = Headers(response.headers.multi_items()).lists()
    sent.response = {"status": {"code": response.status_code, "message": None}, "headers": headers, "body": content}
    return content


def _same(library: Any, response: Any, stream: Any) -> Any:
    return library.Response(
        response.status_code, headers=response.headers, stream=stream, extensions=response.extensions
    )


def _stream(base: type, inner: Any, content: dict[str, bytes]) -> Any:
    def iterate(_self: Any) -> Iterator[bytes]:
        for chunk in inner:
            content["string"] += chunk
            yield chunk

    return type("ConformanceStream", (base,), {"__iter__": iterate, "close": lambda _self: inner.close()})()


def _async_stream(base: type, inner: Any, content: dict[str, bytes]) -> Any:
    async def iterate(_self: Any) -> AsyncIterator[bytes]:
        async for chunk in inner:
            content["string"] += chunk
            yield chunk

    async def aclose(_self: Any) -> None:
        await inner.aclose()

    return type("ConformanceStream", (base,), {"__aiter__": iterate, "aclose": aclose})()
