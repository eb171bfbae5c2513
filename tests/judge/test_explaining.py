"""What follows from another finding names it; what only stands beside it does not."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from conformance.judge.explaining import explained, explained_in_run
from conformance.judge.rule_ids import defect_of
from conformance.model.finding import Finding, Severity, Side


def finding(rule: str, pointer: str | None, severity: Severity = Severity.WARNING, side: Side = "response") -> Finding:
    return Finding(rule, severity, "m", side=side, pointer=pointer, defect=defect_of(rule))


@pytest.mark.parametrize(
    ("root", "effect"),
    [
        (("chat-delta-unexpected", "event/3/choices/0/delta"), ("chat-role-repeated", "event/3/choices/0/delta/role")),
        (("chat-body-malformed", None), ("chat-id-missing", None)),
        (("chat-call-malformed", "/messages/1"), ("echoed-call-changed", "/messages/1")),
        (("chat-tool-misplaced", "/tools/0/function"), ("tool-description-missing", "/tools/0")),
        (("chat-usage-misplaced", "event/9/usage"), ("chat-usage-key-missing", "event/0")),
        (("chat-reply-empty", "/choices/0"), ("tool-choice-ignored", "/choices/0")),
        (("call-markup-leaked", "/choices/0/message/content"), ("tool-choice-ignored", "/choices/0")),
        (("stream-truncated", "event/7"), ("chat-done-missing", None)),
        (("stream-truncated", "event/7"), ("chat-finish-missing", "event/7/choices/0")),
        (("chat-tool-unknown", "/tools/0/type"), ("tool-description-missing", "/tools/0")),
        (("chat-usage-misplaced", "event/9/usage"), ("chat-finish-repeated", "event/9/choices/0/finish_reason")),
        (("cohere-start-misplaced", "event/5"), ("arguments-malformed", "event/3/delta/message/tool_calls")),
        (("cohere-start-misplaced", "event/5"), ("tool-call-name-missing", "event/5/delta/message/tool_calls")),
        (("chat-usage-part-out-of-range", "/usage/a/b"), ("chat-usage-total-wrong", "/usage/total_tokens")),
        (("tool-result-orphaned", "/messages/2/content/0"), ("tool-call-unanswered", "/messages/1/content/1")),
    ],
)
def test_an_effect_names_its_root(root: tuple[str, str | None], effect: tuple[str, str | None]) -> None:
    for pair in ([root, effect], [effect, root]):
        found = {each.rule: each.because for each in explained([finding(*each) for each in pair])}
        assert found == {root[0]: None, effect[0]: root[0]}


def test_a_name_does_not_follow_from_the_arguments_beside_it() -> None:
    call = "/choices/0/message/tool_calls/0"
    both = [finding("arguments-malformed", call), finding("tool-call-undeclared", call)]
    assert [each.because for each in explained(both)] == [None, None]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("chat-role-repeated", "event/3/choices/0/delta/role"), ("chat-delta-unexpected", "event/4/choices/0/delta")),
        (("chat-delta-unexpected", "/a"), ("chat-role-repeated", "/ab")),
        (("chat-id-missing", None), ("chat-role-repeated", "/role")),
        (("chat-id-missing", "/tools/0"), ("chat-schema-mismatch", "/tools/0")),
        (("chat-field-misplaced", "/usage"), ("chat-id-missing", None)),
        (("chat-model-unknown", "/model"), ("chat-name-unknown", "/model")),
        (("stream-truncated", "event/7"), ("chat-role-missing", "event/0/choices/0")),
        (("stream-truncated", "event/7"), ("chat-role-repeated", None)),
        (("chat-model-unknown", "/type"), ("tool-description-missing", "/tools/0")),
        (("chat-usage-misplaced", "event/9/usage"), ("chat-finish-repeated", "event/8/choices/0/finish_reason")),
        (("chat-usage-misplaced", "event/9/usage"), ("arguments-malformed", "event/3/choices/0/delta/tool_calls/0")),
        (("chat-usage-part-out-of-range", "/usage/a"), ("chat-usage-total-wrong", "/usage/total_tokens")),
        (("chat-temperature-out-of-range", "/a/b"), ("chat-usage-total-wrong", "/total_tokens")),
        (("tool-result-orphaned", "/messages/2/content/0"), ("tool-call-unanswered", "/input/1")),
    ],
)
def test_what_stands_beside_a_finding_does_not_name_it(
    one: tuple[str, str | None], other: tuple[str, str | None]
) -> None:
    assert [each.because for each in explained([finding(*one), finding(*other)])] == [None, None]


def test_a_finding_is_not_explained_by_a_lesser_one_or_one_of_the_other_side() -> None:
    root, effect = ("chat-delta-unexpected", "/a"), ("chat-role-repeated", "/a/role")
    lesser = [finding(*root, Severity.INFO), finding(*effect)]
    other = [finding(*root, side="request"), finding(*effect)]
    assert [each.because for pair in (lesser, other) for each in explained(pair)] == [None] * 4


def test_many_findings_are_explained_in_linear_time() -> None:
    def seconds(number: int) -> float:
        many = [finding("chat-delta-unexpected", f"event/{each}/a") for each in range(number)]
        many += [finding("chat-role-repeated", f"event/{each}/a/b") for each in range(number)]
        begun = time.process_time()
        assert sum(each.because is not None for each in explained(many)) == number
        return time.process_time() - begun

    assert seconds(8_000) < 16 * max(seconds(1_000), 0.005)


def of_run(rule: str, side: Side, exchange: int | None, severity: Severity = Severity.ERROR) -> Finding:
    return replace(finding(rule, None, severity, side), exchange=exchange)


@pytest.mark.parametrize(
    ("effect", "wanted"),
    [
        (of_run("client-error-unexpected", "response", 1), "chat-role-missing"),
        (of_run("client-error-unexpected", "response", 0), None),
        (of_run("client-reading-mismatch", "response", None), "chat-role-missing"),
        (of_run("tool-result-orphaned", "request", 2), "chat-role-missing"),
        (of_run("tool-result-orphaned", "request", 1), None),
        (of_run("chat-done-missing", "response", 2), None),
    ],
)
def test_in_a_run_what_the_client_does_follows_from_the_replies_before(effect: Finding, wanted: str | None) -> None:
    replies = [
        of_run("chat-usage-missing", "response", 0, Severity.INFO),
        of_run("chat-usage-missing", "response", 1, Severity.WARNING),
        of_run("chat-role-missing", "response", 1),
    ]
    *others, last = explained_in_run([*replies, effect])
    assert [each.because for each in others] == [None] * 3
    assert last.because == wanted


@pytest.mark.parametrize(
    "named",
    [
        finding("chat-call-id-type", "/choices/0/message/tool_calls/0/id"),
        replace(finding("chat-call-id-missing", "/choices/0/message/tool_calls/0"), message="`id` is missing"),
    ],
    ids=lambda each: each.rule,
)
def test_an_error_of_the_client_follows_from_the_fault_whose_member_it_names(named: Finding) -> None:
    faults = [replace(named, exchange=0), replace(finding("chat-usage-type", "/usage"), exchange=1)]
    error = replace(finding("client-error-unexpected", None), exchange=1)
    naming = replace(error, message="ValidationError: tool_calls.0.id is no string")
    *_, first = explained_in_run([*faults, naming])
    *_, last = explained_in_run([*faults, error])
    assert (first.because, last.because) == (named.rule, "chat-usage-type")
