"""`pytest --conformance-check` sees what a client sends and gets: with any library, mocked or live, streamed or not."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import httpx2
import pytest
import requests

import conformance
from conformance.cassette.traffic import Log
from conformance.testing.choice import of_project
from conformance.testing.outcome import Outcome, judge_log
from conformance.testing.vcr_tap import listening
from tests.testing.test_pytest_check import BROKEN_REPLY, GOOD, NO_XDIST, URL, needs

BROKEN = {"chat-reply-field-missing", "chat-first-fragment-incomplete"}
"""The rules that the replies of every server and mock here break."""
STREAMED = {**GOOD, "stream": True}
CALL = {"index": 0, **BROKEN_REPLY["choices"][0]["message"]["tool_calls"][0]}
CHUNKS = [
    {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": "gpt-4o-mini",
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }
    for delta, reason in (({"role": "assistant", "tool_calls": [CALL]}, None), ({}, "tool_calls"))
]
EVENTS = "".join(f"data: {json.dumps(each)}\n\n" for each in CHUNKS) + "data: [DONE]\n\n"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        kind, text = "application/json", json.dumps(BROKEN_REPLY)
        if asked.get("stream"):
            kind, text = "text/event-stream", EVENTS
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture(scope="module")
def live() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
        server.shutdown()


def judged(send: Callable[[], Any]) -> Outcome:
    with listening(Log()) as log:
        send()
    selection, asked = of_project()
    return judge_log(log, selection, asked, "a test")


def broken(outcome: Outcome) -> int:
    """How many exchanges were judged, if their replies have the one fault and no other."""
    errors = {each.rule for each in outcome.findings if each.side == "response" and each in outcome.failing}
    assert len(errors) == 1, errors
    assert errors <= BROKEN
    return outcome.summary.judged


def with_httpx(url: str, sent: Any, *, library: Any = httpx, **options: Any) -> None:
    with library.Client(**options) as client, client.stream("POST", url, json=sent) as reply:
        list(reply.iter_lines())


def with_httpx_async(url: str, sent: Any, *, library: Any = httpx, **options: Any) -> None:
    async def run() -> None:
        async with library.AsyncClient(**options) as client, client.stream("POST", url, json=sent) as reply:
            await reply.aread()

    asyncio.run(run())


def with_requests(url: str, sent: Any) -> None:
    with requests.post(url, json=sent, timeout=10, stream=bool(sent.get("stream"))) as reply:
        list(reply.iter_lines(decode_unicode=True))


def with_aiohttp(url: str, sent: Any) -> None:
    aiohttp: Any = import_module("aiohttp")

    async def run() -> None:
        async with aiohttp.ClientSession() as session, session.post(url, json=sent) as reply:
            if "stream" in sent:
                assert b"".join([line async for line in reply.content]).decode() == EVENTS
            else:
                assert await reply.json() == BROKEN_REPLY

    asyncio.run(run())


def with_httpx2(url: str, sent: Any) -> None:
    with_httpx(url, sent, library=httpx2)


def with_httpx2_async(url: str, sent: Any) -> None:
    with_httpx_async(url, sent, library=httpx2)


CLIENTS = [with_httpx, with_httpx_async, with_httpx2, with_httpx2_async, with_requests, with_aiohttp]


@pytest.mark.parametrize("sent", [GOOD, STREAMED], ids=["whole", "streamed"])
@pytest.mark.parametrize("client", CLIENTS)
def test_live_calls_are_seen(client: Callable[[str, Any], None], sent: Any, live: str) -> None:
    if client is with_aiohttp:
        needs("aiohttp")
    outcome = judged(lambda: client(live, sent))
    assert (broken(outcome), outcome.unseen) == (1, [])


def mock_transport(library: Any) -> Any:
    return library.MockTransport(lambda _: library.Response(200, json=BROKEN_REPLY))


def with_respx(url: str, sent: Any, client: Callable[[str, Any], None] = with_httpx) -> None:
    needs("respx")
    with import_module("respx").mock(assert_all_called=False) as mock:
        mock.post(url).respond(json=BROKEN_REPLY)
        client(url, sent)


def with_requests_mock(url: str, sent: Any) -> None:
    needs("requests_mock")
    with import_module("requests_mock").Mocker() as mock:
        mock.post(url, json=BROKEN_REPLY)
        with_requests(url, sent)


def with_aioresponses(url: str, sent: Any) -> None:
    needs("aioresponses")
    with import_module("aioresponses").aioresponses() as mock:
        mock.post(url, payload=BROKEN_REPLY)
        with_aiohttp(url, sent)


def with_patched_transport(url: str, sent: Any) -> None:
    """pytest-httpx works like this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx.HTTPTransport, "handle_request", lambda _, __: httpx.Response(200, json=BROKEN_REPLY))
        with_httpx(url, sent)


