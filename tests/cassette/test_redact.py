"""Secrets are replaced wherever they stand, and everything else stays as it was."""

import base64
from urllib.parse import quote

import pytest

from conformance.cassette.redact import Redactor

SECRET = "tp-9f/8a+7b=6c5d4e3f"
SHAPED = "AKIA" + "Q3EGRK7XZLPM2VNT"


@pytest.mark.parametrize(
    ("name", "value", "redacted"),
    [
        ("Authorization", f"Bearer {SECRET}", "Bearer REDACTED"),
        ("authorization", "Basic dXNlcjpwYXNz", "Basic REDACTED"),
        ("x-api-key", "anything", "REDACTED"),
        ("X-Goog-Api-Key", "anything", "REDACTED"),
        ("openai-organization", "acme", "REDACTED"),
        ("Set-Cookie", "session=1; Path=/", "REDACTED"),
        ("anthropic-version", "2023-06-01", "2023-06-01"),
        ("x-debug", f"key was {SECRET}", "key was REDACTED"),
    ],
)
def test_a_header_keeps_its_name_and_the_scheme_of_a_credential(name: str, value: str, redacted: str) -> None:
    assert Redactor([SECRET]).header(name, value) == redacted


@pytest.mark.parametrize(
    "form",
    [SECRET, quote(SECRET, safe=""), base64.b64encode(SECRET.encode()).decode()],
    ids=["plain", "url-encoded", "base64"],
)
def test_a_known_secret_is_found_in_every_form(form: str) -> None:
    redactor = Redactor([SECRET])
    assert redactor.text(f'{{"error": "bad key {form}"}}') == '{"error": "bad key REDACTED"}'
    assert redactor.body(f"x {form}".encode()) == b"x REDACTED"


@pytest.mark.parametrize(
    "shape",
    [
        "sk-proj-abcdefghijklmnopqrst",
        "sk-ant-api03-abcdefghijklmnop",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "gsk_abcdefghijklmnopqrstuvwx",
        "hf_abcdefghijklmnopqrstuvwx",
        "AKIAABCDEFGHIJKLMNOP",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-DEF_123",
    ],
)
def test_what_looks_like_a_key_is_one(shape: str) -> None:
    assert Redactor().text(f'data: {{"k": "{shape}"}}') == 'data: {"k": "REDACTED"}'


def test_a_key_in_the_query_is_replaced_and_the_parameter_stays() -> None:
    url = "https://user:pass@host/v1beta/models/m:generateContent?key=abc123&alt=sse"
    assert Redactor().url(url) == "https://host/v1beta/models/m:generateContent?key=REDACTED&alt=sse"


@pytest.mark.parametrize(
    "text",
    ["call_a1B2c3D4e5F6g7H8i9J0k1L2", "toolu_01ABCDEFGHIJKLMNOPQRSTUV", "risk-free-and-nothing-else-to-say", "a,b", ""],
)
def test_ids_and_prose_are_left_alone(text: str) -> None:
    assert Redactor().text(text) == text
    assert Redactor().body(text.encode()) == text.encode()


@pytest.mark.parametrize(
    "line",
    [f"error: bad key {SHAPED}", f'{{"error": "bad key {SHAPED}"}}', '{"password": "correct-horse-7"}'],
    ids=["prose", "JSON", "the name of a field"],
)
def test_a_secret_on_a_line_of_an_event_stream_that_has_no_field_name_is_found(line: str) -> None:
    clean = Redactor().text(f'data: {{"a": 1}}\n\n{line}\n\n')
    assert "REDACTED" in clean
    assert SHAPED not in clean
    assert "horse" not in clean


@pytest.mark.parametrize("size", [4, 6, 10])
@pytest.mark.parametrize("before", ["", "data: "], ids=["newline-delimited JSON", "server-sent events"])
def test_a_key_that_is_cut_into_two_lines_of_a_stream_is_found_by_its_form(before: str, size: int) -> None:
    pieces = ("It is ", SHAPED[:size], SHAPED[size:], " then.")
    lines = [f'{before}{{"message": {{"content": "{each}"}}}}\n' for each in pieces]
    clean = Redactor().text(("\n" if before else "").join([*lines, ""]))
    assert "REDACTED" in clean
    assert SHAPED[size:] not in clean
