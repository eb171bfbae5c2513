"""Responses over a WebSocket: the official SDK runs a scenario against the reference server, and both sides conform."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Self

import pytest
from openai import OpenAI
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from tests.talking import WEATHER, Talk, talking

pytestmark = pytest.mark.filterwarnings("ignore:connect:DeprecationWarning")  # the SDK's own
TOOL = {
    "type": "function",
    "name": "get_weather",
    "description": "The weather at a place.",
    "parameters": {
        "type": "object",
        "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
        "required": ["latitude", "longitude"],
        "additionalProperties": False,
    },
    "strict": True,
}
ASKED = {
    "type": "response.create",
    "model": "gpt-5-mini",
    "input": [{"role": "user", "content": WEATHER}],
    "tools": [TOOL],
}


@pytest.fixture
def talk() -> Any:
    with talking() as made:
        yield made


class Connection:
    """A connection of the SDK, with its frames as a HAR file has them."""

    def __init__(self, talk: Talk) -> None:
        self.messages: list[dict[str, Any]] = []
        self._client = OpenAI(base_url=f"{talk.server.origin}/v1", api_key="key", max_retries=0)

    def __enter__(self) -> Self:
        self._manager = self._client.responses.connect()
        self._connection = self._manager.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._manager.__exit__(*raised)

    def ask(self, event: dict[str, Any]) -> list[dict[str, Any]]:
        """The events that answer one frame."""
        self.messages.append({"type": "send", "opcode": 1, "data": json.dumps(event)})
        self._connection.send(event)
        found: list[dict[str, Any]] = []
        while not found or found[-1]["type"] not in ("response.completed", "response.failed", "error"):
            text = self._connection.recv_bytes().decode()
            self.messages.append({"type": "receive", "opcode": 1, "data": text})
            found.append(json.loads(text))
        return found

    def archive(self, path: Path) -> Path:
        """A HAR file of the connection."""
        request = {"method": "GET", "url": "wss://api.openai.com/v1/responses", "headers": []}
        entry = {"request": request, "response": {"status": 101, "headers": []}, "_webSocketMessages": self.messages}
        path.write_text(json.dumps({"log": {"entries": [entry]}}))
        return path


def run(connection: Connection, **more: Any) -> str:
    """Runs the scenario: a call, its output, the answer."""
    asked = connection.ask({**ASKED, **more})
    response = asked[-1]["response"]
    [call] = [item for item in response["output"] if item["type"] == "function_call"]
    output = {
        "type": "function_call_output",
        "call_id": call["call_id"],
        "output": '{"temperature": 14.2, "sky": "맑음"}',
    }
    answered = connection.ask({**ASKED, **more, "previous_response_id": response["id"], "input": [output]})
    text: str = answered[-1]["response"]["output"][-1]["content"][0]["text"]
    return text


def findings(exchanges: list[Exchange]) -> list[str]:
    checker = Checker()
    found = [f"{each.rule} {each.pointer} {each.message}" for exchange in exchanges for each in checker.feed(exchange)]
    assert not checker.summary.harness_errors
    return found


@pytest.mark.parametrize("more", [{}, {"store": False}, {"stream_id": "a"}], ids=["stored", "not stored", "in a lane"])
def test_the_sdk_runs_a_scenario_and_neither_side_breaks_a_rule(
    talk: Talk, tmp_path: Path, more: dict[str, Any]
) -> None:
    with Connection(talk) as connection:
        assert "14.2" in run(connection, **more)
        archive = connection.archive(tmp_path / "connection.har")
    [played] = talk.conversations()
    assert (played["dialect"], played["turn"], played["outcome"]) == ("openai-responses", 2, "complete")
    assert talk.sessions.summary().errors == 0
    exchanges = list(read([str(archive)]))
    assert len(exchanges) == 2
    assert findings(exchanges) == []


def test_a_wrong_frame_is_refused_by_a_frame_and_the_connection_goes_on(talk: Talk, tmp_path: Path) -> None:
    with Connection(talk) as connection:
        [refusal] = connection.ask({**ASKED, "previous_response_id": "resp_1"})
        assert (refusal["type"], refusal["status"]) == ("error", 400)
        assert "not found" in refusal["error"]["message"]
        assert "14.2" in run(connection)
        archive = connection.archive(tmp_path / "connection.har")
    assert len(list(read([str(archive)]))) == 3


def test_a_page_of_another_origin_opens_no_connection(talk: Talk) -> None:
    talk.server._hosts = ()
    with (
        pytest.raises(InvalidStatus),
        connect(
            talk.server.origin.replace("http", "ws") + "/v1/responses",
            origin="https://example.com",  # type: ignore[arg-type]
        ),
    ):
        pass
