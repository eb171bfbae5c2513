"""Scenarios of what only one dialect has: its fields, its items, and the client's answers to them."""

from __future__ import annotations

import pytest

from conformance.cassette.load import load_cassette
from conformance.matrix.cells import Cell
from conformance.scenario.load import all_scenarios
from conformance.scenario.model import Native
from tests.cassettes import PLAYED, SHIPPED, cell
from tests.talking import KEY, talking

NATIVE = [each for each in PLAYED if each.scenario.native is not None and each.driver.name == "openai"]


@pytest.mark.parametrize("cell", NATIVE, ids=lambda cell: cell.id)
def test_a_client_answers_each_item_that_has_an_answer_once_and_sends_back_what_it_got(cell: Cell) -> None:
    native = cell.scenario.native
    assert native is not None
    items = [item for turn in cell.scenario.conversations[0].model for item in turn.native]
    sent = load_cassette(SHIPPED / cell.relative_path).exchanges[-1].request.body.json["input"]
    answers = [answer for item in items if (answer := native.answer(item)) is not None]
    assert [each for each in sent if each in answers] == answers
    ids = {item["id"] for turn in cell.scenario.conversations[0].model[:-1] for item in turn.native}
    assert ids <= {each.get("id") for each in sent}


def test_an_answer_has_the_members_of_its_item_in_place_of_their_names() -> None:
    native = Native(
        "d", {}, {"call": {"of": "{id}", "checks": ["{checks}"], "text": "{id} and {other}", "absent": "{x}"}}
    )
    assert native.answer({"type": "call", "id": "1", "checks": [{"a": 1}]}) == {
        "of": "1",
        "checks": [[{"a": 1}]],
        "text": "{id} and {other}",
        "absent": "{x}",
    }
    assert native.answer({"type": "message"}) is None


def test_such_a_scenario_applies_to_its_dialect_and_to_drivers_that_send_such_items() -> None:
    shell = cell("shell-openai-responses-openai-sync")
    assert shell.not_applicable is None
    assert cell("shell-openai-responses-langchain-sync").not_applicable == (
        "langchain has no form for items that only openai-responses has"
    )
    assert cell("shell-gemini-google-genai-sync").not_applicable == (
        "it consists of items that only openai-responses has"
    )


def test_items_are_not_sent_to_a_client_that_does_not_declare_their_tool() -> None:
    asked = {"model": "m", "input": all_scenarios()["shell"].conversations[0].user}
    with talking() as talk:
        answer = talk.send("/v1/responses", asked, **KEY)
        declared = talk.send("/v1/responses", {**asked, "tools": [{"type": "shell"}]}, **KEY)
        [played, _] = talk.conversations()
    assert [item["type"] for item in answer.json["output"]] == ["message"]
    assert "no tool of type shell" in answer.json["output"][0]["content"][0]["text"]
    assert [item["type"] for item in declared.json["output"]] == ["shell_call"]
    assert played["scenario"] == "shell"
