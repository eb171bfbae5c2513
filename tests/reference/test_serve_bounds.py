"""The reference server under clients that send too much, too slowly, or over too many connections."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Request
from conformance.model.rendered import Delivery
from conformance.reference.bounds import Bounds
from conformance.reference.server import ReferenceServer
from conformance.reference.sessions import Sessions
from conformance.scenario.load import all_scenarios
from devtools.places import ROOT

_CHAT = "/v1/chat/completions"
_VERSION = "anthropic-version: 2023-06-01"
_GIB = 1 << 30
_SHORT = Bounds(head_seconds=0.5, body_seconds=0.5, linger_seconds=5)


@contextmanager
def _serving(bounds: Bounds) -> Iterator[ReferenceServer]:
    with ReferenceServer(all_scenarios(), bounds=bounds) as server:
        yield server
        assert server.faults == []


def _connected(server: ReferenceServer) -> socket.socket:
    host, _, port = server.origin.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=20)


def _head(path: str, *fields: str) -> bytes:
    return "\r\n".join((f"POST {path} HTTP/1.1", "Host: 127.0.0.1", *fields, "", "")).encode()


def _read(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers and the body of the next response; 0 if the connection is closed instead."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(1 << 16)
        if not piece:
            return 0, {}, received
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    status, *fields = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (each.partition(": ") for each in fields)}
    while len(body) < int(headers["content-length"]):
        body += connection.recv(1 << 16)
    return int(status.split()[1]), headers, body


def _greeting(server: ReferenceServer) -> httpx.Response:
    """A usual client's first request."""
    body = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "hello"}]}
    return httpx.post(f"{server.origin}{_CHAT}", json=body, headers={"authorization": "Bearer x"}, timeout=10)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (_CHAT, ("error", "type", "invalid_request_error")),
        ("/v1/responses", ("error", "type", "invalid_request_error")),
        ("/v1/messages", ("error", "type", "request_too_large")),
        ("/v1beta/models/gemini-2.5-flash:generateContent", ("error", "code", 413)),
        ("/mcp", None),  # MCP is known by its body
        ("/elsewhere", None),
    ],
)
def test_a_body_of_a_gigabyte_is_refused_by_its_length_as_the_provider_would(
    path: str, kind: tuple[str, str, object] | None
) -> None:
    sessions = Sessions(all_scenarios())
    with _serving(Bounds()) as server, _connected(server) as client:
        server.service = sessions
        client.sendall(_head(path, _VERSION, f"content-length: {_GIB}") + b"x" * 4096)
        status, headers, body = _read(client)
    [session] = sessions.all
    assert (status, headers["connection"], [each.status for each in session.loose]) == (413, "close", [413])
    error = json.loads(body)
    if kind is None:
        assert error == {"error": "Request exceeds the maximum size of 32 MiB."}
    else:
        assert error[kind[0]][kind[1]] == kind[2]


def test_a_body_without_end_is_refused_where_it_exceeds_the_limit() -> None:
    with _serving(Bounds(linger_seconds=1)) as server, _connected(server) as client:
        client.sendall(_head(_CHAT, "transfer-encoding: chunked"))
        piece = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
        sent = 0
        with pytest.raises(OSError, match=r"reset|[Bb]roken pipe"):  # noqa: PT012 - how far it gets is the matter
            while sent < 4096:
                client.sendall(piece)
                sent += 1
        assert 32 <= sent < 4096
        assert _greeting(server).status_code == 404


def test_a_client_that_sends_first_and_reads_later_sees_the_refusal() -> None:
    with _serving(Bounds(body_bytes=1 << 20)) as server:
        refused = httpx.post(
            f"{server.origin}/v1/messages", content=b"x" * (16 << 20), headers=dict([_VERSION.split(": ")]), timeout=20
        )
        assert refused.status_code == 413
        assert refused.json()["error"]["type"] == "request_too_large"
        assert _greeting(server).status_code == 404


def test_a_body_at_the_limit_is_read() -> None:
    with _serving(Bounds(body_bytes=5000)) as server:
        sizes = [httpx.post(f"{server.origin}{_CHAT}", content=b"x" * size).status_code for size in (5000, 5001)]
    assert sizes == [400, 413]


def test_expect_continue_is_not_answered_with_continue_for_a_gigabyte() -> None:
    with _serving(Bounds()) as server, _connected(server) as client:
        client.sendall(_head(_CHAT, f"content-length: {_GIB}", "expect: 100-continue"))
        assert _read(client)[0] == 413


def test_a_head_of_a_megabyte_is_431() -> None:
    with _serving(Bounds()) as server, _connected(server) as client:
        client.sendall(_head(_CHAT, f"x-long: {'y' * (1 << 20)}"))
        status, headers, body = _read(client)
    assert (status, headers["connection"]) == (431, "close")
    assert json.loads(body) == {"error": "the request's head has more than 65536 bytes"}


def _until(reached: Callable[[], bool]) -> None:
    """Waits for a state of the server."""
    until = time.monotonic() + 20
    while not reached() and time.monotonic() < until:
        time.sleep(0.01)


def test_what_is_no_http_is_400() -> None:
    with _serving(Bounds()) as server, _connected(server) as client:
        client.sendall(b"\x16\x03\x01 nothing of the kind\r\n\r\n")
        assert _read(client)[0] == 400


