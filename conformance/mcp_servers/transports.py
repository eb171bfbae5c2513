"""Transports of httpx2 that record: over HTTP, and over a channel of messages that is made to look like HTTP.

Over the standard streams of a process, and over the HTTP+SSE transport of 2024-11-05, a message has no request and
response of its own. The bridge gives it one: a POST that is answered by the response to it, so that the official SDK
and our own client drive such a server like any other. Headers and status of its exchanges are not the server's.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any, Protocol, Self

import anyio
import httpx2

from conformance.mcp_servers.traffic import Sent, Traffic
from conformance.model.jsontext import canonical

_JSON, _EVENTS = "application/json", "text/event-stream"


class Recording(httpx2.AsyncBaseTransport):
    """Sends through another transport, and records what passes."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, traffic: Traffic) -> None:
        self._inner = inner
        self._traffic = traffic

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends one request; its response is recorded as it is read."""
        body = await request.aread()
        sent = self._traffic.begin(request.method, str(request.url), request.headers.multi_items(), body)
        try:
            response = await self._inner.handle_async_request(request)
        except Exception as error:
            sent.failure = error
            raise
        sent.status = response.status_code
        sent.headers = type(sent.headers)(response.headers.multi_items())
        assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 - the transport is asynchronous
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Recorded(response.stream, sent),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._inner.aclose()


class _Recorded(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, sent: Sent) -> None:
        self._inner = inner
        self._sent = sent

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._inner:
                self._sent.content += chunk
                yield chunk
            self._sent.whole = True
        except Exception as error:
            self._sent.failure = error
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()


class Channel(Protocol):
    """Messages to and from a server, one text each."""

    async def send(self, text: str) -> None:
        """Sends one message."""

    def received(self) -> AsyncIterator[str]:
        """The server's messages, until it closes its side."""

    def last_words(self) -> str:
        """The last output of the server outside of the protocol."""


class Bridge(httpx2.AsyncBaseTransport):
    """Each request is a POST whose response has the messages that came until its answer.

    `foreign` are the lines that are no messages.
    """

    def __init__(self, channel: Channel, timeout: float) -> None:
        self.foreign: list[str] = []
        self._channel = channel
        self._timeout = timeout
        self._waiting: dict[str, tuple[list[str], anyio.Event]] = {}
        self._given_up: set[str] = set()
        self._closed = False
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        tasks = await self._stack.enter_async_context(anyio.create_task_group())
        self._stack.callback(tasks.cancel_scope.cancel)
        tasks.start_soon(self._read)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends the message of a POST. There is nothing to listen to and no session to delete."""
        if request.method != "POST":
            return httpx2.Response(405, request=request)
        text = (await request.aread()).decode()
        value = json.loads(text)
        if not isinstance(value, dict) or "method" not in value or "id" not in value:
            await self._write(text)
            return httpx2.Response(202, request=request)
        got, done = self._waiting.setdefault(canonical(value["id"]), ([], anyio.Event()))
        try:
            await self._write(text)
            with anyio.move_on_after(self._timeout) as scope:
                await done.wait()
            if scope.cancelled_caught:
                raise httpx2.ReadTimeout(f"no response within {self._timeout:g} s")
        finally:
            self._waiting.pop(canonical(value["id"]), None)
            if not done.is_set():
                self._given_up.add(canonical(value["id"]))
        if self._closed and not got:
            raise httpx2.RemoteProtocolError(f"the server ended{self._channel.last_words()}")
        if len(got) == 1:
            return httpx2.Response(200, headers={"content-type": _JSON}, content=got[0].encode(), request=request)
        events = "".join(f"event: message\ndata: {each}\n\n" for each in got)
        headers = {"content-type": _EVENTS, "x-accel-buffering": "no"}
        return httpx2.Response(200, headers=headers, content=events.encode(), request=request)

    async def _write(self, text: str) -> None:
        try:
            await self._channel.send(text)
        except (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise httpx2.WriteError(f"the server ended{self._channel.last_words()}") from error

    async def _read(self) -> None:
        async for text in self._channel.received():
            value = _parsed(text)
            if isinstance(value, dict):
                self._deliver(text, value)
            elif text.strip():
                self.foreign.append(text)
        self._closed = True
        for _, done in self._waiting.values():
            done.set()

    def _deliver(self, text: str, value: dict[str, Any]) -> None:
        """Hands a message to the request that it answers, any other to the oldest one that waits.

        An answer to a request that nobody waits for any more, such as a cancelled one, is no answer to another.
        """
        answers = "method" not in value
        key = canonical(value.get("id")) if answers else None
        if key in self._given_up:
            return
        if key not in self._waiting:
            key = next(iter(self._waiting), None)
        if key is not None:
            got, done = self._waiting[key]
            got.append(text)
            if answers:
                done.set()


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
