"""Redaction takes linear time whatever the text and the secret are."""

from __future__ import annotations

import json
import time

import pytest

from conformance.cassette.encodings import Spellings
from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import Kind, kinds

_KEY = "sk-live-0123456789abcdef0123"
_SLASHES = "a\\\\\\\\\\\\b7" * 6
_DASHED = "-----------------------------BEGIN 0123456789abcdef"


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        (_KEY, "a" * 200_000 + " ..."),
        (_KEY, "sk-live-" * 20_000 + "****"),
        (_KEY, "x" * 200_000),
        (_KEY, "abc...def***" * 20_000),
        (_SLASHES, "a" + "\\" * 100_000),
        (_SLASHES, json.dumps(json.dumps(json.dumps(_SLASHES[:-1]))) * 100),
        (_DASHED, "-" * 20_000),
        (_DASHED, "- " * 20_000),
    ],
    ids=["letters before a mask", "beginnings before a mask", "a long mask", "many masks", "backslashes",
         "escaped backslashes", "dashes", "spaced dashes"],
)  # fmt: skip
def test_looking_for_a_secret_does_not_hang(secret: str, text: str) -> None:
    spellings = Spellings(secret)
    begun = time.process_time()
    list(spellings.spans(text))
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(_SLASHES),
        json.dumps(json.dumps(_SLASHES)),
        "".join(f"%{byte:02x}" for byte in _SLASHES.encode()),
        "".join(f"&#{ord(each)};" for each in _SLASHES),
    ],
    ids=["JSON", "JSON in JSON", "percent", "HTML"],
)
def test_a_secret_with_many_backslashes_is_found(text: str) -> None:
    assert any(end - start >= len(_SLASHES) for start, end in Spellings(_SLASHES).spans(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("key sk-live****0123, then", "sk-live****0123"),
        ("key sk-...0123", "sk-...0123"),
        (f"of {' '.join(_KEY)} x", " ".join(_KEY)),
        (f"of {'-'.join(_KEY)} x", "-".join(_KEY)),
        (f"of {'. '.join(_KEY.replace('-', ' '))} x", ". ".join(_KEY.replace("-", " "))),
    ],
)
def test_masked_and_spaced_secrets_are_found(text: str, found: str) -> None:
    assert found in [text[start:end] for start, end in Spellings(_KEY).spans(text)]


@pytest.mark.parametrize("text", ["sk-", "a live **** show", "model-x... 0124", "- - - - - - -", "0123 of 4567 ... 89"])
def test_ordinary_text_is_not(text: str) -> None:
    assert not list(Spellings(_KEY).spans(text))


@pytest.mark.parametrize("kind", kinds(), ids=lambda each: each.name)
def test_no_form_of_a_secret_takes_long_in_a_repeated_text(kind: Kind) -> None:
    begun = time.process_time()
    for unit in {*kind.hints, *(f"{hint}=" for hint in kind.hints), *(f"{hint} " for hint in kind.hints)}:
        list(kind.spans(unit * (20_000 // len(unit))))
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    "unit",
    [
        "key=",
        "key: ",
        "-key ",
        "--a-key aaaaaaaaaaaa1 ",
        "a:aaaaaaaaaaaa1",
        "-a",
        "=:",
        "a/;b=",
        f"{'x' * 84}:{'a' * 12} ",
    ],
)
def test_names_and_paths_in_a_repeated_text_do_not_hang(unit: str) -> None:
    text = unit * (50_000 // len(unit))
    begun = time.process_time()
    redactor = Redactor()
    redactor.text(text)
    redactor.url(f"https://h.example/{text}")
    redactor.text(json.dumps({"server_url": f"https://h.example/{text}"}))
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "aB1-" * 50_000, "aB1aaB1aaaaB1aB1B1aB1" * 5_000, f"{'a' * 20}{'-' * 50_000}"]
)
def test_pieces_and_joints_in_a_repeated_text_do_not_hang(text: str) -> None:
    begun = time.process_time()
    list(Spellings("aB1aaB1aaaaB1aB1B1aB1" * 3).spans(text))
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("secret", ["aB30xC4dE5fG6hI7jK", "aB30XC4dE5fG6hI7jK"])
def test_a_secret_with_the_mark_of_hex_in_it_is_found(secret: str) -> None:
    spellings = Spellings(secret)
    ways = (secret.lower(), secret.upper(), "-".join(secret), " ".join(secret), secret[::-1])
    assert [each for each in ways if not list(spellings.spans(f"a {each} b"))] == []
