"""`serve --vary`: what live providers vary, the same for the same seed, and still conforming."""

import json
import re
from typing import Any

import pytest

from conformance.cassette.load import load_cassette
from conformance.judge.checker import Checker
from conformance.judge.view import View
from conformance.model.data_files import data_dir
from conformance.model.exchange import Exchange
from conformance.model.finding import Severity
from conformance.model.registry import claimants
from conformance.model.rendered import Rendered
from conformance.reference.answering import answer_to
from conformance.reference.variation import Variation
from conformance.reference.varied_fields import frequencies
from conformance.scenario.load import all_scenarios
from devtools.places import CASSETTES

CELLS = [
    "openai-chat/parallel-weather/reference--openai.yaml",
    "openai-chat/parallel-weather/reference--openai--stream.yaml",
    "openai-responses/parallel-weather/reference--openai--stream.yaml",
    "anthropic-messages/parallel-weather/reference--anthropic--stream.yaml",
    "gemini/parallel-weather/reference--google-genai--stream.yaml",
]


def first(cell: str) -> Exchange:
    return load_cassette(CASSETTES / cell).exchanges[0]


def answers(cell: str, seed: str, number: int = 20) -> list[Rendered]:
    vary, request = Variation(seed), first(cell).request
    return [answer_to(request, all_scenarios(), (), vary).delivery.rendered for _ in range(number)]


@pytest.mark.parametrize("cell", CELLS)
def test_the_same_seed_gives_the_same_answers_and_no_two_answers_are_equal(cell: str) -> None:
    bodies = [each.body for each in answers(cell, "7")]
    assert bodies == [each.body for each in answers(cell, "7")]
    assert len(set(bodies)) == len(bodies)
    assert bodies != [each.body for each in answers(cell, "8")]


@pytest.mark.parametrize("cell", CELLS)
def test_varied_answers_conform_and_mean_the_same(cell: str) -> None:
    exchange = first(cell)
    usual = View(exchange, claimants(exchange.request)[0]).replies[0]
    numbers = set()
    for rendered in answers(cell, "1"):
        response = rendered.response
        varied = Exchange(exchange.request, response, complete=True)
        findings = [each for each in Checker().feed(varied) if each.side == "response"]
        assert [each.rule for each in findings if each.severity is Severity.ERROR] == []
        reply = View(varied, claimants(exchange.request)[0]).replies[0]
        assert sorted(call.name or "" for call in reply.calls) == sorted(call.name or "" for call in usual.calls)
        assert reply.stop == usual.stop
        numbers.add(len(rendered.documents))
    assert len(numbers) > 1 or "stream" not in cell


def test_optional_fields_come_as_often_as_in_real_recordings() -> None:
    path, name = "/choices/*/message", "annotations"
    number, total, _ = frequencies()["openai-chat"]["sync"][path][name]
    found = [json.loads(each.body)["choices"][0]["message"] for each in answers(CELLS[0], "2", 400)]
    assert abs(sum(name in each for each in found) / 400 - number / total) < 0.05


def test_the_counts_have_names_of_the_wire_and_numbers_and_nothing_else() -> None:
    document: dict[str, Any] = json.loads((data_dir("specs") / "variation.json").read_text(encoding="utf-8"))
    entries = [
        (name, entry)
        for modes in document.values()
        for objects in modes.values()
        for members in objects.values()
        for name, entry in members.items()
    ]
    assert len(entries) > 100
    for name, (number, total, kind) in entries:
        assert re.fullmatch(r"[A-Za-z_]+", name)
        assert 0 < number < total
        assert re.fullmatch(r"(empty )?(object|array|string|number|boolean|null)|zero", kind)
