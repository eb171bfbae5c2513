"""The endpoints beside the main one of a dialect (counting, retrieving, caching) have contracts of their own."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.judge.checker import Checker
from conformance.judge.contracted import endpoints_of
from conformance.judge.proofs.bases import base, base_names
from conformance.judge.proofs.example import rendered
from conformance.model.exchange import Exchange, Headers, Request
from conformance.model.registry import all_dialects, beside, claimants, endpoint_of

_ANTHROPIC = "https://api.anthropic.com/v1/messages"
_OPENAI = "https://api.openai.com/v1"
_GOOGLE = "https://generativelanguage.googleapis.com/v1beta"


Found = list[tuple[str, str | None, str | None]]


def _judged(method: str, url: str, sent: Any, received: Any) -> tuple[Checker, Found]:
    record = {
        "request": {"method": method, "url": url, "headers": {"content-type": "application/json"}, "body": sent},
        "response": {"status": 200, "headers": {"content-type": "application/json"}, "body": received},
    }
    checker = Checker()
    found = checker.feed(Exchange.of(record, complete=True))
    return checker, [(each.rule, each.side, each.pointer) for each in found]


@pytest.mark.parametrize(
    ("method", "url", "sent", "received", "found"),
    [
        (
            "POST",
            f"{_ANTHROPIC}/count_tokens",
            {"model": "m", "messages": []},
            {"input_tokens": -1},
            [
                ("messages-request-field-wrong-type", "request", "/messages"),
                ("messages-reply-value-out-of-range", "response", "/input_tokens"),
            ],
        ),
        (
            "POST",
            f"{_ANTHROPIC}/batches",
            {"requests": [{"custom_id": "a b", "params": {"model": "m", "messages": []}}]},
            {"id": "x"},
            [
                ("messages-request-value-malformed", "request", "/requests/0/custom_id"),
                ("messages-request-field-wrong-type", "request", "/requests/0/params"),
                ("messages-request-field-wrong-type", "request", "/requests/0/params/messages"),
                ("messages-reply-field-missing", "response", None),
            ],
        ),
        (
            "GET",
            f"{_OPENAI}/responses/resp_1/input_items",
            "",
            {"object": "list", "data": [], "first_id": None, "last_id": None, "has_more": 0},
            [("responses-reply-field-wrong-type", "response", "/has_more")],
        ),
        ("POST", f"{_OPENAI}/responses/input_tokens", {"input": 3}, {"object": "response.input_tokens"}, None),
        (
            "POST",
            f"{_GOOGLE}/cachedContents",
            {"model": "models/g", "ttl": "300s", "expireTime": "2026-09-01T10:00:00Z"},
            {"name": "cachedContents/1", "model": "models/g"},
            [("gemini-request-fields-conflicting", "request", "/expireTime")],
        ),
        (
            "GET",
            f"{_OPENAI}/models",
            "",
            {"object": "list", "data": 3},
            [("responses-reply-field-wrong-type", "response", "/data")],
        ),
        (
            "POST",
            f"{_OPENAI}/batches",
            {"input_file_id": "file-1", "endpoint": "/v1/responses", "completion_window": "48h"},
            {"id": 1},
            None,
        ),
        ("POST", f"{_OPENAI}/chat/completions/chatcmpl-1", {"metadata": 3}, {"id": 1}, None),
        (
            "GET",
            "https://api.anthropic.com/v1/files",
            "",
            {"data": 3},
            [("messages-reply-field-wrong-type", "response", "/data")],
        ),
        ("POST", f"{_GOOGLE}/models/g:countTokens", {"contents": 3}, {"totalTokens": "many"}, None),
    ],
)
def test_an_endpoint_is_judged_by_its_contracts(
    method: str, url: str, sent: Any, received: Any, found: Found | None
) -> None:
    checker, actual = _judged(method, url, sent, received)
    assert checker.summary.unclaimed == 0
    assert checker.summary.harness_errors == []
    actual.sort(key=str)
    if found is None:
        assert {side for _, side, _ in actual} == {"request", "response"}
    else:
        assert actual == sorted(found, key=str)


def test_a_response_that_is_retrieved_has_the_contract_of_one_that_is_created() -> None:
    [created] = base("openai-responses/call")
    body = created["response"]["body"]
    assert _judged("GET", f"{_OPENAI}/responses/{body['id']}", "", body)[1] == []
    _, found = _judged("GET", f"{_OPENAI}/responses/resp_1", "", {"id": "resp_1"})
    assert {rule for rule, _, _ in found} == {"responses-response-malformed", "responses-status-invalid"}


@pytest.mark.parametrize("dialect", [name for name, each in all_dialects().items() if each.endpoints])
def test_every_endpoint_has_contracts(dialect: str) -> None:
    assert endpoints_of(dialect).keys() == {each.name for each in all_dialects()[dialect].endpoints}


@pytest.mark.parametrize("dialect", [name for name, each in all_dialects().items() if each.endpoints])
def test_no_conforming_exchange_of_an_endpoint_has_findings(dialect: str) -> None:
    seen = 0
    for name in base_names(dialect):
        for record in base(f"{dialect}/{name}"):
            exchange = Exchange.of(rendered(record), complete=True)
            if endpoint_of(all_dialects()[dialect], exchange.request) is None:
                continue
            seen += 1
            assert not claimants(exchange.request)
            assert beside(exchange.request) is all_dialects()[dialect]
            assert Checker().feed(exchange) == []
    assert seen > 1


@pytest.mark.parametrize("path", ["files", "models"])
def test_a_path_that_several_providers_have_belongs_to_the_one_at_the_host_or_of_the_header(path: str) -> None:
    def owner(url: str, *headers: tuple[str, str]) -> str | None:
        found = beside(Request("GET", f"{url}/v1/{path}", Headers(headers)))
        return None if found is None else found.name

    assert owner("https://api.openai.com") == "openai-responses"
    assert owner("https://api.anthropic.com") == "anthropic-messages"
    assert owner("http://127.0.0.1:8000") is None
    assert owner("http://127.0.0.1:8000", ("anthropic-version", "2023-06-01")) == "anthropic-messages"


@pytest.mark.parametrize(("method", "path"), [("POST", "files"), ("GET", "files/file-1/content")])
def test_the_content_of_a_file_is_not_read_as_json(method: str, path: str) -> None:
    file = {"id": "file-1", "object": "file", "bytes": 1, "created_at": 1, "filename": "a", "purpose": "user_data"}
    sent, received = ("--a\r\n", file) if method == "POST" else ("", "14 degrees")
    assert _judged(method, f"{_OPENAI}/{path}", sent, received)[1] == []


def test_a_post_to_an_endpoint_that_needs_no_body_is_judged() -> None:
    [created] = base("openai-responses/call")
    checker, found = _judged("POST", f"{_OPENAI}/responses/resp_1/cancel", "", created["response"]["body"])
    assert (checker.summary.judged, checker.summary.not_exercised) == (1, 0)
    assert found == [("responses-id-mismatch", "response", "/id")]
