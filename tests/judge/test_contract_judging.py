"""How the judge and the reference server use a contract."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.judge import contracted
from conformance.judge.checker import Checker, check
from conformance.judge.contract_rules import contract_rules
from conformance.judge.proofs.example import Edit, Example, drop, example, put
from conformance.judge.rule import all_rules, rules_for
from conformance.judge.view import View
from conformance.model.exchange import Body, Headers, Request
from conformance.model.finding import Finding
from conformance.model.registry import all_dialects
from conformance.reference.answering import answer_to
from conformance.scenario.load import all_scenarios

CALL, ANSWER, STREAM = "openai-chat/call", "openai-chat/answer", "openai-chat/stream-answer"
ASKED, REPLY, EVENTS = "/0/request/body", "/0/response/body", "/0/response/events"


def found(base: str, *edits: Edit, complete: bool = True) -> list[Finding]:
    return check(example(base, *edits, complete=complete).exchanges())


def test_a_finding_names_what_to_change_and_where_that_is_written_down() -> None:
    [finding] = found(ANSWER, put(f"{ASKED}/temperature", 3))
    assert (finding.rule, str(finding.severity), finding.pointer) == (
        "chat-request-value-out-of-range",
        "error",
        "/temperature",
    )
    assert (finding.expected, finding.actual) == ("from 0 to 2", "3")
    assert finding.fix == "choose a value from 0 to 2"
    assert finding.as_json()["fix"] == finding.fix
    assert finding.cite == "OAC-Q-025 OpenAI OpenAPI"


def test_all_that_one_object_lacks_is_one_finding() -> None:
    [finding] = found(ANSWER, drop(f"{REPLY}/id"), drop(f"{REPLY}/model"))
    assert (finding.rule, finding.message, finding.pointer) == (
        "chat-reply-field-missing",
        "`id` and `model` are missing",
        None,
    )


def test_a_fault_in_every_event_is_reported_at_the_first() -> None:
    edits = [put(f"{EVENTS}/{number}/data/system_fingerprint", 7) for number in range(1, 4)]
    assert [finding.pointer for finding in found(STREAM, *edits)] == ["event/1/system_fingerprint"]


def test_a_failure_without_a_json_body_lacks_its_error() -> None:
    for body, message in (("", "the failure has no body"), ("busy", "the failure's body is not JSON")):
        [finding] = [each for each in found("openai-chat/failure", put(REPLY, body)) if each.side == "response"]
        assert (finding.rule, finding.message, finding.pointer) == ("chat-error-malformed", message, None)
    assert found("openai-chat/failure", put(REPLY, ""), complete=False) == []


def test_what_cannot_be_read_is_not_passed_to_a_contract() -> None:
    rules = {finding.rule for finding in found(CALL, put(REPLY, '{"id": '), put(ASKED, '{"model": '))}
    assert not rules & contract_rules().keys()


def test_a_habit_of_one_provider_is_reported_as_such() -> None:
    url = "https://api.z.ai/api/paas/v4/chat/completions"
    [finding] = found(ANSWER, put("/0/request/url", url), drop(f"{REPLY}/object"))
    assert (str(finding.severity), finding.message) == ("warning", "`object` is missing (known quirk of zai)")


def test_an_accepted_request_contradicts_a_row_whose_reason_is_a_refusal() -> None:
    edits = put(f"{ASKED}/max_tokens", 500), put(f"{ASKED}/max_completion_tokens", 500)
    [taken] = found(ANSWER, *edits)
    [refused] = [each for each in found("openai-chat/failure", *edits) if each.side == "request"]
    assert taken.rule == refused.rule == "chat-request-fields-conflicting"
    assert (str(taken.severity), str(refused.severity)) == ("warning", "error")


def test_what_a_refusal_misses_is_missing_in_a_recording_that_may_have_dropped_it() -> None:
    edits = drop(f"{ASKED}/tools"), put(f"{ASKED}/parallel_tool_calls", value=False)
    message = "'parallel_tool_calls' is only allowed when 'tools' are specified."
    refused = put("/0/response/body/error/message", message), put("/0/response/status", 400)
    named = put("/0/response/body/error/param", "parallel_tool_calls")
    assert found("openai-chat/failure", *edits, *refused[1:], complete=False) == []
    [finding] = found("openai-chat/failure", *edits, *refused, named, complete=False)
    assert (finding.rule, finding.pointer) == ("chat-tool-option-orphaned", "/parallel_tool_calls")


def test_rules_of_a_contract_do_not_run_by_themselves() -> None:
    running = {rule.id for rules in rules_for("openai-chat").values() for rule in rules}
    assert not running & contract_rules().keys()


@pytest.mark.parametrize("name", ["chat-error-malformed", "chat-request-value-unknown", "chat-finish-reason-unknown"])
def test_a_rule_of_a_contract_can_be_asked_alone(name: str) -> None:
    rule = all_rules()[name]
    [at] = {each.at for each in rule.violating[:1]}
    views = [View(each, all_dialects()["openai-chat"]) for each in rule.violating[0].exchanges()]
    hits = [hit for view in views for hit in rule.judge(view)]
    assert [f"{hit.side} {hit.pointer or ''}".strip() for hit in hits] == [(at or "").partition(" ")[2]]


def test_a_fault_of_a_contract_is_a_harness_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object, **__: object) -> Any:
        raise KeyError("row")

    monkeypatch.setattr(contracted, "situation_of", broken)
    checker = Checker()
    for exchange in Example(CALL).exchanges():
        checker.feed(exchange)
    [error] = checker.summary.harness_errors
    assert error.startswith("the contract of openai-chat failed on example:openai-chat/call (exchange 0): KeyError")


def sent(**fields: Any) -> tuple[int, str]:
    """What the reference server answers to a Chat request with these fields."""
    body = {"model": "m", "messages": [{"role": "user", "content": "Hello."}], **fields}
    headers = Headers([("authorization", "Bearer x"), ("content-type", "application/json")])
    url = "http://127.0.0.1:1/v1/chat/completions"
    request = Request("POST", url, headers, Body(json.dumps(body).encode()))
    rendered = answer_to(request, all_scenarios()).delivery.rendered
    return rendered.status, b"".join(rendered.chunks).decode()


def test_the_reference_server_refuses_by_rows_that_are_known_to_be_refused() -> None:
    status, body = sent(stop=["a", "b", "c", "d", "e"])
    assert status == 400
    assert "`stop` has 5 items (chat-request-count-out-of-range at /stop)" in body


def test_the_reference_server_does_not_refuse_what_is_only_a_warning() -> None:
    status, body = sent(tools=[])
    assert "chat-tools-empty" not in body
    assert status == 404  # no scenario begins so


def test_the_reference_server_refuses_by_rules_in_python_as_before() -> None:
    calls = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    history = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None, "tool_calls": calls}]
    status, body = sent(messages=history)
    assert status == 400
    assert "tool-call-unanswered" in body
