"""What `conformance proxy` records and judges: conversations, dialects, limits, and no secret."""

from __future__ import annotations

import gzip
import json
import threading
from pathlib import Path
from typing import Any

import pytest
import vcr

from conformance.cassette.load import load_cassette
from conformance.commands.show.conversation import conversation
from conformance.inputs import read
from conformance.inputs.recording import Recording, document
from conformance.judge.checker import Checker
from conformance.matrix.cells import Filter
from conformance.matrix.replaying import replay_all
from conformance.model.finding import Severity
from conformance.model.limits import MAX_BODY, MAX_FILE
from conformance.proxy import recordings
from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios
from tests.proxying import (
    ANSWERED,
    CHAT,
    EVENTS,
    STREAM_HEAD,
    Scripted,
    ask,
    chunk,
    fetch,
    json_response,
    proxy,
    response,
)

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather.",
        "parameters": {"type": "object", "properties": {}},
    },
}
USER = all_scenarios()["weather"].conversations[0].user
SECRETS = {
    "header": "sk-proj-Zr8uHdqT4nW2xLk9mBv3T3BlbkFJ7cYpQ1sGf6tRaEw",
    "other header": "gsk_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb3dEf6hIj9kLm2n",
    "query": "AIzaSyD4kf8Qm2Lw9Zx7Cv5Bn3Ma1Sd6Fg8Hj0K",
    "body": "ghp_x9Kd7Fm2Qp4Rt6Yw8Zb1Nc3Vg5Hj0LsAeUi",
    "response": "xoxb-482910573821-594837261540-Qw8Er2Ty6Ui0Op4As",
    "error": "AKIA4QXZ7PL2MN8RT6VB",
    "cookie": "s3ss10n-8f7e6d5c4b3a29180f7e6d5c4b3a2918",
    "opaque": "q7Zt2Lm9Xv4Kc8Rb1Nw6Py3",
}
STREAMED_SECRET = "sk-ant-api03-Jf83hGd72Lq0PzMx5Vb9Nc1Yt6Rw4Ek"


