"""Cohere's chat: which requests belong to it, its plans, its streams, and what a stream that is cut anywhere shows."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example
from conformance.model.exchange import Body, Exchange, json_request
from conformance.model.registry import all_dialects, claim

COHERE = all_dialects()["cohere-chat"]
ASKED = {"model": "command-a-03-2025", "messages": [{"role": "user", "content": "Hi"}], "stream": True}


def streamed(*events: object) -> Exchange:
    body = "".join(f"data: {json.dumps(each)}\n\n" for each in events) + "data: [DONE]\n\n"
    response = {"status": 200, "headers": {"content-type": "text/event-stream"}, "body": body}
    return Exchange.of(
        {"request": {"method": "POST", "url": "https://api.cohere.com/v2/chat", "body": ASKED}, "response": response}
    )


def call(kind: str, index: int, **given: object) -> dict[str, object]:
    return {"type": kind, "index": index, "delta": {"message": {"tool_calls": given}}}


def test_a_chat_of_version_1_is_not_claimed() -> None:
    assert claim(json_request("/v1/chat", {"message": "Hi"})) is None
    assert claim(json_request("/v2/chat", {"message": "Hi"})) is None
    assert claim(json_request("/v2/chat", ASKED)) is COHERE


def test_the_plan_comes_before_the_content_and_the_calls() -> None:
    message = {
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
        "content": [{"type": "text", "text": "Well."}],
        "tool_plan": "I will call f.",
    }
    (turn,) = COHERE.readers.read_reply({"message": message, "finish_reason": "TOOL_CALL"})
    assert [type(part).__name__ for part in turn.parts] == ["Reasoning", "Text", "ToolCall"]
    assert turn.stop == "tool-calls"


def test_calls_that_interleave_are_read_by_their_index() -> None:
    exchange = streamed(
        {"type": "message-start", "delta": {"message": {"role": "assistant"}}},
        call("tool-call-start", 0, id="a", function={"name": "f", "arguments": ""}),
        call("tool-call-start", 1, id="b", function={"name": "g", "arguments": ""}),
        call("tool-call-delta", 1, function={"arguments": '{"y"'}),
        call("tool-call-delta", 0, function={"arguments": '{"x":1}'}),
        call("tool-call-delta", 1, function={"arguments": ":2}"}),
        {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}},
    )
    (turn,) = COHERE.readers.replies(None, COHERE.readers.sse_events(exchange))
    assert [(each.id, each.name, each.arguments) for each in turn.calls] == [("a", "f", {"x": 1}), ("b", "g", {"y": 2})]


def test_a_call_without_arguments_streams_no_text_for_them() -> None:
    exchange = streamed(
        call("tool-call-start", 0, id="a", function={"name": "f", "arguments": ""}),
        {"type": "tool-call-end", "index": 0},
        {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}},
    )
    events = COHERE.readers.sse_events(exchange) or ()
    (turn,) = COHERE.readers.read_stream(events)
    assert [each.arguments for each in turn.calls] == [{}]
    complete = [
        each.arguments_complete for each in COHERE.readers.stream_events(events) if each.kind == "tool_call_end"
    ]
    assert complete == ["{}"]


@pytest.mark.parametrize("base", ["stream-call", "stream-answer"])
def test_a_stream_that_is_cut_at_any_byte_is_read_without_an_error_of_the_harness(base: str) -> None:
    (whole,) = Example(f"cohere-chat/{base}").exchanges()
    body = (whole.response.body.text or "").encode()
    for size in range(1, len(body) + 1):
        checker = Checker()
        checker.feed(replace(whole, response=replace(whole.response, body=Body(body[:size]))))
        assert checker.summary.harness_errors == [], size
