"""Replay: every shipped cassette is green, and a cassette broken in any way is not."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.cassette.load import load_cassette
from conformance.drivers import chunkers
from conformance.errors import ConformanceError
from conformance.judge.quirks import all_client_quirks
from conformance.judge.view import View
from conformance.matrix.cells import Cell
from conformance.matrix.replay import replay
from conformance.matrix.verdict import Verdict
from conformance.model.registry import beside, claimants
from tests.cassettes import PLAYED, SHIPPED, CassetteEdit, broken, cell, in_request, in_response, some
from tests.sampling import sample

CHAT, CHAT_STREAM = "weather-openai-chat-openai-sync", "weather-openai-chat-openai-stream"
MESSAGES, MESSAGES_STREAM = "weather-anthropic-messages-anthropic-sync", "weather-anthropic-messages-anthropic-stream"
GEMINI, GEMINI_STREAM = "weather-gemini-google-genai-sync", "weather-gemini-google-genai-stream"


def places(verdict: Verdict) -> list[str]:
    return [f"{finding.rule} {finding.exchange} {finding.pointer}" for finding in verdict.findings]


def unmeant(verdict: Verdict) -> list[str]:
    """The findings but those that the scenario is there to provoke, and those that the driver is known for."""
    assert verdict.cell is not None
    cell, expect = verdict.cell, verdict.cell.scenario.expect
    habits = (
        each.rule for each in all_client_quirks() if (each.driver, each.dialect) == (cell.driver.name, cell.dialect)
    )
    meant = {*expect.findings, *expect.tolerates, *habits}
    return places(replace(verdict, findings=[each for each in verdict.findings if each.rule not in meant]))


def deaf_to_comments(cell: Cell) -> bool:
    """google-genai 2.34, under LangChain too, takes a comment in an event stream for a piece of JSON, and gives up."""
    return cell.dialect == "gemini" and cell.driver.name != "raw-http"


ARRIVALS = sample(
    [
        (cell, name)
        for cell in PLAYED
        for name in chunkers.CHUNKERS
        if name != "events"  # as every other replay has them
        if (cell.stream or name == "bytes") and not (name == "comments" and deaf_to_comments(cell))
    ],
    lambda arrival: (arrival[0].dialect, arrival[0].driver.name, arrival[1]),
    lambda arrival: arrival[0].scenario.id,
    risk="a chunking that spoils one scenario's text (a character of several bytes, say) with one driver alone",
)


@pytest.mark.statement("0.3.6", "LCB-R-003")
@pytest.mark.parametrize(("cell", "cut"), ARRIVALS, ids=lambda each: each if isinstance(each, str) else each.id)
def test_a_shipped_cassette_is_green_however_the_network_delivers_it(cell: Cell, cut: str) -> None:
    verdict = replay(cell, SHIPPED / cell.relative_path, chunkers.CHUNKERS[cut])
    assert unmeant(verdict) == []
    assert verdict.harness_errors == []


def test_a_client_that_stumbles_over_comments_is_reported() -> None:
    """When this fails, the SDK has learned to read comments: `deaf_to_comments` can go."""
    stream = cell(GEMINI_STREAM)
    found = replay(stream, SHIPPED / stream.relative_path, chunkers.comments).findings
    assert "client-error-unexpected" in {finding.rule for finding in found}


def content_of(path: Path) -> list[Any]:
    """The content of the model in a cassette, turn by turn, without ids and seals."""
    turns = []
    for exchange in load_cassette(path).exchanges:
        layers = claimants(exchange.request) or tuple(filter(None, (beside(exchange.request),)))
        for turn in View(exchange, layers[-1]).delivered if layers else ():
            calls = [(call.name, call.arguments if turn.stop != "length" else None) for call in turn.calls]
            turns.append((turn.text, turn.stop, calls))
    return turns


@pytest.mark.statement("OAC-S-016", "GEM-S-006")
@pytest.mark.parametrize("cell", some(each for each in PLAYED if not each.stream), ids=lambda each: each.id)
def test_the_streamed_turns_are_those_that_come_unstreamed(cell: Cell) -> None:
    if cell.scenario.id in ("provider-errors", "truncated"):
        pytest.skip("a stream that breaks off has begun to say something; an answer that fails has not")
    streamed = replace(cell, stream=True)
    assert content_of(SHIPPED / cell.relative_path) == content_of(SHIPPED / streamed.relative_path)


def swap_events(number: int, first: str, second: str) -> CassetteEdit:
    """Swaps the events that hold the two texts."""

    def edit(interactions: list[dict[str, Any]]) -> None:
        body = interactions[number]["response"]["body"]
        events = re.split(r"(?<=\n\n)|(?<=\r\n\r\n)", body["string"])
        one = next(index for index, event in enumerate(events) if first in event)
        other = next(index for index, event in enumerate(events) if second in event)
        events[one], events[other] = events[other], events[one]
        body["string"] = "".join(events)

    return edit


def drop_exchange(interactions: list[dict[str, Any]]) -> None:
    interactions.pop()


def repeat_exchange(interactions: list[dict[str, Any]]) -> None:
    interactions.append(interactions[-1])


def fail_first(interactions: list[dict[str, Any]]) -> None:
    interactions[0]["response"]["status"] = {"code": 500, "message": "Internal Server Error"}


BREAKS = [
    ("a call's id is empty", CHAT, in_response(0, '"id": "call_', '"id": "", "was": "call_'), 0),
    ("a tool is renamed", CHAT, in_response(0, '"name": "get_weather"', '"name": "get_wether"'), 0),
    ("an argument is a string", CHAT, in_response(0, "126.978", '\\"126.978\\"'), 0),
    ("the stop reason is another", CHAT, in_response(0, '"tool_calls"\n', '"stop"\n'), 0),
    ("a body is cut off", CHAT, in_response(1, "}", "", count=99), 1),
    ("the answer holds another number", MESSAGES, in_response(1, "14.2", "14.3"), 1),
    ("a block has another type", MESSAGES, in_response(0, '"type":"tool_use"', '"type":"tool_usage"'), 0),
    ("an input is text", MESSAGES, in_response(0, '"input":{', '"input":"x","was":{'), 0),
    ("a terminator is missing", CHAT_STREAM, in_response(0, "data: [DONE]\n\n", ""), 0),
    ("an index is missing", CHAT_STREAM, in_response(0, '"tool_calls":[{"index":0,', '"tool_calls":[{'), 0),
    ("two events are swapped", MESSAGES_STREAM, swap_events(0, "message_start", "content_block_stop"), 0),
    ("the stream ends early", MESSAGES_STREAM, in_response(1, "event: message_stop\n", "event: ping\n"), 1),
    ("a role is another", GEMINI, in_response(0, '"model"', '"assistant"'), 0),
    ("arguments are gone", GEMINI, in_response(0, '"args"', '"arguments"'), 0),
    ("a finish reason is early", GEMINI_STREAM, in_response(1, '"index": 0', '"index": 0,"finishReason": "STOP"'), 1),
    ("an answer fails", GEMINI, fail_first, 0),
    ("the recorded request was another", GEMINI, in_request(0, '"maxOutputTokens": 1024', '"maxOutputTokens": 9'), 0),
    ("an exchange is missing", MESSAGES, drop_exchange, None),
    ("an exchange is there twice", CHAT_STREAM, repeat_exchange, 2),
]


@pytest.mark.parametrize(("cell_id", "edit", "exchange"), [b[1:] for b in BREAKS], ids=[b[0] for b in BREAKS])
def test_a_broken_cassette_is_red_and_the_place_is_named(
    cell_id: str, edit: CassetteEdit, exchange: int | None, tmp_path: Path
) -> None:
    path = broken(cell(cell_id), tmp_path, edit)
    verdict = replay(cell(cell_id), path)
    assert not verdict.passed
    assert verdict.harness_errors == []
    assert exchange in {finding.exchange for finding in verdict.findings}, places(verdict)
    assert {finding.source for finding in verdict.findings} == {str(path)}


@pytest.mark.parametrize("cell_id", [CHAT, CHAT_STREAM, MESSAGES, MESSAGES_STREAM, GEMINI, GEMINI_STREAM])
def test_a_miss_is_loud_under_every_sdk(cell_id: str, tmp_path: Path) -> None:
    verdict = replay(cell(cell_id), broken(cell(cell_id), tmp_path, drop_exchange))
    assert "exchange-unexpected None None" in places(verdict)
    assert "client-error-unexpected" not in {finding.rule for finding in verdict.findings}


def test_an_unplayed_exchange_is_found(tmp_path: Path) -> None:
    verdict = replay(cell(CHAT), broken(cell(CHAT), tmp_path, repeat_exchange))
    assert places(verdict) == ["exchange-unused 2 None"]


def test_drift_names_the_pointer(tmp_path: Path) -> None:
    edit = in_request(0, '"model":"', '"model":"another-')
    assert places(replay(cell(CHAT), broken(cell(CHAT), tmp_path, edit))) == ["request-drift 0 /model"]


def test_a_scenario_that_was_edited_since_is_the_one_finding(tmp_path: Path) -> None:
    original = cell(CHAT)
    path = broken(original, tmp_path, lambda _: None)
    talk = original.scenario.conversations[0]
    asks = replace(original.scenario, conversations=(replace(talk, user="How warm is it?"),))
    tool = replace(original.scenario.tools[0], description="Get the temperature.")
    for scenario in (asks, replace(original.scenario, tools=(tool, *original.scenario.tools[1:]))):
        verdict = replay(replace(original, scenario=scenario), path)
        assert places(verdict) == ["cassette-scenario-mismatch 0 None"]
        assert verdict.findings[0].message.startswith("the scenario is newer than its cassettes: ")


def test_an_edit_of_what_the_model_answers_is_the_one_finding(tmp_path: Path) -> None:
    original = cell(CHAT)
    path = broken(original, tmp_path, lambda _: None)
    [talk] = original.scenario.conversations
    *begin, last = talk.model
    edited = replace(original.scenario, conversations=(replace(talk, model=(*begin, replace(last, text="It rains."))),))
    verdict = replay(replace(original, scenario=edited), path)
    assert places(verdict) == ["cassette-scenario-mismatch 1 None"]
    assert '"It rains." is not in the recorded reply' in verdict.findings[0].message


def test_a_request_to_another_path_is_no_match(tmp_path: Path) -> None:
    def edit(interactions: list[dict[str, Any]]) -> None:
        interactions[1]["request"]["uri"] = "http://reference.localhost/v1/completions"

    rules = [finding.rule for finding in replay(cell(CHAT), broken(cell(CHAT), tmp_path, edit)).findings]
    assert "exchange-unexpected" in rules
    assert "exchange-unused" in rules


def test_a_cassette_with_a_url_that_is_none_is_refused(tmp_path: Path) -> None:
    def edit(interactions: list[Any]) -> None:
        interactions[1]["request"]["uri"] = "https://["

    with pytest.raises(ConformanceError, match=r"yaml: exchange 1: the request's URL is not valid"):
        replay(cell(CHAT), broken(cell(CHAT), tmp_path, edit))


def test_a_cassette_of_another_cell_is_refused(tmp_path: Path) -> None:
    path = broken(cell(CHAT), tmp_path, lambda _: None)
    with pytest.raises(ConformanceError, match=r"metadata\.dialect is 'openai-chat', but the path has 'gemini'"):
        replay(cell(GEMINI), path)


def test_a_cassette_without_its_provenance_is_refused(tmp_path: Path) -> None:
    path = broken(cell(CHAT), tmp_path, lambda _: None)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("  provenance: reference\n", ""), encoding="utf-8")
    with pytest.raises(ConformanceError, match=r"metadata\.provenance is missing or invalid"):
        replay(cell(CHAT), path)