def talk(url: str, rounds: int, *, key: str = "sk-test", stream: bool = False) -> list[str]:
    """A conversation of the scenario `weather`, over plain HTTP; returns the ids of its calls."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": USER}]
    ids = []
    for _ in range(rounds):
        body = {"model": "gpt-4o-mini", "messages": messages, "tools": [TOOL], "stream": stream}
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        status, _, _, got = fetch(url, body=json.dumps(body).encode(), headers=headers)
        assert status == 200
        message = json.loads(got)["choices"][0]["message"]
        messages.append({"role": "assistant", "content": message["content"], "tool_calls": message.get("tool_calls")})
        for call in message.get("tool_calls") or ():
            ids.append(call["id"])
            result = json.dumps({"temperature": 14.2, "unit": "celsius"})
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    return ids


def test_a_conversation_is_one_cassette_that_every_command_reads(tmp_path: Path) -> None:
    with ReferenceServer(all_scenarios()) as server, proxy(server.origin, tmp_path) as proxied:
        for _ in range(2):
            talk(proxied.url, 2)
    assert [each for each in proxied.findings() if each.severity > Severity.INFO] == []
    first, second = sorted(tmp_path.glob("*.yaml"))
    assert (first.name, second.name) == ("openai-chat-0001.yaml", "openai-chat-0002.yaml")
    cassette = load_cassette(first)
    assert (len(cassette.exchanges), cassette.own, cassette.metadata["dialect"]) == (2, True, "openai-chat")
    assert cassette.metadata["provenance"] == "local"
    assert any("calls get_weather" in line for line in conversation(cassette.exchanges))
    with vcr.use_cassette(str(first), record_mode="none") as tape:
        assert len(tape) == 2
    again = list(replay_all([], tmp_path, unused_of=Filter()))
    assert [(each.source, each.exchanges, each.passed) for each in again] == [
        (str(first), 2, True),
        (str(second), 2, True),
    ]


def test_the_report_has_what_check_finds_in_the_cassettes(tmp_path: Path) -> None:
    wrong = {**ANSWERED, "choices": [{**ANSWERED["choices"][0], "finish_reason": "done"}]}  # type: ignore[index]
    with (
        Scripted([[json_response(wrong)], [json_response(ANSWERED)]]) as server,
        proxy(server.url, tmp_path) as proxied,
    ):
        ask(proxied.url)
        ask(proxied.url, temperature=7)
    found = {(each.rule, each.pointer, each.side, each.source) for each in proxied.findings()}
    checker = Checker()
    checked = [finding for exchange in read(str(tmp_path)) for finding in checker.feed(exchange)]
    assert found == {(each.rule, each.pointer, each.side, each.source) for each in checked}
    assert {each.side for each in checked} == {"request", "response"}


def test_conversations_of_concurrent_clients_do_not_mix(tmp_path: Path) -> None:
    ids: list[list[str]] = []
    with ReferenceServer(all_scenarios()) as server, proxy(server.origin, tmp_path) as proxied:
        threads = [
            threading.Thread(target=lambda key=key: ids.append(talk(proxied.url, 2, key=key)))
            for key in ("sk-a", "sk-a", "sk-b", "sk-b", "sk-c", "sk-d")
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert [each for each in proxied.findings() if each.severity > Severity.INFO] == []
    files = sorted(tmp_path.glob("*.yaml"))
    assert [len(load_cassette(each).exchanges) for each in files] == [2] * 6


def test_dialects_are_recognised_exchange_by_exchange(tmp_path: Path) -> None:
    messages = {"model": "claude-x", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
    gemini = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}
    rpc = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    asked = [
        (CHAT, {"model": "m", "messages": messages["messages"]}),
        ("/v1/messages", messages),
        ("/v1beta/models/gemini-2.5-flash:generateContent", gemini),
        ("/v1/responses", {"model": "m", "input": "Hi"}),
        ("/mcp", rpc),
        ("/v1/embeddings", {"input": "x", "model": "m"}),
    ]
    with Scripted([[json_response({})]] * len(asked)) as server, proxy(server.url, tmp_path) as proxied:
        for path, body in asked:
            fetch(proxied.url, path=path, body=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    names = {each.name.rpartition("-")[0] for each in tmp_path.glob("*.yaml")}
    assert names == {"openai-chat", "anthropic-messages", "gemini", "openai-responses", "mcp", "other"}


def test_mcp_sessions_are_kept_apart_by_their_header(tmp_path: Path) -> None:
    def rpc(session: str | None, method: str, number: int | None) -> tuple[bytes, dict[str, str]]:
        body = {"jsonrpc": "2.0", "method": method, "params": {}}
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        return (
            json.dumps(body if number is None else {**body, "id": number}).encode(),
            headers if session is None else {**headers, "Mcp-Session-Id": session},
        )

    result = b'{"jsonrpc": "2.0", "id": 1, "result": {}}'
    scripts: list[Any] = [
        [response(result, f"Mcp-Session-Id: {each}", "Content-Type: application/json")] for each in ("s-1-x", "s-2-x")
    ]
    scripts += [[response(b"", status="202 Accepted")]] * 2
    streamed = b"event: message\r\ndata: " + result + b"\r\n\r\n"
    scripts += [[STREAM_HEAD, chunk(streamed), b"0\r\n\r\n"], [STREAM_HEAD, chunk(b": ping\n\n"), b"0\r\n\r\n"]]
    scripts += [[b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]]
    with Scripted(scripts) as server, proxy(server.url, tmp_path) as proxied:
        for _ in range(2):
            fetch(proxied.url, "POST", "/mcp", *rpc(None, "initialize", 1))
        for session in ("s-1-x", "s-2-x"):
            fetch(proxied.url, "POST", "/mcp", *rpc(session, "notifications/initialized", None))
        assert fetch(proxied.url, "POST", "/mcp", *rpc("s-2-x", "tools/list", 1))[3] == streamed
        listening = {"Mcp-Session-Id": "s-2-x", "Accept": "text/event-stream"}
        assert fetch(proxied.url, "GET", "/mcp", None, listening)[3] == b": ping\n\n"
        fetch(proxied.url, "DELETE", "/mcp", None, {"Mcp-Session-Id": "s-2-x"})
    methods = [[each.request.method for each in load_cassette(path).exchanges] for path in sorted(tmp_path.iterdir())]
    assert [each for each in methods if each] == [["POST", "POST"], ["POST", "POST", "POST", "GET", "DELETE"]]


def test_compressed_bodies_are_recorded_as_text(tmp_path: Path) -> None:
    body = json.dumps(ANSWERED).encode()
    packed = response(gzip.compress(body), "Content-Type: application/json", "Content-Encoding: gzip")
    with Scripted([[packed]]) as server, proxy(server.url, tmp_path) as proxied:
        assert gzip.decompress(ask(proxied.url)[3]) == body
    [kept] = read(str(tmp_path))
    assert (kept.response.body.json, kept.response.headers.get("content-encoding")) == (ANSWERED, None)


def test_a_coding_that_cannot_be_read_is_not_recorded_and_not_judged(tmp_path: Path) -> None:
    with (
        Scripted([[response(b"\x00\x01\x02", "Content-Encoding: compress")]]) as server,
        proxy(server.url, tmp_path) as proxied,
    ):
        assert ask(proxied.url)[3] == b"\x00\x01\x02"
    assert [each.rule for each in proxied.findings() if each.side == "response"] == []
    [kept] = read(str(tmp_path))
    assert kept.response.body.note == "not recorded: content coding compress is not supported"
    assert list(proxied.watch.not_recorded) == [kept.response.body.note]


@pytest.mark.parametrize(("variable", "option"), [(MAX_BODY, "--max-body"), (MAX_FILE, "--max-file")])
def test_a_body_above_a_limit_is_forwarded_and_not_recorded(
    variable: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "1")
    large = b"x" * (3 << 19)
    with Scripted([[response(large)], [json_response(ANSWERED)]]) as server, proxy(server.url, tmp_path) as proxied:
        assert ask(proxied.url)[3] == large
        assert ask(proxied.url)[0] == 200  # what the large one used is free again
    dropped, whole = read(str(tmp_path))
    assert option in (dropped.response.body.note or "")
    assert dropped.response.body.empty
    assert whole.response.body.json == ANSWERED
    assert sum(proxied.watch.not_recorded.values()) == 1


def test_a_long_conversation_is_continued_in_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recordings, "_MOST_EXCHANGES", 3)
    with Scripted([[json_response({})]] * 7) as server, proxy(server.url, tmp_path) as proxied:
        for _ in range(7):
            fetch(proxied.url, "GET", "/health")
    assert [len(load_cassette(path).exchanges) for path in sorted(tmp_path.iterdir())] == [3, 3, 1]


def test_new_recordings_do_not_replace_old_ones(tmp_path: Path) -> None:
    for _ in range(2):
        with Scripted([[json_response(ANSWERED)]]) as server, proxy(server.url, tmp_path) as proxied:
            ask(proxied.url)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["openai-chat-0001.yaml", "openai-chat-0002.yaml"]


def test_no_secret_reaches_a_file_or_a_report(tmp_path: Path) -> None:
    half = len(STREAMED_SECRET) // 2
    streamed = [
        EVENTS[0],
        *(
            EVENTS[1].replace(b"Hi.", piece.encode())
            for piece in (f"key {STREAMED_SECRET[:half]}", STREAMED_SECRET[half:])
        ),
        b"event: error\ndata: " + json.dumps({"error": {"message": f"bad {STREAMED_SECRET}"}}).encode() + b"\n\n",
        *EVENTS[2:],
    ]
    scripts: list[Any] = [
        [json_response({**ANSWERED, "note": f"token {SECRETS['response']}", "seen": SECRETS["opaque"]})],
        [json_response({"error": {"message": f"Incorrect key: {SECRETS['error']}"}}, "401 Unauthorized")],
        [STREAM_HEAD, *map(chunk, streamed), b"0\r\n\r\n"],
        [response(gzip.compress(SECRETS["response"].encode()), "Content-Encoding: gzip")],
        [STREAM_HEAD, chunk(streamed[3])],
    ]
    headers = {
        "Authorization": f"Bearer {SECRETS['header']}",
        "X-Custom": SECRETS["other header"],
        "Cookie": f"session={SECRETS['cookie']}",
        "Content-Type": "application/json",
    }
    body = {
        "model": "m",
        "messages": [{"role": "user", "content": f"use {SECRETS['body']} and {SECRETS['query']}"}],
        "stream": True,
    }
    with Scripted(scripts, keep=False) as server, proxy(server.url, tmp_path) as proxied:
        for number in range(len(scripts)):
            key = {"x-api-key": SECRETS["opaque"]} if number else {}  # is known only after it was in a response
            path = f"{CHAT}?key={SECRETS['query']}"
            try:
                fetch(proxied.url, path=path, body=json.dumps(body).encode(), headers={**headers, **key})
            except Exception:  # noqa: BLE001 - the last one is cut off
                assert number == len(scripts) - 1
    findings = proxied.findings()
    assert findings
    written = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*"))
    texts = "".join(f"{each}{each.traffic}" for each in findings)
    for name, secret in (*SECRETS.items(), ("streamed", STREAMED_SECRET), ("piece", STREAMED_SECRET[half:])):
        assert secret not in written, name
        assert secret not in texts, name
    assert written.count("REDACTED") > 10


def test_a_recording_is_read_with_its_metadata(tmp_path: Path) -> None:
    with Scripted([[json_response(ANSWERED)]]) as server, proxy(server.url, tmp_path) as proxied:
        ask(proxied.url)
    found: Recording = document(str(next(tmp_path.iterdir())))
    assert {"dialect", "provenance", "upstream", "recorded_at", "conformance_version"} == found.metadata.keys()
