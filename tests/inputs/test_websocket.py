"""Connections over a WebSocket are read as one exchange for each frame of the client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.inputs import read
from conformance.inputs.websocket import turns_of
from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example
from conformance.model.exchange import Exchange
from conformance.model.registry import claim

URL = "wss://api.openai.com/v1/responses"
ASK = {"type": "response.create", "model": "m", "input": "Hello"}


def sent(**more: Any) -> tuple[bool, str]:
    return True, json.dumps({**ASK, **more})


def received(kind: str, **more: Any) -> tuple[bool, str]:
    return False, json.dumps({"type": kind, **more})


def kinds(frames: list[tuple[bool, str]]) -> list[list[str]]:
    return [[json.loads(frame)["type"] for frame in turn.received] for turn in turns_of(frames)]


def archive(path: Path, messages: Any) -> list[Exchange]:
    request = {"method": "GET", "url": URL, "headers": [{"name": "Authorization", "value": "Bearer REDACTED"}]}
    entry = {"request": request, "response": {"status": 101, "headers": []}, "_webSocketMessages": messages}
    path.write_text(json.dumps({"log": {"entries": [entry]}}))
    return list(read([str(path)]))


def test_each_frame_of_the_client_has_the_frames_that_answer_it() -> None:
    frames = [sent(), received("response.created"), received("response.completed"), sent(), received("error")]
    assert kinds(frames) == [["response.created", "response.completed"], ["error"]]


def test_frames_of_several_lanes_are_told_apart() -> None:
    frames = [
        sent(stream_id="a"),
        sent(stream_id="b"),
        received("response.created", stream_id="b"),
        received("response.created", stream_id="a"),
        received("response.failed", stream_id="b"),
        received("response.completed", stream_id="a"),
    ]
    assert kinds(frames) == [["response.created", "response.completed"], ["response.created", "response.failed"]]


def test_a_frame_after_the_end_stays_with_the_answer_that_had_ended() -> None:
    frames = [sent(), received("response.completed"), received("response.completed")]
    assert kinds(frames) == [["response.completed", "response.completed"]]


def test_input_for_a_response_has_its_own_answers_and_the_response_that_takes_it_up() -> None:
    steer = {"steer": {"id": "s", "previous_response_id": "r"}}
    frames = [
        sent(),
        received("response.created"),
        (True, '{"type": "response.steer", "previous_response_id": "r", "input": "Faster."}'),
        received("response.steer.accepted", **steer),
        received("response.incomplete"),
        received("response.created"),
        received("response.completed"),
        received("response.steer.failed", steer={"previous_response_id": "of another connection"}),
    ]
    assert kinds(frames) == [
        ["response.created", "response.incomplete"],
        ["response.steer.accepted", "response.created", "response.completed"],
    ]


def test_a_connection_in_an_archive_is_judged_turn_by_turn(tmp_path: Path) -> None:
    records = Example("openai-responses/socket-run").records()
    messages = [
        message
        for record in records
        for message in (
            {"type": "send", "opcode": 1, "data": json.dumps(record["request"]["body"])},
            *({"type": "receive", "opcode": 1, "data": line} for line in record["response"]["body"].splitlines()),
        )
    ]
    exchanges = archive(tmp_path / "connection.har", messages)
    assert [(each.request.method, each.request.url, each.response.status) for each in exchanges] == [
        ("GET", URL, 101)
    ] * 2
    assert exchanges[0].conversation == exchanges[1].conversation
    checker = Checker()
    assert [finding.rule for each in exchanges for finding in checker.feed(each)] == []
    assert checker.summary.judged == 2
    messages[-1]["data"] = messages[-2]["data"]
    [_, broken] = archive(tmp_path / "connection.har", messages)
    assert "responses-stream-end-misplaced" in {finding.rule for finding in Checker().feed(broken)}


@pytest.mark.parametrize("messages", [None, [], [{"type": "send", "opcode": 1, "data": '{"type": "session.update"}'}]])
def test_a_connection_without_a_request_is_not_judged_and_counts_as_such(tmp_path: Path, messages: Any) -> None:
    [exchange] = archive(tmp_path / "connection.har", messages)
    assert claim(exchange.request) is None
    checker = Checker()
    assert list(checker.feed(exchange)) == []
    assert (checker.summary.judged, checker.summary.unclaimed) == (0, 1)


def test_a_cassette_has_turns_in_the_same_form(tmp_path: Path) -> None:
    interactions = [
        {
            "request": {
                **{key: record["request"][key] for key in ("method", "headers")},
                "uri": URL,
                "body": json.dumps(record["request"]["body"]),
            },
            "response": {
                "status": {"code": 101, "message": "Switching Protocols"},
                "headers": {"content-type": ["application/x-ndjson"]},
                "body": {"string": record["response"]["body"]},
            },
        }
        for record in Example("openai-responses/socket-run").records()
    ]
    path = tmp_path / "connection.yaml"
    path.write_text(yaml.safe_dump({"version": 1, "interactions": interactions}))
    checker = Checker()
    assert [finding.rule for each in read([str(path)]) for finding in checker.feed(each)] == []
    assert checker.summary.judged == 2


@pytest.mark.statement("OAR-Q-030", "OAR-S-023")
def test_input_for_a_response_and_its_answers_are_judged_by_their_own_shapes() -> None:
    [record] = Example("openai-responses/endpoint-steering").records()
    record["request"]["body"] |= {"stream_id": "a", "input": [{"role": "developer", "content": "In Fahrenheit."}]}
    record["response"]["body"] = record["response"]["body"].replace('"id": "steer_1", ', "", 1)
    found = Checker().feed(Exchange.of(record, complete=True, group="steering"))
    assert {((each.cite or "")[:9], each.rule, each.pointer) for each in found} == {
        ("OAR-Q-030", "responses-request-value-unknown", "/input/0/role"),
        ("OAR-Q-030", "responses-request-field-unknown", "/stream_id"),
        ("OAR-S-023", "responses-event-field-missing", "event/0/steer"),
    }
