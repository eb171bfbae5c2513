"""Quirks: whom they excuse, and that version and time are what the exchange says, never what the clock says."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.judge import quirks
from conformance.judge.checker import check
from conformance.judge.proofs.example import Edit, drop, example, put
from conformance.judge.quirks import Quirk, all_client_quirks, all_quirks, answered_on, api_version
from conformance.judge.rule import all_rules
from conformance.judge.view import View
from conformance.matrix.expected import excused
from conformance.model.exchange import Exchange
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects
from conformance.profiles.profiles import all_profiles

ROWS = [quirk for rows in all_quirks().values() for quirk in rows]
HEADERS = "/0/response/headers"
REPLY = "/0/response/body/choices/0/message"
CREATED = "/0/response/body/created"
SUNDAY = "Sun, 01 Feb 2026 23:59:59 GMT"
DATED = Quirk(
    rule="stop-reason-mismatch",
    provider="openai",
    model=re.compile("gpt-4o"),
    message=re.compile(""),
    severity=Severity.INFO,
    evidence="made up for these tests",
)


def view(*edits: Edit, base: str = "openai-chat/call") -> View:
    [exchange] = example(base, *edits).exchanges()
    return View(exchange, all_dialects()[base.partition("/")[0]])


def answered(when: str | None) -> Edit:
    return put(HEADERS, {"content-type": "application/json", **({"date": when} if when else {})})


@pytest.mark.parametrize("quirk", ROWS, ids=lambda quirk: f"{quirk.rule}-{quirk.provider}")
def test_a_row_excuses_a_known_provider_from_a_known_rule_and_says_why(quirk: Quirk) -> None:
    assert quirk.rule in all_rules()
    assert quirk.provider in all_profiles()
    assert quirk.evidence.strip()
    assert quirk.stricter or quirk.severity < max(all_rules()[quirk.rule].severity.values())
    assert quirk.since is None or quirk.until is None or quirk.since <= quirk.until


@pytest.mark.parametrize(
    ("host", "status", "severity"),
    [
        ("api.deepseek.com", 400, Severity.ERROR),
        ("api.deepseek.com", 200, Severity.WARNING),
        ("inference.example.com", 400, Severity.INFO),
    ],
)
def test_what_a_provider_enforces_is_an_error_there_and_a_warning_where_it_took_the_request(
    host: str, status: int, severity: Severity
) -> None:
    edits = [put("/0/request/body/response_format", {"type": "json_object"})]
    edits += [put("/0/request/url", f"https://{host}/v1/chat/completions"), put("/0/response/status", status)]
    found = check(example("openai-chat/answer", *edits).exchanges())
    [finding] = [each for each in found if each.rule == "chat-json-word-missing"]
    assert finding.severity is severity
    assert ("deepseek enforces it" in finding.message) == (host == "api.deepseek.com")


def test_the_quirks_of_clients_name_rules() -> None:
    assert {quirk.rule for quirk in all_client_quirks()} <= all_rules().keys()


def test_a_quirk_of_a_client_lowers_only_the_findings_whose_message_it_matches() -> None:
    [finding] = check(example("openai-chat/answer", put(f"{REPLY}/tool_calls", [])).exchanges())
    assert excused(finding, "mistralai").severity is finding.severity
    of_null = replace(finding, message="`tool_calls` is null")
    assert excused(of_null, "mistralai").severity is Severity.INFO
    assert excused(of_null, "openai").severity is finding.severity


@pytest.mark.parametrize(
    ("model", "url", "holds"),
    [
        ("gpt-4o-mini", "https://api.openai.com/v1/chat/completions", True),
        ("o3-gpt-4o", "https://api.openai.com/v1/chat/completions", False),
        ("gpt-4o-mini", "https://api.mistral.ai/v1/chat/completions", False),
        ("gpt-4o-mini", "https://elsewhere.example/v1/chat/completions", False),
    ],
)
def test_provider_and_model_have_to_match(model: str, url: str, holds: object) -> None:
    assert DATED.holds(view(put("/0/request/body/model", model), put("/0/request/url", url))) is holds


@pytest.mark.parametrize(
    ("since", "until", "holds"),
    [
        (None, None, True),
        (date(2026, 2, 1), None, True),
        (None, date(2026, 2, 1), True),
        (date(2026, 2, 1), date(2026, 2, 1), True),
        (date(2026, 2, 2), None, False),
        (None, date(2026, 1, 31), False),
    ],
)
def test_both_days_count(since: date | None, until: date | None, holds: object) -> None:
    assert replace(DATED, since=since, until=until).holds(view(answered(SUNDAY))) is holds


@pytest.mark.parametrize("bound", [{"since": date.min}, {"until": date.max}])
def test_an_answer_without_a_time_is_excused_by_no_dated_row(bound: dict[str, Any]) -> None:
    assert not replace(DATED, **bound).holds(view(answered(None), drop(CREATED)))


def test_the_header_says_when_and_the_body_where_there_is_none() -> None:
    assert answered_on(view(answered(SUNDAY), put(CREATED, 1715996146))) == date(2026, 2, 1)
    assert answered_on(view(answered(f"{SUNDAY}, {SUNDAY}"))) == date(2026, 2, 1)
    assert answered_on(view(answered("yesterday"), put(CREATED, 1715996146))) == date(2024, 5, 18)
    for mode, at in (("call", "/0/response/body"), ("stream-call", "/0/response/events/0/data/response")):
        made = view(answered(None), put(f"{at}/created_at", 1715996146.5), base=f"openai-responses/{mode}")
        assert answered_on(made) == date(2024, 5, 18)
    chunk = put("/0/response/events/0/data/created", 1715996146)
    assert answered_on(view(answered(None), chunk, base="openai-chat/stream-call")) == date(2024, 5, 18)


@pytest.mark.parametrize("made", [0, -1, True, "1715996146", None, 1e300])
def test_a_number_that_is_no_time_is_none(made: Any) -> None:
    assert answered_on(view(answered(None), put(CREATED, made))) is None


@given(header=st.text(max_size=40), body=st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=3))
def test_no_answer_breaks_the_reading_of_its_time(header: str, body: Any) -> None:
    edits = (answered(header), put("/0/response/body", {"created": body, "response": body}))
    assert answered_on(view(*edits)) is None or isinstance(answered_on(view(*edits)), date)


@pytest.mark.parametrize(
    ("base", "edit", "version"),
    [
        ("anthropic-messages/call", put("/0/request/headers/anthropic-version", "2023-06-01"), "2023-06-01"),
        ("anthropic-messages/call", drop("/0/request/headers/anthropic-version"), None),
        (
            "openai-chat/call",
            put("/0/request/url", "https://a.openai.azure.com/x?api-version=2023-07-01"),
            "2023-07-01",
        ),
        ("openai-chat/call", put("/0/request/url", "https://a.openai.azure.com/x"), None),
    ],
)
def test_the_version_is_the_one_that_the_request_names(base: str, edit: Edit, version: str | None) -> None:
    assert api_version(view(edit, base=base)) == version
    row = replace(DATED, provider=view(edit, base=base).provider or "", model=re.compile(""))
    assert replace(row, api_version=re.compile("2023-.*")).holds(view(edit, base=base)) is (version is not None)
    assert not replace(row, api_version=re.compile("2023")).holds(view(edit, base=base))


def stopped(model: str, when: str) -> list[tuple[str, str]]:
    edits = (
        put("/0/request/body/model", model),
        put("/0/request/body/tool_choice", "required"),
        put("/0/response/body/choices/0/finish_reason", "stop"),
        answered(when),
    )
    exchanges: list[Exchange] = example("openai-chat/call", *edits).exchanges()
    return [(each.rule, str(each.severity)) for each in check(exchanges) if each.rule == "stop-reason-mismatch"]


def test_a_finding_is_lowered_only_for_the_time_of_its_quirk(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(DATED, until=date(2026, 2, 1))
    monkeypatch.setattr(quirks, "quirks_of", lambda *_: (row,))
    assert stopped("gpt-4o-mini", SUNDAY) == [(row.rule, "info")]
    assert stopped("gpt-4o-mini", "Mon, 02 Feb 2026 00:00:00 GMT") == [(row.rule, "error")]
    assert stopped("gpt-5", SUNDAY) == [(row.rule, "error")]
