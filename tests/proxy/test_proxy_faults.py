"""`conformance proxy` survives the death of either side, and reports who died."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from conformance.inputs import read
from conformance.model.finding import Finding
from tests.proxying import (
    ANSWERED,
    CHAT,
    EVENTS,
    STREAM_HEAD,
    Piece,
    Scripted,
    ask,
    chunk,
    connection_to,
    fetch,
    json_response,
    proxy,
    response,
)

BODY = json.dumps(ANSWERED).encode()
STREAMED = {"stream": True}


def rules(findings: list[Finding]) -> set[str]:
    return {each.rule for each in findings if each.severity == "error"}


def test_a_server_that_is_down_gives_502_and_the_proxy_goes_on(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with proxy(url, tmp_path) as proxied:
        for _ in range(2):
            status, _, fields, body = ask(proxied.url)
            error = json.loads(body)["error"]
            assert (status, ("content-type", "application/json") in fields) == (502, True)
            assert error["message"].startswith(f"conformance proxy: cannot connect to {url}: ")
        with socket.create_server(("127.0.0.1", int(url.rpartition(":")[2]))) as again:
            client = connection_to(proxied.url)
            client.request("POST", CHAT, b"{}")
            upstream, _ = again.accept()
            upstream.recv(1 << 16)
            upstream.sendall(response(b"back"))
            assert client.getresponse().read() == b"back"
            upstream.close()
            client.close()
    assert rules(proxied.findings()) >= {"request-unanswered"}
    [first, *_] = read(str(tmp_path))
    assert (first.response.status, json.loads(first.request.body.text or "")["model"]) == (100, "gpt-4o-mini")


def test_a_large_request_to_a_server_that_is_down_gets_its_502() -> None:
    with proxy("http://127.0.0.1:9") as proxied:
        assert fetch(proxied.url, body=b"x" * (1 << 21))[0] == 502


@pytest.mark.process
def test_a_certificate_that_cannot_be_verified_gives_502(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    try:
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-keyout",
                str(key),
                "-out",
                str(certificate),
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
            ],
            check=True,
            capture_output=True,
        )
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"https://127.0.0.1:{listening.getsockname()[1]}"
        with proxy(url) as proxied:
            client = connection_to(proxied.url)
            client.request("POST", CHAT, b"{}")
            upstream, _ = listening.accept()
            with contextlib.suppress(ssl.SSLError, ConnectionError):
                context.wrap_socket(upstream, server_side=True)
            got = client.getresponse()
            assert (got.status, b"certificate is not valid" in got.read()) == (502, True)
            client.close()
            upstream.close()


def test_what_is_no_http_gives_502() -> None:
    with Scripted([[b"SSH-2.0-OpenSSH\r\n\r\n"]]) as server, proxy(server.url) as proxied:
        status, _, _, body = ask(proxied.url)
    assert (status, b"sent invalid HTTP" in body) == (502, True)


CUTS = {
    "in the head": [b"HTTP/1.1 200 OK\r\nContent-"],
    "before the head": [],
    "in a body of known length": [response(BODY)[:-20]],
    "between events": [STREAM_HEAD, chunk(EVENTS[0]), chunk(EVENTS[1])],
    "inside an event": [STREAM_HEAD, chunk(EVENTS[0]), chunk(EVENTS[1][:40])],
    "inside a chunk": [STREAM_HEAD, chunk(EVENTS[0])[:-30]],
    "after the last event": [STREAM_HEAD, *map(chunk, EVENTS)],
}


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
@pytest.mark.parametrize("name", CUTS)
def test_a_response_that_is_cut_off_ends_so_for_the_client_too(
    name: str,
    reset: bool,  # noqa: FBT001 - a parameter
    tmp_path: Path,
) -> None:
    streams = "event" in name or "chunk" in name
    sent = b"".join(CUTS[name])
    with (
        Scripted([[sent, lambda: time.sleep(0.1)]], reset=reset, keep=False) as server,
        proxy(server.url, tmp_path) as proxied,
    ):
        with socket.create_connection(_address(proxied.url), 10) as client:
            body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": streams})
            head = f"POST {CHAT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
            got = _all(client)
        assert _pure(got) == _pure(sent) or reset
        assert not got.endswith(b"0\r\n\r\n")
    findings = proxied.findings()
    assert "request-unanswered" in rules(findings)
    [cut] = [each for each in findings if each.rule == "request-unanswered"]
    assert cut.message.startswith(("the server closed the connection after", "the server broke the connection after"))
    [kept] = read(str(tmp_path))
    assert kept.response.status == (100 if "head" in name else 200)
    if name == "between events" and not reset:
        assert kept.response.body.text == (EVENTS[0] + EVENTS[1]).decode()
    if name in ("in a body of known length", "between events", "inside an event"):
        assert len(rules(findings)) > 1  # what there is of the response is judged, too


def test_a_client_that_goes_ends_the_servers_connection_and_is_recorded(tmp_path: Path) -> None:
    def pause() -> None:
        time.sleep(0.1)

    endless: list[Piece] = [STREAM_HEAD, *[piece for _ in range(100) for piece in (chunk(EVENTS[1]), pause)]]
    with Scripted([endless]) as server, proxy(server.url, tmp_path) as proxied:
        client = connection_to(proxied.url)
        client.request("POST", CHAT, json.dumps({"model": "m", "messages": [], **STREAMED}))
        stream = client.getresponse()
        assert stream.read1(len(EVENTS[1])) == EVENTS[1]
        stream.close()
        client.close()
        assert server.ended.wait(30)
    findings = proxied.findings()
    [kept] = read(str(tmp_path))
    assert (kept.response.body.text or "").startswith(EVENTS[1].decode())
    assert (kept.response.body.note or "").startswith("the client closed the connection after")
    assert proxied.watch.ended == {"client": 1}
    assert not [each for each in findings if each.side == "response" and each.severity == "error"]


def test_a_client_that_goes_before_the_response_ends_the_servers_connection(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with proxy(url, tmp_path) as proxied:
            client = socket.create_connection(_address(proxied.url), 10)
            client.sendall(b"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
            upstream, _ = listening.accept()
            upstream.settimeout(5)
            client.close()
            assert _all(upstream).endswith(b"{}")
            upstream.close()
    assert proxied.watch.ended == {"client": 1}


def test_a_client_that_closes_after_the_last_event_is_judged_in_full(tmp_path: Path) -> None:
    """Many clients close a stream once they have read its end marker, without waiting for the end of the body."""
    script: list[Piece] = [STREAM_HEAD, *map(chunk, EVENTS), lambda: time.sleep(0.05), b"0\r\n\r\n"]
    with Scripted([script]) as server, proxy(server.url, tmp_path) as proxied:
        client = connection_to(proxied.url)
        client.request("POST", CHAT, json.dumps({"model": "m", "messages": [], **STREAMED}))
        stream = client.getresponse()
        got = b""
        while b"[DONE]" not in got:
            got += stream.read1(1 << 16)
        stream.close()
        client.close()
        assert server.ended.wait(30)
    [kept] = read(str(tmp_path))
    assert (kept.response.body.note, kept.response.body.text) == (None, b"".join(EVENTS).decode())


def test_one_broken_exchange_does_not_disturb_the_others() -> None:
    scripts = [[response(BODY)[:-9]], [response(BODY)], [response(BODY)]]
    with Scripted(scripts, keep=False) as server, proxy(server.url) as proxied:
        with pytest.raises(http.client.IncompleteRead):
            ask(proxied.url)
        assert [ask(proxied.url)[0] for _ in range(2)] == [200, 200]


@pytest.mark.process
def test_a_killed_proxy_has_recorded_what_its_clients_received(tmp_path: Path) -> None:
    """SIGKILL right after the last byte of each of thirty responses, and in the middle of another."""
    hold: list[Piece] = [STREAM_HEAD, chunk(EVENTS[0]), lambda: time.sleep(30)]
    scripts = [[json_response({**ANSWERED, "id": f"chatcmpl-{number}"})] for number in range(30)]
    with Scripted([*scripts, hold]) as server:
        running = subprocess.Popen(
            [sys.executable, "-m", "conformance", "proxy", "--upstream", server.url, "--save", str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert running.stdout is not None
        url = running.stdout.readline().split()[1]
        got = [json.loads(ask(url)[3])["id"] for _ in range(30)]
        client = connection_to(url)
        client.request("POST", CHAT, json.dumps({"model": "m", "messages": [], **STREAMED}))
        client.getresponse().read1(10)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
        running.stdout.close()
        client.close()
    kept = [each.response.body.json["id"] for each in read(str(tmp_path))]
    assert sorted(kept) == sorted(got)


def test_a_stop_records_what_is_in_progress(tmp_path: Path) -> None:
    hold: list[Piece] = [STREAM_HEAD, chunk(EVENTS[0]), lambda: time.sleep(3)]
    with Scripted([hold]) as server, proxy(server.url, tmp_path) as proxied:
        client = connection_to(proxied.url)
        client.request("POST", CHAT, json.dumps({"model": "m", "messages": [], **STREAMED}))
        client.getresponse().read1(10)
    client.close()
    [kept] = read(str(tmp_path))
    assert (kept.response.body.text, kept.response.body.note) == (EVENTS[0].decode(), "the proxy was stopped")
    assert proxied.watch.ended == {"lost": 1}


def _address(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


def _pure(sent: bytes) -> bytes:
    """The content of a body without the sizes of its chunks: the last one may be cut at another place."""
    head, _, body = sent.partition(b"\r\n\r\n")
    if b"chunked" not in head:
        return body
    return b"".join(line for line in body.split(b"\r\n") if not re.fullmatch(rb"[0-9a-f]*", line))


def _all(connection: socket.socket) -> bytes:
    data = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(1 << 16):
            data += piece
    return data