MOCKS: list[Callable[[str, Any], None]] = [
    lambda url, sent: with_httpx(url, sent, transport=mock_transport(httpx)),
    lambda url, sent: with_httpx_async(url, sent, transport=mock_transport(httpx)),
    lambda url, sent: with_httpx(url, sent, library=httpx2, transport=mock_transport(httpx2)),
    with_patched_transport,
    with_respx,
    lambda url, sent: with_respx(url, sent, with_httpx_async),
    with_requests_mock,
    with_aioresponses,
]
MOCK_IDS = ["transport", "async", "httpx2", "patched", "respx", "respx async", "requests-mock", "aioresponses"]


@pytest.mark.parametrize("send", MOCKS, ids=MOCK_IDS)
def test_what_a_mock_answers_is_seen(send: Callable[[str, Any], None]) -> None:
    assert broken(judged(lambda: send(URL, GOOD))) == 1


@pytest.mark.parametrize("send", MOCKS, ids=MOCK_IDS)
def test_a_recording_never_goes_past_a_mock(
    send: Callable[[str, Any], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CI", raising=False)
    for _ in ("recorded", "played"):
        with conformance.recording(tmp_path / "it.yaml", ignore=["chat-"]) as made:
            send(URL, GOOD)
        assert [each.response.body.json for each in made.exchanges] == [BROKEN_REPLY]


def test_a_request_inside_another_is_seen_once_each(live: str) -> None:
    def passed_on(request: httpx.Request) -> httpx.Response:
        with httpx.Client() as inner:
            return httpx.Response(200, json=inner.post(live, content=request.content).json())

    outcome = judged(lambda: with_httpx(URL, GOOD, transport=httpx.MockTransport(passed_on)))
    assert [each.request["uri"] for each in outcome.sent] == [URL, live]


def test_a_stream_that_is_left_is_not_judged_and_not_seen(live: str) -> None:
    def leave(events: int) -> None:
        with httpx.Client() as client, client.stream("POST", live, json=STREAMED) as reply:
            lines = reply.iter_lines()
            _ = [next(lines) for _ in range(events)]

    outcome = judged(lambda: leave(0))
    assert [each.rule for each in outcome.findings if each.side == "response"] == []
    assert outcome.unseen == ["the rest of the response to POST 127.0.0.1/v1/chat/completions"]
    assert judged(lambda: leave(5)).unseen == []  # a client leaves it after [DONE]


OTHER = """
import json, urllib.request

def test_agent():
    headers = {{"content-type": "application/json"}}
    asked = urllib.request.Request({url!r}, data=json.dumps({sent!r}).encode(), headers=headers)
    urllib.request.urlopen(asked).read()
"""


def test_what_could_not_be_seen_is_counted_and_fails_who_requires_it(pytester: pytest.Pytester, live: str) -> None:
    pytester.makepyfile(test_it=OTHER.format(url=live, sent=GOOD))
    run = pytester.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.stdout.fnmatch_lines(
        [
            "conformance: no exchange was checked: *",
            "conformance: 1 request could not be checked in full",
            "  not seen  POST 127.0.0.1/v1/chat/completions, over http.client (urllib, urllib3, boto3)",
        ]
    )
    run = pytester.runpytest_inprocess("--conformance-check-require", *NO_XDIST)
    assert run.ret == pytest.ExitCode.TESTS_FAILED
    assert pytester.runpytest_inprocess("-o", "conformance_check=true", *NO_XDIST).ret == pytest.ExitCode.OK


def test_other_requests_are_not_missed(live: str) -> None:
    def other() -> None:
        with pytest.raises(OSError, match="501"):
            urllib.request.urlopen(live.replace("/v1/chat/completions", "/health"))

    assert judged(other).unseen == []
