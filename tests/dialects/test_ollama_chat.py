"""Ollama's chat: which requests belong to it, its lines, and what a stream that is cut anywhere shows."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example
from conformance.model.exchange import Body, Exchange, json_request
from conformance.model.lines import events
from conformance.model.registry import all_dialects, claim

OLLAMA = all_dialects()["ollama-chat"]
URL = "http://localhost:11434/api/chat"
ASKED = {"model": "qwen3:8b", "messages": [{"role": "user", "content": "Hi"}]}


def line(content: str, **more: object) -> str:
    message = {"role": "assistant", "content": content}
    value = {"model": "qwen3:8b", "created_at": "2026-09-21T12:26:40Z", "message": message, "done": False, **more}
    return json.dumps(value, ensure_ascii=False) + "\n"


def answered(body: str, **headers: str) -> Exchange:
    response = {"status": 200, "headers": headers, "body": body}
    return Exchange.of({"request": {"method": "POST", "url": URL, "body": ASKED}, "response": response})


@pytest.mark.parametrize("body", [{"messages": []}, {"id": "1", "messages": [{"role": "user", "parts": []}]}, None])
def test_a_chat_of_a_web_framework_at_the_same_path_is_not_claimed(body: object) -> None:
    assert claim(json_request("/api/chat", body)) is None
    assert claim(json_request("/api/chat", ASKED)) is OLLAMA


def test_a_request_streams_unless_it_forbids_it_or_only_loads_the_model() -> None:
    read = OLLAMA.readers.read_request
    bodies = [ASKED, {**ASKED, "stream": True}, {**ASKED, "stream": False}, {**ASKED, "messages": []}]
    assert [read(json_request("/api/chat", each), each).stream for each in bodies] == [True, True, False, False]


def test_only_a_line_feed_ends_a_line() -> None:
    text = "one\u2028two\x85three\u2029four"
    found = list(events("\ufeff" + line(text) + "\r\n" + line("", done=True)))
    assert [each.json["message"]["content"] for each in found] == [text, ""]
    assert [each.number for each in found] == [0, 1]


def test_lines_are_a_stream_without_a_content_type_too() -> None:
    body = line("He") + line("llo") + line("", done=True, done_reason="stop")
    for exchange in (answered(body), answered(body, **{"content-type": "application/x-ndjson"})):
        assert exchange.response.is_stream
        assert not exchange.response.is_event_stream
        (turn,) = OLLAMA.readers.replies(None, OLLAMA.readers.sse_events(exchange))
        assert (turn.text, turn.stop) == ("Hello", "end")
        assert Checker().feed(exchange) == []


def test_thinking_text_and_calls_of_a_stream_have_the_order_of_a_plain_reply() -> None:
    call = {"function": {"name": "f", "arguments": {}}}
    body = (
        line("", message={"role": "assistant", "content": "", "tool_calls": [call]})
        + line("Well.")
        + line("", message={"role": "assistant", "content": "", "thinking": "Hm."})
        + line("", done=True, done_reason="stop")
    )
    (turn,) = OLLAMA.readers.replies(None, OLLAMA.readers.sse_events(answered(body)))
    assert [type(part).__name__ for part in turn.parts] == ["Reasoning", "Text", "ToolCall"]
    assert turn.stop == "tool-calls"


@pytest.mark.parametrize("base", ["stream-call", "stream-answer"])
def test_a_stream_that_is_cut_at_any_byte_is_reported_until_its_last_line_is_whole(base: str) -> None:
    (whole,) = Example(f"ollama-chat/{base}").exchanges()
    body = (whole.response.body.text or "").encode()
    for size in range(1, len(body) + 1):
        exchange = replace(whole, response=replace(whole.response, body=Body(body[:size])))
        checker = Checker()
        found = {each.rule for each in checker.feed(exchange)}
        assert checker.summary.harness_errors == []
        assert bool(found & {"ollama-done-missing", "stream-truncated"}) == (size < len(body) - 1), size
