"""Responses over a WebSocket: the official SDK runs a scenario against the reference server, and both sides conform."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import pytest
from openai import OpenAI

from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from tests.talking import WEATHER, Talk, talking

if TYPE_CHECKING:
    from openai.resources.responses.responses import ResponsesConnection
    from openai.types.responses.responses_client_event_param import ResponsesClientEventParam

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

    def __init__(self, connection: ResponsesConnection) -> None:
        self._connection = connection
        self.messages: list[dict[str, Any]] = []

    def ask(self, event: dict[str, Any]) -> list[dict[str, Any]]:
        """The events that answer one frame."""
        self.messages.append({"type": "send", "opcode": 1, "data": json.dumps(event)})
        self._connection.send(cast("ResponsesClientEventParam", event))
        found: list[dict[str, Any]] = []
        while not found or found[-1]["type"] not in (
            "response.completed",
            "response.failed",
            "error",
            "response.steer.failed",
        ):
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


@contextmanager
def connected(talk: Talk) -> Iterator[Connection]:
    client = OpenAI(base_url=f"{talk.server.origin}/v1", api_key="key", max_retries=0)
    with client, client.responses.connect() as connection:
        yield Connection(connection)


def run(connection: Connection, **more: Any) -> str:
    """Runs the scenario: a call, its output, the answer."""
    asked = connection.ask({**ASKED, **more})
    response = asked[-1]["response"]
    [call] = [item for item in response["output"] if item["type"] == "function_call"]
    output = {
        "type": "function_call_output",
        "call_id": call["call_id"],
        "output": '{"temperature": 14.2, "unit": "°C", "sky": "맑음"}',
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
    with connected(talk) as connection:
        assert "14.2" in run(connection, **more)
        archive = connection.archive(tmp_path / "connection.har")
    [played] = talk.conversations()
    assert (played["dialect"], played["turn"], played["outcome"]) == ("openai-responses", 2, "complete")
    assert talk.sessions.summary().errors == 0
    exchanges = list(read([str(archive)]))
    assert len(exchanges) == 2
    assert findings(exchanges) == []


def test_a_wrong_frame_is_refused_by_a_frame_and_the_connection_goes_on(talk: Talk, tmp_path: Path) -> None:
    with connected(talk) as connection:
        [refusal] = connection.ask({**ASKED, "previous_response_id": "resp_1"})
        assert (refusal["type"], refusal["status"]) == ("error", 400)
        assert "not found" in refusal["error"]["message"]
        assert "14.2" in run(connection)
        archive = connection.archive(tmp_path / "connection.har")
    assert len(list(read([str(archive)]))) == 3


def test_a_prepared_response_is_continued(talk: Talk, tmp_path: Path) -> None:
    with connected(talk) as connection:
        response = connection.ask({**ASKED, "input": [], "instructions": "Be brief.", "generate": False})[-1][
            "response"
        ]
        assert response["output"] == []
        assert "14.2" in run(connection, previous_response_id=response["id"])
        [refusal] = connection.ask({**ASKED, "previous_response_id": "resp_1", "generate": False})
        assert refusal["status"] == 400
        archive = connection.archive(tmp_path / "connection.har")
    assert findings(list(read([str(archive)]))) == []


def test_input_for_a_response_comes_too_late_for_a_server_that_sends_it_at_once(talk: Talk, tmp_path: Path) -> None:
    with connected(talk) as connection:
        response = connection.ask(ASKED)[-1]["response"]
        for parent, code in ((response["id"], "response_already_completed"), ("resp_1", "response_not_found")):
            frame = {"type": "response.steer", "previous_response_id": parent, "input": "In Fahrenheit."}
            [failed] = connection.ask(frame)
            assert (failed["type"], failed["error"]["code"]) == ("response.steer.failed", code)
        archive = connection.archive(tmp_path / "connection.har")
    exchanges = list(read([str(archive)]))
    assert len(exchanges) == 3
    assert findings(exchanges) == []


def test_a_page_of_another_origin_opens_no_connection(talk: Talk) -> None:
    talk.server._hosts = ()
    address = urlsplit(talk.server.origin).netloc
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    with closing(http.client.HTTPConnection(address)) as connection:
        for origin, status in (("https://example.com", 403), (f"http://{address}", 101)):
            key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": origin}
            connection.request("GET", "/v1/responses", headers={**headers, **key})
            assert connection.getresponse().status == status
            connection.close()
