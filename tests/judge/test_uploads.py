"""The form of an upload is read as the official SDK writes it; what cannot be read has no fields."""

from __future__ import annotations

import httpx2
import pytest
from openai import OpenAI

from conformance.judge.relations.uploads import form_of
from conformance.model.exchange import Exchange, Request

_LINES = '{"custom_id":"a","url":"/v1/responses","note":"\u2028"}\n{"custom_id":"b","url":"/v1/responses"}\n'


def _sent(content: bytes, name: str = "in.jsonl") -> Request:
    """The request with which the SDK uploads a file."""
    sent: list[Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(_request(request.headers["content-type"], request.read().decode("utf-8", "surrogateescape")))
        return httpx2.Response(200, json={"id": "file-a", "object": "file", "purpose": "batch"})

    client = OpenAI(api_key="none", http_client=httpx2.Client(transport=httpx2.MockTransport(answer)))
    client.files.create(file=(name, content), purpose="batch")
    return sent[0]


def _request(kind: str, body: str) -> Request:
    request = {
        "method": "POST",
        "url": "https://api.openai.com/v1/files",
        "headers": {"content-type": kind},
        "body": body,
    }
    return Exchange.of({"request": request, "response": {"status": 200, "headers": {}, "body": {}}}).request


def test_the_fields_and_the_lines_of_a_file_are_read_as_the_sdk_sends_them() -> None:
    form = form_of(_sent(_LINES.encode()))
    assert form["purpose"] == "batch"
    assert [each["custom_id"] for each in form["file"]["lines"]] == ["a", "b"]


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7\n\xff\xfe", b'{"a":1}\nno json\n', b"[1]\n"])
def test_a_file_that_is_no_json_lines_has_none(content: bytes) -> None:
    assert form_of(_sent(content)) == {"purpose": "batch"}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", "{}"),
        ("multipart/form-data", "--a\r\n\r\n\r\n--a--"),
        ("multipart/form-data; boundary=a", "no form"),
        ("multipart/form-data; boundary=a", "--a\r\nContent-Disposition: form-data\r\n\r\nx\r\n--a--"),
    ],
)
def test_what_is_no_form_has_no_fields(kind: str, body: str) -> None:
    assert form_of(_request(kind, body)) == {}
