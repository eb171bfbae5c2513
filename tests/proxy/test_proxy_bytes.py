"""`conformance proxy` changes nothing: what each side receives is what it receives without a proxy."""

from __future__ import annotations

import gzip
import random
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.proxying import (
    CHAT,
    EVENTS,
    STREAM_HEAD,
    Fetched,
    Piece,
    Scripted,
    chunk,
    connection_to,
    fetch,
    json_response,
    proxy,
    response,
)

MIB = 1 << 20
_NOISE = random.Random(15).randbytes(MIB)
_STREAM = b"".join(EVENTS)


def odd_chunks(data: bytes) -> Iterator[bytes]:
    """Chunks that end anywhere: inside an event, inside a character."""
    chance = random.Random(7)
    while data:
        size = chance.choice((1, 2, 3, 7, 50, 400))
        yield chunk(data[:size])
        data = data[size:]
    yield b"0\r\n\r\n"


RESPONSES = {
    "gzip": response(gzip.compress(b'{"a": 1}' * 1000), "content-encoding: gzip", "Content-Type: application/json"),
    "not gzip as its header states": response(b"plain", "Content-Encoding: gzip"),
    "brotli": response(b"\x8b\x02\x80hello\x03", "Content-Encoding: br"),
    "server-sent events": STREAM_HEAD + b"".join(odd_chunks(_STREAM)),
    "server-sent events in UTF-8": STREAM_HEAD + b"".join(odd_chunks("data: 기온\r\n\r\n".encode() * 9)),
    "chunks with extensions and a trailer": (
        b"HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"5;name=value\r\nhello\r\n0\r\nX-Sum: 5\r\n\r\n"
    ),
    "binary": response(bytes(range(256)) * 300, "Content-Type: audio/mpeg"),
    "a MiB": response(_NOISE, "Content-Type: application/octet-stream"),
    "a MiB in chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(_NOISE) + b"0\r\n\r\n",
    "empty": response(b"", "Content-Type: application/json"),
    "204": b"HTTP/1.1 204 No Content\r\nx-request-id: 7\r\n\r\n",
    "304": b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 42\r\n\r\n',
    "400": json_response({"error": {"message": "no"}}, "400 Bad Request"),
    "429": response(b'{"error": 1}', "Retry-After: 7", "x-RateLimit-remaining: 0", status="429 Too Many Requests"),
    "500 with HTML": response(b"<html>\xff\xfe</html>", "Content-Type: text/html", status="500 Oh No"),
    "529 in words": response(b"overloaded", status="529 Site is overloaded"),
    "headers": response(
        b"{}", "Set-Cookie: a=1; Path=/", "X-MiXeD: One", "set-cookie: b=2", "Vary:  a , b", "x-mixed: two", "x-empty:"
    ),
    "after early hints": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + response(b"late"),
    "unframed": b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}",
    "HTTP/1.0": b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nold",
}


@pytest.mark.parametrize("name", RESPONSES)
def test_the_client_receives_what_the_server_sends(name: str) -> None:
    sent = RESPONSES[name]
    ends = b"Connection: close" in sent or sent.startswith(b"HTTP/1.0")
    with Scripted([[sent], [sent]], keep=not ends) as server, proxy(server.url) as proxied:
        assert fetch(proxied.url, body=b"{}") == fetch(server.url, body=b"{}")


def test_the_response_to_head_has_its_length_and_no_body() -> None:
    head = response(b"", "Content-Type: application/json", "Content-Length: 1234", framed=False)
    with Scripted([[head], [head]]) as server, proxy(server.url) as proxied:
        got = fetch(proxied.url, "HEAD", "/v1/models")
        assert got == fetch(server.url, "HEAD", "/v1/models")
        assert ("Content-Length", "1234") in got[2]


def parts() -> Iterator[bytes]:
    yield from (b'{"a": ', b"1" * 70_000, b"}")


