"""A driver over a WebSocket: its frames are recorded, redacted, and played without a network, as HTTP is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.cassette.load import load_cassette
from conformance.errors import ConformanceError
from conformance.judge.checker import Checker
from conformance.matrix.cells import Filter, all_cells
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.record import record
from conformance.matrix.replay import replay
from conformance.model.exchange import Body, Response
from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios
from tests.cassettes import SHIPPED, CassetteEdit, broken, cell

CELL = cell("weather-openai-responses-openai-websocket-stream")
KEY = "tp-0123456789-very-secret"


def rules(path: Path) -> list[str]:
    return [finding.rule for finding in replay(CELL, path).findings]


def test_the_driver_has_no_cell_without_a_stream() -> None:
    assert {each.mode for each in all_cells(Filter(drivers=["openai-websocket"]))} == {"stream"}


def test_each_request_continues_the_response_before_it() -> None:
    first, second = load_cassette(SHIPPED / CELL.relative_path).exchanges
    made = json.loads((first.response.body.text or "").splitlines()[-1])["response"]
    asked = second.request.body.json
    assert asked["previous_response_id"] == made["id"]
    assert [item["type"] for item in asked["input"]] == ["function_call_output"]
    assert {"stream", "background"} & asked.keys() == set()


def test_a_recording_of_a_provider_is_played_without_a_network(tmp_path: Path) -> None:
    def at_provider(interactions: list[dict[str, Any]]) -> None:
        for each in interactions:
            each["request"]["uri"] = "wss://api.openai.com/v1/responses"

    assert rules(broken(CELL, tmp_path, at_provider)) == []


def without_end(interactions: list[dict[str, Any]]) -> None:
    body = interactions[-1]["response"]["body"]
    body["string"] = "".join(body["string"].splitlines(keepends=True)[:-1])


@pytest.mark.parametrize(
    ("edit", "rule"),
    [
        (lambda interactions: interactions.pop(), "exchange-unexpected"),
        (lambda interactions: interactions.append(interactions[-1]), "exchange-unused"),
        (without_end, "client-error-unexpected"),
    ],
    ids=["one less", "one more", "without its last frame"],
)
def test_a_cassette_that_lacks_something_is_found(tmp_path: Path, edit: CassetteEdit, rule: str) -> None:
    assert rule in rules(broken(CELL, tmp_path, edit))


def test_a_stream_that_is_cut_after_any_frame_has_no_end_and_no_other_fault_but_open_arguments() -> None:
    first, *_ = load_cassette(SHIPPED / CELL.relative_path).exchanges
    frames = (first.response.body.text or "").splitlines(keepends=True)
    kinds = [json.loads(frame)["type"] for frame in frames]
    calls = range(kinds.index("response.output_item.done") + 2, kinds.index("response.function_call_arguments.done"))
    for count in range(1, len(frames)):
        answer = Response(101, first.response.headers, Body("".join(frames[:count])))
        found = {finding.rule for finding in Checker().feed(replace(first, response=answer))}
        assert found == {"responses-stream-end-misplaced", *(("arguments-malformed",) if count in calls else ())}, count


def test_secrets_in_frames_and_in_the_handshake_reach_no_cassette(tmp_path: Path) -> None:
    scenario = CELL.scenario
    asked = replace(scenario.conversations[0], user=f"{scenario.conversations[0].user} ({KEY})")
    talkative = replace(CELL, scenario=replace(scenario, conversations=(asked,)))
    with ReferenceServer({scenario.id: talkative.scenario}) as server:
        endpoint = Endpoint("reference", server.origin, "gpt-4o-mini", KEY, "reference", headers={"X-Team": KEY})
        assert record(talkative, endpoint, tmp_path).passed
    path = tmp_path / CELL.relative_path
    assert KEY not in path.read_text(encoding="utf-8")
    first, _ = load_cassette(path).exchanges
    assert "(REDACTED)" in (first.request.body.text or "")
    assert first.request.headers.get("x-team") == "REDACTED"
    assert first.request.headers.get("authorization") == "Bearer REDACTED"


def test_a_connection_that_is_lost_replaces_no_cassette(tmp_path: Path) -> None:
    path = tmp_path / CELL.relative_path
    path.parent.mkdir(parents=True)
    path.write_text("the old one", encoding="utf-8")
    with ReferenceServer(all_scenarios()) as server:
        endpoint = Endpoint("reference", server.origin, "gpt-4o-mini", KEY, "reference")
    with pytest.raises(ConformanceError, match="not recorded: openai raised"):
        record(CELL, endpoint, tmp_path)
    assert path.read_text(encoding="utf-8") == "the old one"
