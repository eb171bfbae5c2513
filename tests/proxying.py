"""A server that sends scripted bytes and keeps what it receives, and a proxy in front of it."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from conformance.model.finding import Finding
from conformance.proxy.recordings import Recordings
from conformance.proxy.server import ProxyServer
from conformance.proxy.upstream import Upstream
from conformance.proxy.watch import Watch

ASKED = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hello"}]}
CHAT = "/v1/chat/completions"
ANSWERED = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1790000000,
    "model": "gpt-4o-mini-2024-07-18",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Hi.", "refusal": None},
            "logprobs": None,
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 8, "completion_tokens": 2, "total_tokens": 10},
}

Piece = bytes | Callable[[], object]
"""Bytes to send, or something to do in between: wait, say."""


def response(body: bytes, *fields: str, status: str = "200 OK", framed: bool = True) -> bytes:
    """The bytes of a response; with `framed`, it has its length."""
    length = [f"Content-Length: {len(body)}"] if framed else []
    return "\r\n".join([f"HTTP/1.1 {status}", *fields, *length, "", ""]).encode() + body


def json_response(value: Any, status: str = "200 OK") -> bytes:
    return response(json.dumps(value).encode(), "Content-Type: application/json", status=status)


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def event(delta: dict[str, Any], reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    document = {**ANSWERED, "object": "chat.completion.chunk", "choices": [choice]}
    del document["usage"]
    return b"data: " + json.dumps(document).encode() + b"\n\n"


EVENTS = (
    event({"role": "assistant", "content": ""}),
    event({"content": "Hi."}),
    event({}, "stop"),
    b"data: [DONE]\n\n",
)
STREAM_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n"


@dataclass
class Received:
    """A request as the server received it."""

    head: bytes
    body: bytes

    @property
    def fields(self) -> list[str]:
        """The header fields without `Host`, which names the server."""
        lines = self.head.decode("latin-1").split("\r\n")[1:]
        return [line for line in lines if line and not line.lower().startswith("host:")]


@dataclass
class Scripted:
    """A server on loopback. It answers each request with the next script: pieces to send, or to do."""

    scripts: Sequence[Sequence[Piece]]
    reset: bool = False
    """Whether a connection ends with a reset after its script."""
    keep: bool = True
    """Whether a connection is used for several requests."""
    received: list[Received] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    """Set once a connection has been closed by the other side."""

    def __enter__(self) -> Self:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._next = iter(self.scripts)
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        stream = connection.makefile("rb")
        try:
            while (request := _read(stream, connection)) is not None:
                self.received.append(request)
                for piece in next(self._next):
                    if isinstance(piece, bytes):
                        connection.sendall(piece)
                    else:
                        piece()
                if not self.keep:
                    break
            else:
                self.ended.set()
        except OSError:
            self.ended.set()
        if self.reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        stream.close()
        connection.close()


def _read(stream: Any, connection: socket.socket) -> Received | None:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return None
        head += line
    lowered = head.lower()
    if b"expect: 100-continue" in lowered:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    if b"transfer-encoding: chunked" in lowered:
        body = b""
        while size := int(stream.readline(), 16):
            body += stream.read(size)
            stream.readline()
        stream.readline()
        return Received(head, body)
    length = next((int(line[15:]) for line in lowered.split(b"\r\n") if line.startswith(b"content-length:")), 0)
    return Received(head, stream.read(length))


@dataclass
class Proxied:
    """A proxy that runs, and what it has seen."""

    url: str
    watch: Watch
    server: ProxyServer

    def findings(self) -> list[Finding]:
        """The findings of all that was forwarded so far."""
        self.watch.close()
        with self.watch.results() as (summary, found):
            assert summary.harness_errors == self.server.faults == []
            return found


@contextmanager
def proxy(upstream: str, folder: Path | None = None) -> Iterator[Proxied]:
    """A proxy in front of a server; with `folder`, it records."""
    watch = Watch(Recordings(folder, upstream))
    with ProxyServer(Upstream.of(upstream), watch) as server:
        yield Proxied(server.origin, watch, server)
    watch.close()
    assert server.faults == []


Fetched = tuple[int, str, list[tuple[str, str]], bytes]


def connection_to(url: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)


def fetch(
    url: str, method: str = "POST", path: str = CHAT, body: Any = None, headers: dict[str, str] | None = None
) -> Fetched:
    """A response: its status, reason and headers without the framing of the connection, and the body as it is sent."""
    connection = connection_to(url)
    try:
        connection.request(method, path, body, headers or {}, encode_chunked=not isinstance(body, (bytes, type(None))))
        got = connection.getresponse()
        hop = ("connection", "transfer-encoding", "keep-alive")
        fields = [(name, value) for name, value in got.getheaders() if name.lower() not in hop]
        return got.status, got.reason, fields, got.read()
    finally:
        connection.close()


def ask(url: str, **more: Any) -> Fetched:
    """Asks for a completion."""
    headers = {"Content-Type": "application/json", "Authorization": "Bearer sk-test"}
    return fetch(url, body=json.dumps({**ASKED, **more}).encode(), headers=headers)
