"""Tools on a real MCP server: recorded together with the provider, and played back without either."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

from conformance.cassette.load import Cassette, parse_cassette
from conformance.cassette.redact import Redactor
from conformance.cassette.vcr import REFERENCE_HOST, playing, recording
from conformance.drivers import ClientReading, DriverInput, all_drivers, chunkers
from conformance.drivers.transport import AsyncRecordingTransport, Capture, Chunker, client
from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.model.registry import claim
from conformance.reference.server import ReferenceServer
from conformance.scenario.executor.mcp import REPLAY_ORIGIN, STATELESS, WITH_HANDSHAKE, McpExecutor, serving
from conformance.scenario.executor.mcp_server import HOST
from conformance.scenario.executor.scripted import ScriptedExecutor
from conformance.scenario.load import all_scenarios
from conformance.scenario.model import Scenario

REVISIONS = [STATELESS, WITH_HANDSHAKE]
WEATHER = all_scenarios()["weather"]
SEOUL = {"latitude": 37.5, "longitude": 127}
DRIVERS = {driver.name: driver for driver in all_drivers() if driver.dialect == "openai-chat"}
MODEL = "gpt-4o-mini"


def judged(exchanges: list[Exchange]) -> list[Finding]:
    checker = Checker()
    findings = [
        finding
        for exchange in exchanges
        for finding in checker.feed(dataclasses.replace(exchange, complete=True, group="run"))
    ]
    assert checker.summary.harness_errors == []
    assert checker.summary.unclaimed == 0
    return findings


def run(scenario: Scenario, origin: str, mcp_origin: str | None, revision: str, *, stream: bool = False) -> Any:
    """One conversation of the OpenAI SDK with its tools on an MCP server: its requests, its reading, its calls."""
    capture, reading = Capture(), ClientReading()
    chunker = chunkers.events if mcp_origin == REPLAY_ORIGIN else None
    with (
        client(capture, chunker) as http_client,
        McpExecutor(
            scenario, mcp_origin, tapped(capture, chunker), dialect="openai-chat", revision=revision
        ) as executor,
    ):
        conversation = scenario.conversations[0]
        inputs = DriverInput(
            user=conversation.user,
            system=scenario.system,
            tools=executor.tools,
            options=scenario.options,
            origin=origin,
            api_key="sk-test",
            model=MODEL,
            stream=stream,
            execute=executor,
            http_client=http_client,
            max_turns=len(conversation.model) + 3,
        )
        DRIVERS["openai"].act(inputs, reading)
    return capture, reading, executor.log


@contextmanager
def recorded(scenario: Scenario, revision: str, *, stream: bool = False) -> Iterator[tuple[Any, Cassette]]:
    with ReferenceServer(all_scenarios()) as server:
        metadata = {"conformance_version": "0"}
        with recording(metadata, Redactor(["sk-test"]), server.origin) as tape:
            result = run(scenario, server.origin, None, revision, stream=stream)
        assert server.faults == []
    yield result, parse_cassette(tape.text, "run.yaml")


def tapped(capture: Capture, chunker: Chunker | None = None) -> AsyncRecordingTransport:
    """The transport that a run gives the executor: no endless streams, everything noted."""
    return AsyncRecordingTransport(capture, chunker, refused=["GET"])


@pytest.mark.process
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("stream", [False, True], ids=["sync", "stream"])
def test_a_run_is_recorded_with_its_tools_and_played_back_offline(revision: str, *, stream: bool) -> None:
    with recorded(WEATHER, revision, stream=stream) as ((_, reading, log), cassette):
        pass
    assert "14.2" in reading.answer
    assert [call.tool for call in log] == ["get_weather"]
    dialects = [getattr(claim(exchange.request), "name", None) for exchange in cassette.exchanges]
    opening = ["mcp"] if revision == STATELESS else ["mcp"] * 3
    closing = [] if revision == STATELESS else ["mcp"]
    assert dialects == [*opening, "openai-chat", "mcp", "openai-chat", *closing]
    assert judged(list(cassette.exchanges)) == []

    with playing(cassette) as tape:
        capture, again, replayed = run(WEATHER, f"http://{REFERENCE_HOST}", REPLAY_ORIGIN, revision, stream=stream)
        assert tape.all_played
    assert capture.failures == {}
    assert (again.answer, again.calls, replayed) == (reading.answer, reading.calls, log)
    pairs = zip(capture.requests, cassette.exchanges, strict=True)
    assert judged([Exchange(live, then.response) for live, then in pairs]) == []


@pytest.mark.process
@pytest.mark.parametrize("revision", REVISIONS)
def test_recording_again_changes_nothing(revision: str) -> None:
    texts = []
    for _ in range(2):
        with recorded(WEATHER, revision) as (_, cassette):
            texts.append([(each.request, each.response.body.content) for each in cassette.exchanges])
    one, other = (
        [(request.url, dict(request.headers), request.body.text, body) for request, body in text] for text in texts
    )
    assert one == other
    assert all(f"//{HOST}/" in url or f"//{REFERENCE_HOST}/" in url for url, *_ in one)


@pytest.mark.process
def test_a_session_id_reaches_no_cassette() -> None:
    with recorded(WEATHER, WITH_HANDSHAKE) as (_, cassette):
        ids = {exchange.response.headers.get("mcp-session-id") for exchange in cassette.exchanges}
        ids |= {exchange.request.headers.get("mcp-session-id") for exchange in cassette.exchanges}
    assert ids == {None, "REDACTED"}


@pytest.mark.process
def test_no_server_is_started_for_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    with recorded(WEATHER, STATELESS) as (_, cassette):
        pass

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with playing(cassette):
        _, reading, _ = run(WEATHER, f"http://{REFERENCE_HOST}", REPLAY_ORIGIN, STATELESS)
    assert "14.2" in reading.answer


@pytest.mark.process
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("name", ["many-tools", "no-arguments", "nested-arguments", "tool-error"])
def test_the_server_offers_and_returns_what_the_scenario_says(name: str, revision: str) -> None:
    scenario, capture = all_scenarios()[name], Capture()
    scripted = ScriptedExecutor(scenario)
    with McpExecutor(scenario, None, tapped(capture), dialect="openai-chat", revision=revision) as executor:
        assert sorted(executor.mapped.names.values()) == sorted(tool.name for tool in scenario.tools)
        calls = [call for each in scenario.conversations for speech in each.model for call in speech.calls]
        for call in calls:
            if scenario.tool(call.tool) is not None:
                assert executor(call.tool, call.arguments) == scripted(call.tool, call.arguments), call
        listing = [each for each in capture.requests if '"tools/list"' in (each.body.text or "")]
        assert len(listing) == (len(scenario.tools) + 1) // 2
    assert executor.log == scripted.log
    assert capture.failures == {}


@pytest.mark.process
@pytest.mark.statement("MAP-009")
def test_a_failure_of_the_tool_is_an_outcome() -> None:
    with McpExecutor(WEATHER, None, tapped(Capture()), dialect="openai-chat") as executor:
        outcome = executor("get_weather", {"latitude": 0, "longitude": 0})
        assert outcome.is_error
        assert "no weather station" in outcome.value
        assert executor("get_weather", "{}").is_error
        assert executor("get_wether", {}).is_error
        assert [each.tool for each in executor.log] == ["get_weather", "get_weather", "get_wether"]


@pytest.mark.process
@pytest.mark.statement("MAP-010")
@pytest.mark.parametrize("revision", REVISIONS)
def test_an_error_of_the_protocol_is_an_outcome_too(revision: str) -> None:
    capture = Capture()
    with McpExecutor(WEATHER, None, tapped(capture), dialect="openai-chat", revision=revision) as executor:
        executor.mapped = dataclasses.replace(executor.mapped, names={"gone": "gone"})
        outcome = executor("gone", {})
    assert outcome.is_error
    assert outcome.value == "Unknown tool: gone"


def message(method: str, params: dict[str, Any]) -> dict[str, Any]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {"mcp-protocol-version": STATELESS, "mcp-method": method, "accept": "application/json, text/event-stream"}
    if "name" in params:
        headers["mcp-name"] = params["name"]
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    return {"headers": headers, "json": body}


@pytest.mark.process
def test_the_server_refuses_what_it_does_not_have() -> None:
    with serving(WEATHER) as origin, httpx2.Client(base_url=origin, trust_env=False) as http:
        unknown = http.post("/mcp", **message("tools/call", {"name": "gone", "arguments": {}}))
        assert (unknown.status_code, unknown.json()["error"]["code"]) == (400, -32602)
        page = http.post("/mcp", **message("tools/list", {"cursor": "from-99"}))
        assert page.json()["error"]["code"] == -32602
        assert http.get("/mcp", headers={"mcp-protocol-version": STATELESS}).status_code == 405


@pytest.mark.process
@pytest.mark.parametrize("revision", REVISIONS)
def test_a_call_that_the_cassette_does_not_have_is_a_miss_and_no_hang(revision: str) -> None:
    capture = Capture()
    with (
        recording({}, Redactor(), None) as tape,
        McpExecutor(WEATHER, None, tapped(Capture()), dialect="openai-chat", revision=revision),
    ):
        pass
    with (
        playing(parse_cassette(tape.text, "run.yaml")),
        McpExecutor(
            WEATHER,
            REPLAY_ORIGIN,
            tapped(capture),
            dialect="openai-chat",
            revision=revision,
            disconnected=lambda: capture.failures,
        ) as executor,
    ):
        outcomes = [executor("get_weather", SEOUL) for _ in range(2)]
    # A client that waits until its read times out says so; this one is told at once, and asks no second time.
    assert [outcome.value for outcome in outcomes] == ["Connection closed"] * 2
    assert len(capture.failures) == 1


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_cassette_without_the_server_is_a_failure_and_no_hang(revision: str) -> None:
    capture = Capture()
    with (
        playing(Cassette("empty.yaml", {}, ())),
        pytest.raises(Exception, match=r"\S"),
        McpExecutor(
            WEATHER,
            REPLAY_ORIGIN,
            tapped(capture),
            dialect="openai-chat",
            revision=revision,
            disconnected=lambda: capture.failures,
        ),
    ):
        pass
    assert len(capture.failures) == 1


@pytest.mark.process
def test_a_client_that_dies_takes_its_server_along() -> None:
    code = (
        "from conformance.scenario.executor.mcp import serving; import os\n"
        "from conformance.scenario.load import all_scenarios\n"
        "manager = serving(all_scenarios()['weather']); print(manager.__enter__(), flush=True); os._exit(9)"
    )
    origin = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout.strip()
    for _ in range(100):
        try:
            httpx2.get(f"{origin}/mcp", trust_env=False)
        except httpx2.ConnectError:
            return
        time.sleep(0.05)
    pytest.fail("the server is still there")


@pytest.mark.process
def test_the_provider_and_the_server_come_in_the_order_of_their_calls() -> None:
    with recorded(WEATHER, STATELESS) as (_, cassette):
        bodies = [json.loads(each.request.body.text or "{}") for each in cassette.exchanges]
    assert [body.get("method") for body in bodies] == ["tools/list", None, "tools/call", None]
