"""What a scenario expects of a run: each statement fires when it is broken, and not otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Edit, Example, put
from conformance.matrix.expectations import judge_run
from conformance.scenario.executor import Executed, ToolOutcome
from conformance.scenario.load import all_scenarios
from conformance.scenario.model import Conversation, Expect, ExpectedCall, Scenario, ScriptedTurn, Tool

SEOUL = {"latitude": 37.57, "longitude": 126.98}
BUSAN = {"latitude": 35.18, "longitude": 129.08}
SCENARIO = Scenario(
    id="two-cities",
    summary="",
    conversations=(Conversation("", (ScriptedTurn(text="x"),)),),
    exercise=("parallel-tool-calls",),
    tools=(Tool("get_weather", "", {}, ()),),
    expect=Expect(
        calls=(ExpectedCall("get_weather", SEOUL), ExpectedCall("get_weather", {**BUSAN})),
        contains=("{get_weather[0].temperature}",),
        in_order=("{get_weather[0].temperature}", "{get_weather[1].temperature}"),
    ),
)
RAN = [
    Executed("get_weather", SEOUL, ToolOutcome({"temperature": 14.2})),
    Executed("get_weather", BUSAN, ToolOutcome({"temperature": 17.9})),
]


def statements(scenario: Scenario = SCENARIO, ran: list[Executed] = RAN, *edits: Edit) -> list[str]:
    checker = Checker()
    for exchange in Example("openai-chat/run", edits).exchanges():
        checker.feed(exchange)
    return [each.rule for each in judge_run(scenario, checker.views("example", "openai-chat"), ran)]


def test_what_a_dialect_has_no_form_for_need_not_be_exercised() -> None:
    """Chat Completions shows no reasoning: a run against its owner's endpoint cannot."""
    assert statements(replace(SCENARIO, exercise=("reasoning", "tool-call"))) == []


def expecting(**changes: Any) -> Scenario:
    return replace(SCENARIO, expect=replace(SCENARIO.expect, **changes))


def test_a_run_that_is_as_expected_has_no_finding() -> None:
    assert statements() == []


CALL = "/0/response/body/choices/0/message/tool_calls/0/function"
ANSWER = "/1/response/body/choices/0/message/content"


@pytest.mark.parametrize(
    ("scenario", "statement"),
    [
        (expecting(calls=(ExpectedCall("get_weather", SEOUL),)), "tool-call-unexpected"),
        (expecting(calls=(ExpectedCall("get_time", None), ExpectedCall("get_weather", None))), "tool-call-unexpected"),
        (expecting(calls=(*(SCENARIO.expect.calls or ()), ExpectedCall("get_time", None))), "expected-call-missing"),
        (expecting(calls=(ExpectedCall("get_weather", {}), ExpectedCall("get_weather", None))), "arguments-unexpected"),
        (replace(SCENARIO, exercise=("sequential-tool-calls",)), "exercise-missing"),
        (expecting(in_order=("{get_weather[1].temperature}", "{get_weather[0].temperature}")), "answer-fact-missing"),
        (expecting(contains=("{get_weather[1].humidity}",)), "answer-fact-missing"),
    ],
)
def test_another_expectation_is_not_met(scenario: Scenario, statement: str) -> None:
    assert set(statements(scenario)) == {statement}


@pytest.mark.statement("D28")
def test_an_answer_about_another_place_is_found() -> None:
    """The seed's D28: asked about one town, answered about another."""
    assert set(statements(SCENARIO, RAN, put(ANSWER, "21.0 °C in Menlo Park."))) == {"answer-fact-missing"}


def test_a_missing_fact_of_a_tool_that_was_not_called_is_shown_as_its_value() -> None:
    checker = Checker()
    for exchange in Example("openai-chat/run", (put(ANSWER, "I do not know."),)).exchanges():
        checker.feed(exchange)
    scenario = all_scenarios()["weather"]
    found = judge_run(scenario, checker.views("example", "openai-chat"), [])
    [hit] = [each.hit for each in found if each.rule == "answer-fact-missing"]
    assert scenario.expect.contains == ("{get_weather.temperature}",)
    assert hit.expected is not None
    assert float(hit.expected)
    assert hit.message == f"the answer does not contain {hit.expected!r}"


@pytest.mark.statement("D33")
def test_a_result_that_the_tool_did_not_return_is_found() -> None:
    """The seeds' D33: the function returns one number, the model gets a whole object."""
    one_number = [Executed("get_weather", SEOUL, ToolOutcome(14.2)), RAN[1]]
    free = expecting(contains=(), in_order=())
    assert statements(free, one_number) == ["tool-result-changed"]
    retyped = put("/1/request/body/messages/2/content", '{"temperature": "14.2"}')
    assert statements(free, RAN, retyped) == ["tool-result-changed"]


def test_a_run_that_ends_in_calls_has_no_answer() -> None:
    checker = Checker()
    for exchange in Example("openai-chat/call").exchanges():
        checker.feed(exchange)
    found = judge_run(SCENARIO, checker.views("example", "openai-chat"), RAN)
    assert [each.rule for each in found] == ["final-answer-missing"]


def test_a_call_that_was_cut_off_and_run_all_the_same_is_found() -> None:
    cut = put("/0/response/body/choices/0/finish_reason", "length")
    free = expecting(calls=None, contains=(), in_order=())
    assert statements(free, RAN, cut) == ["truncation-ignored"]
    assert statements(free, [], cut) == []
