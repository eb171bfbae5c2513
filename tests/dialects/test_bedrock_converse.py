"""bedrock-converse: the binary stream, what it reads as, and what the reference server sends."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dialects.bedrock_converse import DIALECT, render
from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example
from conformance.judge.view import View
from conformance.model import eventstream
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Ask, Malformed, Part, Reasoning, Text, ToolCall, Turn


def record_of(base: str) -> dict[str, Any]:
    [record] = Example(f"bedrock-converse/{base}").records()
    return record


def judged(record: dict[str, Any], *, complete: bool = True) -> list[Finding]:
    checker = Checker()
    found = checker.feed(Exchange.of(record, complete=complete))
    assert checker.summary.harness_errors == []
    return found


def view(record: dict[str, Any]) -> View:
    return View(Exchange.of(record, complete=True), DIALECT)


def with_body(record: dict[str, Any], body: bytes) -> dict[str, Any]:
    return {**record, "response": {**record["response"], "body": body}}


def spoken(turn: Turn) -> list[Any]:
    """What a turn says, wherever it stands."""
    return [
        (part.id, part.name, part.arguments) if isinstance(part, ToolCall) else getattr(part, "text", part)
        for part in turn.parts
    ]


def test_a_stream_reads_as_the_same_turn_as_the_reply_without_one() -> None:
    streamed, plain = view(record_of("stream-call")).replies, view(record_of("call")).replies
    assert [spoken(turn) for turn in streamed] == [spoken(turn) for turn in plain]
    assert streamed[0].stop == plain[0].stop == "tool-calls"


def test_a_stream_that_is_cut_at_any_byte_is_named_as_cut() -> None:
    record = record_of("stream-call")
    body: bytes = record["response"]["body"]
    ends = [0]
    while ends[-1] < len(body):
        ends.append(ends[-1] + int.from_bytes(body[ends[-1] : ends[-1] + 4], "big"))
    for size in range(1, len(body)):
        last = list(eventstream.numbered(body[:size]))[-1]
        assert last.complete == (size in ends), size
    for size in ends[1:-1]:
        rules = {each.rule for each in judged(with_body(record, body[:size]))}
        assert "stream-truncated" not in rules
        assert rules & {"converse-stream-stop-missing", "converse-metadata-missing"}
        assert "stream-truncated" in {each.rule for each in judged(with_body(record, body[: size + 7]))}


def test_no_byte_of_a_stream_can_change_unseen() -> None:
    record = record_of("stream-answer")
    body: bytes = record["response"]["body"]
    for place in range(len(body)):
        changed = body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]
        broken = [each for each in eventstream.numbered(changed) if isinstance(each.json, Malformed)]
        assert broken, place
        if place % 100 == 0:
            rules = {each.rule for each in judged(with_body(record, changed))}
            assert rules & {"converse-message-malformed", "stream-truncated"}, place


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({":event-type": "messageStart"}, "the header :message-type is missing"),
        ({":message-type": "event"}, "the header :event-type is missing"),
        ({":message-type": "exception", ":event-type": "a"}, "the header :exception-type is missing"),
        ({":message-type": "other"}, "the header :message-type is 'other'"),
    ],
)
def test_a_message_without_the_headers_that_name_it_is_broken(headers: dict[str, str], reason: str) -> None:
    record = record_of("stream-answer")
    body: bytes = record["response"]["body"]
    found = judged(with_body(record, body + eventstream.frame_of(headers, b"{}")))
    assert [each.message for each in found if each.rule == "converse-message-malformed"] == [reason]


def test_an_exception_in_a_stream_is_one_on_the_wire() -> None:
    body: bytes = record_of("stream-failed")["response"]["body"]
    last = list(eventstream.frames(body))[-1]
    assert last.headers[":message-type"] == "exception"
    assert last.headers[":exception-type"] == "throttlingException"


def answered(rendered: Rendered, base: str) -> dict[str, Any]:
    record = record_of(base)
    response = {"status": rendered.status, "headers": dict(rendered.headers), "body": rendered.body}
    return {**record, "response": response}


TURNS: dict[str, tuple[Part, ...]] = {
    "text": (Text("14.2 °C in Seoul — 서울."),),
    "call": (Text("Both, then."), ToolCall(None, "get_weather", {"city": "Seoul"})),
    "thinking": (Reasoning("Two places."), Reasoning(None), ToolCall("tooluse_1", "get_weather", {"city": "Busan"})),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", TURNS)
def test_what_the_reference_server_sends_has_no_finding_and_reads_as_what_was_meant(name: str, *, stream: bool) -> None:
    parts = TURNS[name]
    turn = Turn("assistant", parts, stop="tool-calls" if name != "text" else "end")
    base = "stream-call" if stream else "call"
    asked = Exchange.of(record_of(base)).request
    record = answered(render.answer(turn, Ask(stream=stream), asked, IdFactory(name)), base)
    assert judged(record) == []
    [reply] = view(record).replies
    assert [type(part) for part in reply.parts] == [type(part) for part in parts]
    assert reply.text == turn.text
    assert [call.arguments for call in reply.calls] == [call.arguments for call in turn.calls]


@pytest.mark.parametrize("status", [400, 403, 404, 408, 413, 424, 429, 500, 502, 503])
def test_an_error_of_the_reference_server_has_no_finding(status: int) -> None:
    asked = Exchange.of(record_of("call")).request
    found = judged(answered(render.failure(status, "No.", asked, IdFactory("")), "call"))
    assert found == []