def test_a_slow_head_is_408_however_often_a_byte_comes() -> None:
    with _serving(_SHORT) as server, _connected(server) as client:
        begun = time.monotonic()
        for byte in _head(_CHAT, f"x-slow: {'y' * 100}"):
            try:
                client.send(bytes([byte]))
            except OSError:
                break
            client.settimeout(0.05)
            try:
                if client.recv(1, socket.MSG_PEEK):
                    break
            except TimeoutError:
                continue
        client.settimeout(10)
        status, _, body = _read(client)
        assert status == 408
        assert json.loads(body) == {"error": "the request's head took longer than 0.5 s"}
        assert time.monotonic() - begun < 5


def test_a_connection_that_sends_nothing_is_closed_without_a_word() -> None:
    with _serving(_SHORT) as server, _connected(server) as client:
        assert _read(client) == (0, {}, b"")


def test_a_slow_body_is_408_in_the_dialect() -> None:
    with _serving(_SHORT) as server, _connected(server) as client:
        client.sendall(_head("/v1/messages", _VERSION, "content-length: 100") + b"{")
        status, headers, body = _read(client)
    assert (status, headers["connection"]) == (408, "close")
    assert json.loads(body)["type"] == "error"


def test_bodies_that_are_too_large_together_are_503() -> None:
    bounds = Bounds(body_bytes=1 << 20, held_bytes=3 << 19)
    with _serving(bounds) as server, ExitStack() as stack:
        first, second = (stack.enter_context(_connected(server)) for _ in range(2))
        first.sendall(_head(_CHAT, f"content-length: {1 << 20}") + b"x" * (1 << 19) + b"x" * ((1 << 19) - 1))
        _until(lambda: server._intake._held == (1 << 20) - 1)
        second.sendall(_head(_CHAT, f"content-length: {1 << 20}") + b"x" * (1 << 20))
        assert _read(second)[0] == 503
        first.sendall(b"x")
        assert _read(first)[0] == 400  # read whole, and no JSON
        assert _greeting(server).status_code == 404


@pytest.mark.parametrize("most", [512, 100])
def test_two_hundred_slow_connections_do_not_hold_up_a_usual_client(most: int) -> None:
    """With a bound above their number, and below it: then the oldest of them are closed."""
    with _serving(replace(Bounds(), connections=most)) as server, ExitStack() as stack:
        attackers = [stack.enter_context(_connected(server)) for _ in range(200)]
        stopped = threading.Event()

        def trickle() -> None:
            while not stopped.wait(0.05):
                for each in attackers:
                    try:
                        each.send(b"x")
                    except OSError:
                        continue

        for each in attackers:
            each.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nx-slow: ")
        thread = threading.Thread(target=trickle)
        thread.start()
        taken = []
        try:
            for _ in range(10):
                begun = time.monotonic()
                assert _greeting(server).status_code == 404
                taken.append(time.monotonic() - begun)
        finally:
            stopped.set()
            thread.join()
    assert sorted(taken)[5] < 2


def test_a_new_connection_is_503_if_all_are_answered_at_the_moment() -> None:
    release = threading.Event()
    answering: list[Request] = []

    with ExitStack() as stack:
        scenarios = all_scenarios()

        class Slow(Sessions):
            def respond(self, request: Request, connection: str = "", behaviours: Sequence[Behaviour] = ()) -> Delivery:
                answering.append(request)
                release.wait(20)
                raise RuntimeError("for the test")

        server = stack.enter_context(ReferenceServer(scenarios, service=Slow(scenarios), bounds=Bounds(connections=2)))
        busy = [stack.enter_context(_connected(server)) for _ in range(2)]
        for each in busy:
            each.sendall(_head(_CHAT, f"content-length: {1 << 16}") + b"{}".ljust(1 << 16))
        _until(lambda: len(answering) == len(busy))
        with _connected(server) as late:
            assert _read(late)[0] == 503
        release.set()
        for each in busy:
            assert _read(each)[0] == 500


_CLIENT = """
import os, socket, sys
host, port = os.environ["CONFORMANCE_URL"].removeprefix("http://").split(":")
for declared in ("content-length: 1073741824", "transfer-encoding: chunked"):
    with socket.create_connection((host, int(port))) as client:
        client.sendall(f"POST /v1/chat/completions HTTP/1.1\\r\\nHost: localhost\\r\\n{declared}\\r\\n\\r\\n".encode())
        piece = b"x" * (1 << 20)
        if declared.startswith("transfer"):
            piece = b"100000\\r\\n" + piece + b"\\r\\n"
        try:
            for _ in range(1024):
                client.sendall(piece)
        except OSError:
            pass
server = next(line for line in open(f"/proc/{os.getppid()}/status") if line.startswith("VmHWM"))
sys.stderr.write(server)
"""


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux: the memory of a process is in /proc")
def test_serve_stays_small_under_two_gigabytes_and_reports_the_refusals() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "serve", "--format", "json", "--", sys.executable, "-c", _CLIENT],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1, done.stderr
    size = re.search(r"VmHWM:\s*(\d+) kB", done.stderr)
    assert size is not None, done.stderr
    assert int(size[1]) < 300 << 10
    [session] = json.loads(done.stdout)["sessions"]
    assert [each["status"] for each in session["refused"]] == [413, 413]
