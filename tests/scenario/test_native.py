"""Scenarios of what only one dialect has: its fields, its items, and the client's answers to them."""

from __future__ import annotations

import pytest

from conformance.cassette.load import load_cassette
from conformance.matrix.cells import Cell
from conformance.scenario.load import all_scenarios
from conformance.scenario.model import Native
from tests.cassettes import PLAYED, SHIPPED, cell
from tests.talking import KEY, talking

NATIVE = [
    each
    for each in PLAYED
    if each.driver.name == "openai" and each.scenario.native is not None and each.scenario.id != "background"
]


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
        "langchain has no form for what only openai-responses has"
    )
    assert cell("shell-gemini-google-genai-sync").not_applicable == ("it needs what only openai-responses has")


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


def test_a_response_in_the_background_is_fetched_and_its_stream_is_resumed_after_an_event() -> None:
    asked = {"model": "m", "input": all_scenarios()["background"].conversations[0].user, "background": True}
    with talking() as talk:
        queued = talk.send("/v1/responses", asked, **KEY).json
        place = f"/v1/responses/{queued['id']}"
        whole = talk.send(place, method="GET", **KEY).json
        resumed = talk.send(f"{place}?stream=true&starting_after=4", method="GET", **KEY).body.decode()
        assert talk.sessions.summary().errors == 0
    assert (queued["status"], queued["output"], queued["background"]) == ("queued", [], True)
    assert (whole["status"], "moon" in whole["output"][0]["content"][0]["text"]) == ("completed", True)
    assert '"sequence_number":5' in resumed.split("\n\n")[0]
    assert "response.completed" in resumed


def test_the_cassette_of_a_resumed_stream_has_its_end_twice() -> None:
    resumed = cell("background-openai-responses-openai-stream")
    whole, rest = (each.response.events for each in load_cassette(SHIPPED / resumed.relative_path).exchanges)
    assert [event.json["type"] for event in whole[4:]] == [event.json["type"] for event in rest]
