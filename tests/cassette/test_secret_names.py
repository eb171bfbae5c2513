"""What counts as a secret by its name, its place and its randomness."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.cassette.gate import Gate
from conformance.cassette.randomness import looks_random
from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import table
from conformance.cassette.secretnames import ending, held, literals
from conformance.commands.common.baseline import write_baseline
from conformance.judge.baseline import read_baseline
from conformance.judge.selection import Selection
from conformance.matrix.endpoint import Endpoint
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.model.registry import all_dialects
from devtools.leaks.placements import Placed, in_use, placed
from devtools.places import ROOT
from tests.sampling import every

PLACED = (*placed(), *in_use())
SOME = every(range(len(PLACED)), 40, risk="a place or a name that is left out")


@pytest.mark.parametrize("planted", [PLACED[each] for each in SOME], ids=lambda each: f"{each.group}: {each.name}")
def test_a_secret_is_found_by_what_it_is(planted: Placed) -> None:
    assert not planted.kept


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        members = value.get("properties")
        yield from members if isinstance(members, dict) else ()
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _names(each)


def test_what_contracts_name_is_a_known_secret_or_listed_as_none() -> None:
    ends, fields = table()["endings"], table()["fields"]
    files = (ROOT / "specs" / "wire").rglob("*.json")
    plain = {re.sub("[-_. ]", "", name).lower() for file in files for name in _names(json.loads(file.read_text()))}
    ending_so = {each for each in plain if each.endswith((*ends["sure"], *ends["unsure"]))}
    known = {*fields["secret"], *fields["looks"]} - set(ends["named"])
    secret = {each for each in ending_so if each in known or each.endswith(tuple(fields["ends"]))}
    credentials = {"apikeysecret", "authorizationtoken"}
    assert ending_so - secret - credentials == set(ends["named"])
    assert {ending(each) for each in ends["named"]} == {None}


def test_ids_in_the_paths_of_our_endpoints_are_no_secrets() -> None:
    paths = [each.path for dialect in all_dialects().values() for each in dialect.endpoints]
    parents = {found for path in paths for found in re.findall(r"(\w+)\)?/\[", path)}
    assert parents
    assert {each.lower().replace("_", "") for each in parents} <= set(table()["paths"]["collections"])


@pytest.mark.parametrize(
    "text",
    ["claude-3-5-sonnet-20241022", "gpt-4o-mini-2024-07-18", "streamGenerateContent", "meta-llama-3.1-70b-instruct",
     "2024-10-22-preview", "us-east-1-deployment-42", "1234567890123456", "a sentence with 1 digit and more"],
)  # fmt: skip
def test_a_word_a_date_and_a_model_are_not_random(text: str) -> None:
    assert not looks_random(text)


@pytest.mark.parametrize(
    "url",
    [
        "https://api.openai.com/v1/responses/resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b",
        "https://h.example/v1beta/cachedContents/a1b2c3d4e5f6g7h8i9j0",
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-haiku-4-5-20251001-v1%3A0/converse",
        "https://h.example/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
    ],
)
def test_ids_and_models_in_a_path_are_kept(url: str) -> None:
    assert Redactor().url(url) == url


def test_equal_secrets_in_paths_stay_equal() -> None:
    redactor = Redactor()
    first, second = "a8F3kd92LsQ0pZx7Vb1N", "m4Tq81ZcXw0RbY7uKe5H"
    urls = [redactor.url(f"https://h.example/s/{each}/mcp") for each in (first, second, first)]
    assert urls[0] == urls[2] != urls[1]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("metadata", "sort_by_key"), "price"),
        (("messages", 0, "content", "primary_key"), "id"),
        (("candidates", 0, "content", "parts", 0, "thoughtSignature"), "EokDCoYDAQw51sfpp5uYX8u6nplEoYIMffXnJx9"),
        (("content", 0, "signature"), "EqIHCkYICRgCKkCmzOLV5qNnMhW9zYjMR7PP1lkq"),
        (("params", "_meta", "progressToken"), "a8F3kd92LsQ0pZx7Vb1N"),
        (("prompt_cache_key",), "cache-a8F3kd92LsQ0pZx7Vb1N"),
    ],
)
def test_what_rules_need_is_kept(path: tuple[str | int, ...], value: str) -> None:
    assert held(path, value) is None


@pytest.mark.parametrize("text", ["key: value", "the token = 12345678901234567890", "--key value-of-a-word-like-this"])
def test_words_after_a_name_are_kept(text: str) -> None:
    assert not list(literals(text))


def test_the_values_of_own_headers_are_not_recorded() -> None:
    sent = {"X-Team": "platform", "X-Route": "r7Kq2ZpX81", "anthropic-beta": "tools-2024-04-04", "User-Agent": "me/1.0"}
    endpoint = Endpoint("t", "https://h.example", "m", "unused-key", "live", headers=sent)
    redactor = Redactor(endpoint.secrets, headers=endpoint.private_headers)
    shown = {name: redactor.header(name, value) for name, value in sent.items()}
    assert shown == {**sent, "X-Team": "REDACTED", "X-Route": "REDACTED"}
    assert redactor.text("the platform r7Kq2ZpX81") == "the platform REDACTED"


def test_a_baseline_gets_no_secret_from_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_API_KEY", key := "a8F3kd92LsQ0pZx7Vb1N")
    made = "sk-" + "proj-a8F3kd92LsQ0pZx7Vb1Nr5"
    path = tmp_path / "baseline.yaml"
    selection = Selection(baseline=path, update=True)
    found = Finding("x-rule", Severity.ERROR, "no", source="s", dialect="openai-chat", pointer=f"/a/{key}/{made}/0")
    selection.added.append(found)
    write_baseline(selection)
    assert key not in path.read_text()
    (entry,) = read_baseline(path, update=True)
    assert entry.wanted["pointer"] == "/a/*/*/*"
    assert entry.fits(found)


def test_the_gate_reports_half_of_a_key_in_use() -> None:
    key = "a8F3kd92LsQ0pZx7Vb1N"
    record = {"request": {"method": "POST", "url": "https://h.example/v1/messages", "body": {"model": f"x {key[:10]}"}}}
    exchange = Exchange.of({**record, "response": {"status": 200, "body": {}}}, source="s")
    assert [each.what for each in Gate([key]).exchange(exchange, "")] == ["half of a secret in use"]


def test_two_header_names_with_a_secret_keep_their_values() -> None:
    key = "a8F3kd92LsQ0pZx7Vb1N"
    clean = Redactor([key]).headers({f"x-{key}": ["1"], f"X-{key}".lower(): ["2"], "x-other": ["3"]})
    assert clean == {"x-REDACTED": ["1", "2"], "x-other": ["3"]}
