"""Refusals are evidence: what a provider refuses for its form has a finding, or a reason why none is possible."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from conformance.judge.checker import Checker
from conformance.judge.chosen_profile import chosen_profile
from conformance.model.exchange import Body, Exchange, Request, Response
from devtools.refusals import Refusal, contradictions, judged, recorded, refusal_of
from tests.apart import apart
from tests.sampling import amount

Traffic = tuple[list[Refusal], list[str]]
"""The refusals, and those of profiles that later answers contradict."""


@pytest.fixture(scope="module")
def traffic(corpus: Path) -> Traffic:
    files = recorded()
    assert all(file.is_relative_to(corpus) for file in files)
    return apart(
        _listed, files, amount(1, 8, risk="an answer that contradicts a refusal, in a conversation without one")
    )


@pytest.fixture(scope="module")
def found(traffic: Traffic) -> list[Refusal]:
    return traffic[0]


def _listed(files: list[Path], share: int) -> Traffic:
    refused: list[Refusal] = []
    contradicted: list[str] = []
    for exchange, findings in judged(files, share):
        refusal = refusal_of(exchange, findings)
        refused += [refusal] if refusal is not None else []
        contradicted += [f"{each.source} {each.rule} {each.cite}" for each in contradictions(exchange, findings)]
    return refused, contradicted


def test_a_refusal_that_later_answers_contradict_has_an_end(traffic: Traffic) -> None:
    assert traffic[1] == []


@pytest.mark.parametrize(("created", "contradicted"), [(1760000000, True), (1790000000, False)])
def test_an_end_is_read_from_the_answer(tmp_path: Path, created: int, contradicted: bool) -> None:  # noqa: FBT001
    file = tmp_path / "own.yaml"
    entry = "{at: request /seed, unsupported: '', until: 2026-01-31, evidence: ours}"
    sent = {"model": "m", "messages": [{"role": "user", "content": "Hi."}], "seed": 1}
    body = {"id": "c", "object": "chat.completion", "created": created, "model": "m", "choices": []}
    request = Request("POST", "https://llm.example/v1/chat/completions", body=Body(sent))
    exchange = Exchange(request, Response(200, body=Body(body)))
    file.write_text("about: one without a day, which the other one replaces\n")
    assert not list(contradictions(exchange, Checker(profile=chosen_profile(str(file))).feed(exchange)))
    file.write_text(f"about: ours\ndeviations:\n  openai-chat:\n    - {entry}\n")
    findings = Checker(profile=chosen_profile(str(file))).feed(exchange)
    assert bool(list(contradictions(exchange, findings))) is contradicted


def test_every_refusal_shows_in_its_request_or_cannot(found: list[Refusal]) -> None:
    assert [each.source for each in found if each.verdict == "MISSED"] == []
    verdicts = Counter(each.verdict for each in found)
    assert verdicts["found"] > 30


def test_what_is_decidable_is_an_error_at_the_place_that_the_refusal_names(found: list[Refusal]) -> None:
    decidable = [each for each in found if each.verdict == "found"]
    assert sum(each.is_error for each in decidable) >= len(decidable) - 1
    assert [each.source for each in decidable if each.named and not each.is_placed] == []


def test_every_reason_is_needed(found: list[Refusal]) -> None:
    assert len({each.reason for each in found if each.reason}) == 11
