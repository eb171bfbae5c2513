"""Request drift names each place where the live request is not the recorded one."""

import json
from typing import Any

import pytest

from conformance.matrix.request_drift import drift
from conformance.model.exchange import Body, Headers, Request
from conformance.model.finding import Severity

URL = "https://host/v1/messages?beta=true"
HEADERS = {"authorization": "Bearer x", "anthropic-version": "2023-06-01", "user-agent": "one"}
BODY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 5}


def request(
    body: Any = None, url: str = URL, headers: dict[str, str] | None = None, text: str | None = None
) -> Request:
    content = text if text is not None else json.dumps(body if body is not None else BODY)
    return Request("POST", url, Headers.of(headers or HEADERS), Body(content.encode()))


def test_the_same_request_has_no_drift() -> None:
    assert list(drift(request(), request())) == []


def test_what_is_not_part_of_a_contract_may_differ() -> None:
    assert list(drift(request(headers={**HEADERS, "user-agent": "two"}), request())) == []


@pytest.mark.parametrize(
    ("body", "pointer", "expected", "actual"),
    [
        ({**BODY, "max_tokens": 6}, "/max_tokens", "5", "6"),
        ({**BODY, "max_tokens": "5"}, "/max_tokens", "5", '"5"'),
        ({**BODY, "stream": True}, "/stream", "absent", "true"),
        ({"model": "m", "messages": BODY["messages"]}, "/max_tokens", "5", "absent"),
        ({**BODY, "messages": [{"role": "user", "content": "ho"}]}, "/messages/0/content", '"hi"', '"ho"'),
        ({**BODY, "a/b": 1}, "/a~1b", "absent", "1"),
    ],
)
def test_a_difference_in_the_body_is_found_at_its_pointer(body: Any, pointer: str, expected: str, actual: str) -> None:
    hits = list(drift(request(body), request()))
    assert [(hit.pointer, hit.expected, hit.actual) for hit in hits] == [(pointer, expected, actual)]


def test_another_spelling_of_the_same_json_is_only_an_info() -> None:
    [hit] = drift(request(text=json.dumps(BODY, indent=2)), request())
    assert hit.severity is Severity.INFO


def test_true_is_not_one() -> None:
    assert [hit.pointer for hit in drift(request({"a": True}), request({"a": 1}))] == ["/a"]


@pytest.mark.parametrize(
    "live",
    [
        request(url="https://host/v2/messages?beta=true"),
        request(url="https://host/v1/messages"),
        request(headers={**HEADERS, "anthropic-version": "2026-10-21"}),
        request(headers={"anthropic-version": "2023-06-01"}),
        request(text="not json"),
    ],
    ids=["path", "query", "version", "credential", "not JSON"],
)
def test_path_query_contract_headers_and_credentials_count(live: Request) -> None:
    assert len(list(drift(live, request()))) == 1
