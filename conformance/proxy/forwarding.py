"""Forwards the requests of one client connection to the upstream, and the responses back, byte for byte.

Bodies pass piece by piece as they arrive, undecoded; so do errors and interim responses (100, 103). Of the headers,
only `Host` and the hop-by-hop fields of RFC 9110, section 7.6.1 change. The last bytes of a response are sent once the
exchange is recorded: what a client has received whole is on disk.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
from collections.abc import Awaitable, Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass

import h11

from conformance.model.local import why_not_local
from conformance.proxy.captured import Answer, Budget, Captured, Kept
from conformance.proxy.upstream import Upstream

_READ = 1 << 16
_LARGEST_HEAD = 1 << 18
_GRACE = 0.25
"""Seconds that the rest of a response may take after its client has gone: many close a stream at its last event."""
_LINGER_SECONDS = 2.0
_HOP_BY_HOP = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te"}
    | {b"transfer-encoding", b"upgrade"}
)
_BODILESS = (204, 304)
_Raw = list[tuple[bytes, bytes]]

Recorded = Callable[[Captured], Awaitable[None]]
Own = Callable[[str, str], Awaitable[Answer | None]]
"""Answers a request for the proxy itself, by method and path; None for all others."""


class ClientGoneError(Exception):
    """The client closed its connection before the end of the response."""


class ServerCutError(Exception):
    """The upstream closed its connection before the end of the response, or (`closed` is false) sent invalid HTTP."""

    def __init__(self, why: str, *, closed: bool) -> None:
        super().__init__(why)
        self.closed = closed


@dataclass(eq=False)
class _Side:
    """A connection, and the state of HTTP on it."""

    http: h11.Connection
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    ended: bool = False

    async def event(self) -> h11.Event | type[h11.PAUSED]:
        """The next event, from as many bytes as it needs."""
        while (event := self.http.next_event()) is h11.NEED_DATA:
            data = await self.reader.read(_READ)
            self.ended = not data
            self.http.receive_data(data)
        return event  # type: ignore[return-value]

    async def send(self, event: h11.Event) -> None:
        await self.write(self.http.send(event) or b"")

    async def write(self, data: bytes) -> None:
        if data:
            if self.writer.transport.is_closing():
                raise ConnectionResetError
            self.writer.write(data)
            await self.writer.drain()

    def close(self) -> None:
        self.writer.close()

    @property
    def reusable(self) -> bool:
        return self.http.our_state is h11.IDLE and not self.reader.at_eof() and not self.writer.is_closing()


class Forwarding:
    """One client connection, with the upstream connection that belongs to it."""

    def __init__(
        self,
        upstream: Upstream,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        budget: Budget,
        recorded: Recorded,
        own: Own,
        hosts: Collection[str] = (),
    ) -> None:
        self._upstream = upstream
        self._budget = budget
        self._recorded = recorded
        self._own = own
        self._hosts = hosts
        self._client = _Side(h11.Connection(h11.SERVER, _LARGEST_HEAD), reader, writer)
        self._server: _Side | None = None
        self._gone = False

    async def run(self) -> None:
        """Forwards until either side ends the connection."""
        try:
            while await self._next():
                self._client.http.start_next_cycle()
        except (ConnectionError, ClientGoneError, h11.LocalProtocolError):
            pass
        finally:
            self._client.close()
            self._disconnect()

    async def _next(self) -> bool:
        """Forwards one exchange; False if the connection ends with it."""
        try:
            request = await self._client.event()
        except h11.RemoteProtocolError as error:
            await self._answer(error.error_status_hint, f"the request is not valid HTTP: {error}")
            return False
        if not isinstance(request, h11.Request):
            return False
        target = _target(request)
        if target is None:
            await self._answer(405, "this is a reverse proxy: set it as the base URL of the client, not as its proxy")
            return False
        named = {name: value.decode("latin-1") for name, value in request.headers}
        method = request.method.decode("latin-1")
        foreign = why_not_local(method, named.get(b"host"), named.get(b"origin"), self._hosts)
        if foreign is not None:
            await self._answer(403, foreign)
            return False
        own = await self._own(request.method.decode(), target.decode("latin-1").partition("?")[0])
        if own is not None:
            return await self._answer_own(*own)
        path = self._upstream.prefix.encode() + target
        headers = _forwarded(
            request.headers.raw_items(), self._upstream.authority.encode(), chunked=_is_chunked(request)
        )
        captured = Captured(
            request.method.decode("latin-1"),
            self._upstream.origin + path.decode("latin-1"),
            _text(_without_framing(headers)),
            Kept(self._budget),
            Kept(self._budget),
        )
        try:
            return await self._exchange(h11.Request(method=request.method, target=path, headers=headers), captured)
        except asyncio.CancelledError:
            if not captured.handed_over:
                captured.end("lost", "the proxy was stopped")
                await self._record(captured)
            raise
        finally:
            if not captured.handed_over:
                captured.release()

    async def _exchange(self, request: h11.Request, captured: Captured) -> bool:
        try:
            await self._connected()
        except (OSError, UnicodeError) as error:  # a name that cannot be one raises the latter
            await self._unreachable(captured, f"cannot connect to {self._upstream.origin}: {_reason(error)}")
            return False
        sending = asyncio.create_task(self._send(request, captured))
        receiving = asyncio.create_task(self._receive(captured))
        try:
            await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
            if not receiving.done() and _failed_with(sending, ClientGoneError):
                self._gone = True
                await asyncio.wait({receiving}, timeout=_GRACE if captured.sent else 0)
            elif not receiving.done():
                await asyncio.wait({receiving})
            await _ended(sending)
            if not sending.cancelled() and (fault := sending.exception()) and not isinstance(fault, ClientGoneError):
                raise fault
            await self._finished(receiving, captured)
        finally:
            await _ended(sending)
            await _ended(receiving)
        if self._gone:
            return False
        return self._may_continue()

    async def _finished(self, receiving: asyncio.Task[None], captured: Captured) -> None:
        """Records an exchange that did not come to its end, and ends the client's connection as the server's was."""
        if not receiving.done() or _failed_with(receiving, ClientGoneError):
            await _ended(receiving)
            self._gone = True
            self._disconnect()
            captured.end(
                "client", f"the client closed the connection after {captured.response.size} bytes of the response"
            )
            await self._record(captured)
            return
        error = receiving.exception()
        if error is None:
            return
        if not isinstance(error, ServerCutError):
            raise error
        self._disconnect()
        if captured.status is None and not error.closed:
            await self._unreachable(captured, str(error))
        else:
            captured.end("server", str(error))
            await self._record(captured)
            await self._cut()
        raise ClientGoneError

    async def _connected(self) -> None:
        if self._server is not None:
            await asyncio.sleep(0)  # lets an end of the connection arrive
            if not self._server.reusable:
                self._disconnect()
        if self._server is None:
            reader, writer = await self._upstream.connect()
            self._server = _Side(h11.Connection(h11.CLIENT, _LARGEST_HEAD), reader, writer)

    async def _send(self, request: h11.Request, captured: Captured) -> None:
        """Forwards a request. Afterwards it waits for the end of the client, or for its next request."""
        server = self._server
        assert server is not None  # noqa: S101 - connected before
        await _ignoring_ends(server.send(request))
        while True:
            try:
                event = await self._client.event()
            except (h11.RemoteProtocolError, ConnectionError) as error:
                raise ClientGoneError from error
            if isinstance(event, h11.Data):
                data = bytes(event.data)
                captured.request.add(data)
                await _ignoring_ends(server.send(h11.Data(data=data)))
            elif isinstance(event, h11.EndOfMessage):
                captured.sent = True
                await _ignoring_ends(server.send(event))
                break
            else:
                raise ClientGoneError
        try:
            data = await self._client.reader.read(_READ)
        except ConnectionError as error:
            raise ClientGoneError from error
        if not data:
            raise ClientGoneError
        self._client.http.receive_data(data)

    async def _receive(self, captured: Captured) -> None:
        """Forwards a response, and records the exchange before its last bytes are sent."""
        left: int | None = None
        held = b""
        while True:
            event = await self._received(captured)
            if isinstance(event, h11.InformationalResponse):
                headers = _forwarded(event.headers.raw_items(), None, chunked=False)
                interim = h11.InformationalResponse(status_code=event.status_code, headers=headers, reason=event.reason)
                await self._passed(interim, last=False)
            elif isinstance(event, h11.Response):
                headers = _forwarded(event.headers.raw_items(), None, chunked=False)
                captured.status, captured.reason = event.status_code, bytes(event.reason).decode("latin-1")
                captured.response_headers = _text(headers)
                left = _length(captured.method, event)
                response = h11.Response(status_code=event.status_code, headers=headers, reason=event.reason)
                held = await self._passed(response, last=left == 0)
            elif isinstance(event, h11.Data):
                data = bytes(event.data)
                captured.response.add(data)
                left = None if left is None else left - len(data)
                held = await self._passed(h11.Data(data=data), last=left == 0)
            elif isinstance(event, h11.EndOfMessage):
                held += self._client.http.send(h11.EndOfMessage(headers=_trailers(event, left))) or b""
                captured.end("whole")
                await self._record(captured)
                await self._write(held)
                return
            else:
                raise ServerCutError("the server closed the connection before it sent a response", closed=False)

    async def _received(self, captured: Captured) -> object:
        server = self._server
        assert server is not None  # noqa: S101 - connected before
        try:
            return await server.event()
        except (ConnectionError, ssl.SSLError) as error:
            why = f"the server broke the connection after {_so_far(captured)}"
            raise ServerCutError(why, closed=True) from error
        except h11.RemoteProtocolError as error:
            did = f"closed the connection after {_so_far(captured)}" if server.ended else f"sent invalid HTTP: {error}"
            raise ServerCutError(f"the server {did}", closed=server.ended) from error

    async def _passed(self, event: h11.Event, *, last: bool) -> bytes:
        """Sends an event to the client, or returns its bytes if they are the last of the message."""
        data = self._client.http.send(event) or b""
        if last:
            return data
        await self._write(data)
        return b""

    async def _write(self, data: bytes) -> None:
        if self._gone:
            return
        try:
            await self._client.write(data)
        except ConnectionError as error:
            raise ClientGoneError from error

    async def _record(self, captured: Captured) -> None:
        if not captured.handed_over:
            captured.handed_over = True
            await self._recorded(captured)

    async def _unreachable(self, captured: Captured, why: str) -> None:
        """Answers with 502, after the request's body: a client that still sends would not read the answer."""
        captured.end("refused", why)
        with suppress(h11.RemoteProtocolError, ConnectionError):
            while (
                self._client.http.their_state is h11.SEND_BODY
                and not self._client.http.they_are_waiting_for_100_continue
            ):
                event = await self._client.event()
                if isinstance(event, h11.Data):
                    captured.request.add(bytes(event.data))
                elif isinstance(event, h11.EndOfMessage):
                    captured.sent = True
        await self._record(captured)
        await self._answer(502, why)

    async def _answer(self, status: int, message: str) -> None:
        body = json.dumps(
            {"error": {"message": f"conformance proxy: {message}", "type": "proxy_error", "code": status}}
        )
        await self._answer_own(status, "application/json", body.encode() + b"\n")
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(self._linger(), _LINGER_SECONDS)

    async def _linger(self) -> None:
        """Reads what the client still sends: a connection that is closed before would take the answer with it."""
        self._client.writer.write_eof()
        while await self._client.reader.read(_READ):
            pass

    async def _answer_own(self, status: int, kind: str, body: bytes) -> bool:
        headers = [("content-type", kind), ("content-length", str(len(body))), ("connection", "close")]
        if self._client.http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            await self._client.send(h11.Response(status_code=status, headers=headers))
            await self._client.send(h11.Data(data=body))
            await self._client.send(h11.EndOfMessage())
        return False

    async def _cut(self) -> None:
        """Ends the client's connection as the server's ended; never so that the response looks complete."""
        with suppress(ConnectionError):
            await self._client.writer.drain()
        if self._client.http.their_http_version == b"1.0":  # its bodies end with the connection
            self._client.writer.transport.abort()
        self._client.close()

    def _may_continue(self) -> bool:
        client, server = self._client.http, self._server
        if server is not None:
            if server.http.our_state is h11.DONE and server.http.their_state is h11.DONE:
                server.http.start_next_cycle()
            else:
                self._disconnect()
        return client.our_state is h11.DONE and client.their_state is h11.DONE

    def _disconnect(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None


def _target(request: h11.Request) -> bytes | None:
    """The path and query of a request, also of one in absolute form; None for CONNECT and OPTIONS *."""
    target = bytes(request.target)
    if target.startswith(b"/"):
        return target
    if target[:7].lower() == b"http://" or target[:8].lower() == b"https://":
        path = target.partition(b"://")[2].partition(b"/")[2]
        return b"/" + path
    return None


def _forwarded(headers: Iterable[tuple[bytes, bytes]], host: bytes | None, *, chunked: bool) -> _Raw:
    """The headers as they are sent on. The framing of a chunked request stays."""
    given = [(bytes(name), bytes(value)) for name, value in headers]
    named = {
        each.strip().lower() for name, value in given if name.lower() == b"connection" for each in value.split(b",")
    }
    dropped = _HOP_BY_HOP | (named - {b"host", b"content-length"})
    if chunked:
        dropped -= {b"transfer-encoding"}
    sent = [
        (name, host if host is not None and name.lower() == b"host" else value)
        for name, value in given
        if name.lower() not in dropped
    ]
    if host is not None and not any(name.lower() == b"host" for name, _ in sent):
        sent.insert(0, (b"Host", host))
    return sent


def _without_framing(headers: _Raw) -> _Raw:
    return [(name, value) for name, value in headers if name.lower() != b"transfer-encoding"]


def _is_chunked(request: h11.Request) -> bool:
    return any(name == b"transfer-encoding" for name, _ in request.headers)


def _trailers(event: h11.EndOfMessage, left: int | None) -> _Raw:
    return [(bytes(name), bytes(value)) for name, value in event.headers.raw_items()] if left is None else []


def _length(method: str, response: h11.Response) -> int | None:
    """How many bytes of a body follow; None if only the end of the connection ends it."""
    if method == "HEAD" or response.status_code in _BODILESS:
        return 0
    headers = dict(response.headers)
    if b"transfer-encoding" in headers or b"content-length" not in headers:
        return None
    return int(headers[b"content-length"])


def _text(headers: _Raw) -> tuple[tuple[str, str], ...]:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers)


def _so_far(captured: Captured) -> str:
    return "the request" if captured.status is None else f"{captured.response.size} bytes of the response"


def _reason(error: OSError | UnicodeError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not valid: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return getattr(error, "strerror", None) or str(error)


def _failed_with(task: asyncio.Task[None], kind: type[Exception]) -> bool:
    return task.done() and not task.cancelled() and isinstance(task.exception(), kind)


async def _ended(task: asyncio.Task[None]) -> None:
    """Cancels a task that still runs, and waits for its end."""
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
    if not task.cancelled():
        task.exception()


async def _ignoring_ends(sending: Awaitable[None]) -> None:
    """What the server no longer takes is not sent: its response, or its end, is what counts."""
    with suppress(ConnectionError, ssl.SSLError, h11.LocalProtocolError):
        await sending
