"""What single providers demand of the ids of calls, as data."""

from __future__ import annotations

import re

import pytest

from conformance.campaign.targets import all_targets
from conformance.judge.example import Example, put
from conformance.model.data_files import load_yaml
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects
from conformance.rules.call_ids import id_patterns
from tests.judged import judge

ENTRIES = load_yaml("tool_call_ids.yaml")["ids"]
RULE = "tool-call-id-unsupported"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry['provider']}-{entry['dialect']}")
def test_an_entry_names_a_provider_a_dialect_a_severity_and_its_evidence(entry: dict[str, str]) -> None:
    assert entry["provider"] in all_targets()
    assert entry["dialect"] in all_dialects()
    assert entry["evidence"]
    assert entry["says"]
    assert Severity[entry["severity"].upper()]
    assert not re.fullmatch(entry["pattern"], "call:" + "x" * 200)


def test_every_entry_is_read() -> None:
    assert sum(map(len, id_patterns().values())) == len(ENTRIES)


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