REQUESTS: dict[str, tuple[str, str, object, dict[str, str]]] = {
    "JSON": ("POST", CHAT, b'{"b": 1.0, "a":  [1e2]}\n', {"Content-Type": "application/json", "X-MiXeD": "Yes"}),
    "chunked": ("POST", CHAT, parts, {"Transfer-Encoding": "chunked"}),
    "gzip": ("POST", CHAT, gzip.compress(b"{}", mtime=0), {"Content-Encoding": "gzip"}),
    "a MiB": ("PUT", "/v1/files", _NOISE, {}),
    "no body": ("GET", "/v1/models?limit=2&after=%2F%20x&after=b", None, {"Accept": "*/*", "accept-encoding": "br"}),
    "delete": ("DELETE", "/mcp", None, {"Mcp-Session-Id": "s1", "TE": "trailers", "Connection": "keep-alive, x-hop"}),
    "escaped path": ("POST", "/model/a%3Ab/invoke//x/../y", b"{}", {"Cookie": "a=1; b=2"}),
    "odd method": ("PATCH", "/v1/x", b"\xff\x00", {}),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_the_server_receives_what_the_client_sends(name: str) -> None:
    method, path, body, headers = REQUESTS[name]
    ok = json_response({})
    with Scripted([[ok], [ok]]) as server, proxy(server.url) as proxied:
        for url in (server.url, proxied.url):
            fetch(url, method, path, body() if callable(body) else body, headers)
        direct, forwarded = server.received
    hop = ("te:", "connection:")
    assert forwarded.body == direct.body
    assert forwarded.head.split(b"\r\n")[0] == direct.head.split(b"\r\n")[0]
    assert forwarded.fields == [line for line in direct.fields if not line.lower().startswith(hop)]
    assert f"Host: {urlsplit(server.url).netloc}".encode() in forwarded.head


def test_small_packets_are_not_held_back() -> None:
    """asyncio switches Nagle's algorithm off only for sockets that are declared as TCP."""
    with Scripted([]) as server, proxy(server.url) as proxied:
        assert proxied.server._server is not None
        assert [each.proto for each in proxied.server._server.sockets] == [socket.IPPROTO_TCP]


def test_a_path_of_the_upstream_comes_first() -> None:
    with Scripted([[json_response({})]]) as server, proxy(f"{server.url}/openai/") as proxied:
        fetch(proxied.url, body=b"{}")
    assert server.received[0].head.startswith(b"POST /openai/v1/chat/completions HTTP/1.1\r\n")


def test_an_event_arrives_before_the_server_sends_the_next_one() -> None:
    got = threading.Event()
    waited: list[bool] = []
    steps: list[Piece] = [STREAM_HEAD]

    def wait() -> None:
        waited.append(got.wait(10))
        got.clear()

    for each in EVENTS:
        steps += [chunk(each), wait]
    with Scripted([[*steps, b"0\r\n\r\n"]]) as server, proxy(server.url) as proxied:
        connection = connection_to(proxied.url)
        connection.request("POST", CHAT, b"{}")
        stream = connection.getresponse()
        for each in EVENTS:
            assert stream.read1(MIB) == each
            got.set()
        assert stream.read() == b""
        connection.close()
    assert waited == [True] * len(EVENTS)


def test_a_request_body_arrives_before_the_client_sends_the_rest() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with proxy(url) as proxied, socket.create_connection(_address(proxied.url), 10) as client:
            client.sendall(
                b"POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(b"first")
            )
            upstream, _ = listening.accept()
            with upstream:
                upstream.settimeout(10)
                assert _until(upstream, b"first\r\n").endswith(chunk(b"first"))
                client.sendall(chunk(b"second") + b"0\r\n\r\n")
                assert _until(upstream, b"0\r\n\r\n").endswith(chunk(b"second") + b"0\r\n\r\n")
                upstream.sendall(response(b"ok"))
                assert _until(client, b"ok").endswith(b"ok")


def test_expect_100_continue_is_answered_by_the_server() -> None:
    with (
        Scripted([[response(b"ok")]]) as server,
        proxy(server.url) as proxied,
        socket.create_connection(_address(proxied.url), 10) as client,
    ):
        client.sendall(b"POST /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        assert _until(client, b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"body")
        assert _until(client, b"ok").endswith(b"ok")
    assert server.received[0].body == b"body"


def test_an_answer_before_the_end_of_the_request_is_forwarded() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with proxy(url) as proxied, socket.create_connection(_address(proxied.url), 10) as client:
            client.sendall(b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999\r\n\r\nbegin")
            upstream, _ = listening.accept()
            with upstream:
                upstream.settimeout(10)
                _until(upstream, b"begin")
                upstream.sendall(response(b"too large", status="413 Content Too Large"))
                assert b"413 Content Too Large" in _until(client, b"too large")


def test_requests_on_one_connection_stay_in_order() -> None:
    scripts = [[response(b"%d" % number)] for number in range(20)]
    with Scripted(scripts) as server, proxy(server.url) as proxied:
        connection = connection_to(proxied.url)
        for number in range(20):
            connection.request("POST", "/x", str(number).encode())
            assert connection.getresponse().read() == b"%d" % number
        connection.close()
    assert [each.body for each in server.received] == [b"%d" % number for number in range(20)]


def test_pipelined_requests_are_answered_in_order() -> None:
    with (
        Scripted([[response(b"one")], [response(b"two")]]) as server,
        proxy(server.url) as proxied,
        socket.create_connection(_address(proxied.url), 10) as client,
    ):
        client.sendall(b"GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert _until(client, b"two").index(b"one") > 0
    assert [each.head[:6] for each in server.received] == [b"GET /1", b"GET /2"]


def test_sixty_four_clients_at_once_get_their_own_answers() -> None:
    found: list[Fetched] = []

    def echo(url: str, number: int) -> None:
        found.append(fetch(url, body=b"%d" % number))

    with Scripted([[lambda: None, response(b"x" * 5000)]] * 64) as server, proxy(server.url) as proxied:
        threads = [threading.Thread(target=echo, args=(proxied.url, each)) for each in range(64)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert [(status, len(body)) for status, _, _, body in found] == [(200, 5000)] * 64
    assert sorted(int(each.body) for each in server.received) == list(range(64))


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"CONNECT api.openai.com:443 HTTP/1.1\r\nHost: api.openai.com:443\r\n\r\n", b"405"),
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 300_000, b"431"),
    ],
)
def test_what_cannot_be_forwarded_is_refused(sent: bytes, status: bytes) -> None:
    with (
        Scripted([]) as server,
        proxy(server.url) as proxied,
        socket.create_connection(_address(proxied.url), 10) as client,
    ):
        client.sendall(sent)
        assert _until(client, b"}\n").startswith(b"HTTP/1.1 " + status)


def _address(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


def _until(connection: socket.socket, end: bytes) -> bytes:
    data = b""
    while not data.endswith(end):
        piece = connection.recv(1 << 16)
        if not piece:
            break
        data += piece
    return data
