"""What single providers demand of the ids of calls, as data."""

from __future__ import annotations

import pytest

from conformance.judge.proofs.example import Example, put
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects
from conformance.profiles.profiles import CallIds, all_profiles
from tests.judged import judge

ENTRIES = [
    (name, dialect, ids)
    for name, profile in all_profiles().items()
    for dialect, listed in profile.call_ids.items()
    for ids in listed
]
RULE = "tool-call-id-unsupported"


@pytest.mark.parametrize(("provider", "dialect", "ids"), ENTRIES, ids=lambda each: str(each)[:20])
def test_an_entry_names_a_dialect_and_its_evidence_and_refuses_some_ids(
    provider: str, dialect: str, ids: CallIds
) -> None:
    assert provider in all_profiles()
    assert dialect in all_dialects()
    assert ids.evidence
    assert ids.expected
    assert not ids.pattern.fullmatch("call:" + "x" * 200)


@pytest.mark.parametrize(
    "url", ["https://api.openai.com/v1/chat/completions", "http://127.0.0.1:8000/v1/chat/completions"]
)
def test_nobody_else_looks_into_an_id(url: str) -> None:
    findings = judge(Example("openai-chat/answer", (put("/0/request/url", url),)))
    assert [finding for finding in findings if finding.rule == RULE] == []


def test_every_call_with_a_foreign_id_is_named() -> None:
    url = put("/0/request/url", "https://api.mistral.ai/v1/chat/completions")
    found = [each for each in judge(Example("openai-chat/answer", (url,))) if each.rule == RULE]
    places = [place for finding in found for place in (finding.pointer, *finding.tally.places)]
    assert places == ["/messages/1/tool_calls/0", "/messages/1/tool_calls/1"]
    assert {finding.severity for finding in found} == {Severity.ERROR}
