"""gemini-interactions: its claims, its input forms, its streams, what the reference server sends and keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from conformance.dialects.gemini_interactions import render
from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example
from conformance.judge.view import View
from conformance.model.exchange import Body, Exchange, json_request
from conformance.model.kept import Kept
from conformance.model.registry import all_dialects, claim
from conformance.model.rendered import IdFactory
from conformance.model.transcript import Ask, Part, Reasoning, Text, ToolCall, Turn
from conformance.reference.answering import answer_to
from conformance.scenario.load import all_scenarios
from tests.sampling import every

INTERACTIONS = all_dialects()["gemini-interactions"]
PATH = "/v1beta/interactions"
TEXT = {"type": "text", "text": "Hi"}


def read(body: Any) -> Ask:
    return INTERACTIONS.readers.read_request(json_request(PATH, body), body)


def whole(base: str) -> Exchange:
    [exchange] = Example(f"gemini-interactions/{base}").exchanges()
    return exchange


def rules(exchange: Exchange) -> set[str]:
    checker = Checker()
    found = {each.rule for each in checker.feed(exchange)}
    assert checker.summary.harness_errors == []
    return found


@pytest.mark.parametrize(
    ("path", "body", "claimed"),
    [
        (PATH, {}, True),
        ("/v1beta1/projects/a/locations/global/interactions", None, True),
        ("/google/interactions", {"model": "gemini-3-flash-preview", "input": "Hi"}, True),
        ("/interactions", {"type": 2, "data": {}}, False),
        ("/v1beta/interactions/v1_a/cancel", {}, False),
    ],
)
def test_a_request_is_claimed_by_the_path_or_by_its_keys(path: str, body: Any, *, claimed: bool) -> None:
    assert (claim(json_request(path, body)) is INTERACTIONS) == claimed


@pytest.mark.parametrize("given", ["Hi", TEXT, [TEXT], [{"type": "user_input", "content": [TEXT]}]])
def test_each_form_of_the_input_is_the_same_turn(given: Any) -> None:
    [turn] = read({"model": "m", "input": given}).history
    assert (turn.role, turn.text) == ("user", "Hi")


@pytest.mark.parametrize(
    "value", [None, 1, [], [1], {}, {"type": []}, [{"type": {}}], [{"type": "thought", "summary": 1}]]
)
def test_no_input_and_no_reply_raises(value: Any) -> None:
    read(value)
    read({"input": value, "tools": value, "generation_config": value, "response_format": value})
    read({"response_format": {"mime_type": []}, "generation_config": {"tool_choice": value}})
    for body in (value, {"status": value, "steps": value, "id": value}):
        INTERACTIONS.readers.read_reply(body)


def test_a_request_that_continues_an_interaction_names_it() -> None:
    ask = read({"model": "m", "previous_interaction_id": "v1_a", "input": "Hi"})
    assert (ask.partial, ask.continues) == (True, "v1_a")


def test_a_stream_reads_as_the_same_turn_as_the_reply_without_one() -> None:
    streamed, plain = (View(whole(base), INTERACTIONS).replies[0] for base in ("stream-call", "thinking"))
    assert [
        replace(part, pointer="", wire=None) if isinstance(part, ToolCall) else replace(part, pointer="")
        for part in streamed.parts
    ] == [replace(part, pointer="") for part in plain.parts]
    assert streamed.stop == plain.stop == "tool-calls"


CUT = {"interactions-completed-missing", "interactions-done-missing", "stream-truncated", "stream-empty"}


@pytest.mark.parametrize("base", ["stream-call", "stream-answer"])
def test_a_stream_that_is_cut_at_any_byte_is_reported_until_its_last_event_is_whole(base: str) -> None:
    exchange = whole(base)
    body = (exchange.response.body.text or "").encode()
    drawn = every(range(1, len(body)), 7, risk="a byte within an event after which a stream that is cut looks whole")
    for size in (*drawn, *range(len(body) - 7, len(body) + 1)):
        cut = replace(exchange, response=replace(exchange.response, body=Body(body[:size])))
        found = rules(cut) & {
            "interactions-completed-missing",
            "interactions-done-missing",
            "stream-truncated",
            "stream-empty",
        }
        assert bool(found) == (size < len(body)), size


TURNS: dict[str, tuple[Part, ...]] = {
    "text": (Text("14.2 °C in Seoul — 서울."),),
    "call": (Text("Both, then."), ToolCall(None, "get_weather", {"city": "Seoul"})),
    "thinking": (Reasoning("Two places."), Reasoning(None), ToolCall("call_1", "get_weather", {"city": "Busan"})),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", TURNS)
def test_what_the_reference_server_sends_has_no_finding_and_reads_as_what_was_meant(name: str, *, stream: bool) -> None:
    parts = TURNS[name]
    turn = Turn("assistant", parts, stop="tool-calls" if name != "text" else "end")
    exchange = whole("stream-call" if stream else "call")
    made = render.answer(turn, read(exchange.request.body.json), exchange.request, IdFactory(name))
    answered = replace(exchange, response=made.response)
    assert rules(answered) == set()
    [reply] = View(answered, INTERACTIONS).replies
    assert [type(part) for part in reply.parts] == [type(part) for part in parts]
    assert reply.text == turn.text
    assert [call.arguments for call in reply.calls] == [call.arguments for call in turn.calls]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 429, 500, 503])
def test_an_error_of_the_reference_server_has_no_finding(status: int) -> None:
    exchange = whole("call")
    made = render.failure(status, "No.", exchange.request, IdFactory(""))
    assert rules(replace(exchange, response=made.response)) == set()


def test_the_reference_server_continues_what_it_stored_and_nothing_else() -> None:
    kept, scenarios = Kept(), all_scenarios()
    weather = scenarios["weather"]
    tools = [{"type": "function", "name": tool.name, "parameters": tool.parameters} for tool in weather.tools]
    key = ("x-goog-api-key", "REDACTED")
    asked = {"model": "gemini-3-flash-preview", "tools": tools, "input": weather.conversations[0].user}

    def answered(body: Any) -> tuple[int, Any]:
        made = answer_to(json_request(PATH, body, key), scenarios, kept=kept)
        return made.status, made.delivery.response.body.json

    _, first = answered(asked)
    [call] = [step for step in first["steps"] if step["type"] == "function_call"]
    result = {"type": "function_result", "call_id": call["id"], "name": call["name"], "result": "14"}
    status, last = answered({**asked, "input": [result], "previous_interaction_id": first["id"]})
    assert (status, last["status"]) == (200, "completed")
    assert answered({**asked, "input": [result], "previous_interaction_id": "v1_other"})[0] == 404
