"""An endpoint that is down or refuses everything is given up early; one that recovers is judged."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from starlette.responses import Response

from conformance.campaign.health import PATIENCE_SECONDS, Health, Trouble
from conformance.matrix import cells
from conformance.model.exchange import Request
from conformance.scenario.load import all_scenarios
from devtools.places import ROOT
from tests.campaign.test_run import findings, run
from tests.foreign import foreign, refused

CHAT = ("--dialect", "openai-chat", "--driver", "openai", "--no-stream", "--model", "m")
DOWN = Trouble("failing", "every request so far returned 500")
SHUT = Trouble("shut-out", "every request so far returned 401")
GONE = Trouble("unreachable", "no server answers")


class Clock:
    """A clock that moves only when it is set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def added(health: Health[str], *cells: tuple[str, Trouble | None]) -> list[list[str]]:
    """What is decided after each cell, which is also its scenario."""
    return [list(health.add(name, (name, name), trouble)) for name, trouble in cells]


@pytest.mark.parametrize("trouble", [DOWN, SHUT])
def test_an_endpoint_is_given_up_after_three_different_cells(trouble: Trouble) -> None:
    health = Health[str](planned=9)
    assert added(health, ("a", trouble), ("a", trouble), ("b", trouble)) == [[], [], []]
    assert health.given_up is None
    assert added(health, ("c", trouble)) == [["a", "a", "b", "c"]]
    assert health.given_up == trouble


def test_three_cells_of_one_scenario_give_up_no_endpoint_that_has_others() -> None:
    health, only = Health[str](planned=9), Health[str](planned=1)
    for each in (health, only):
        for cell in ("sync", "stream", "raw"):
            list(each.add(cell, ("weather", cell), DOWN))
    assert (health.given_up, only.given_up) == (None, DOWN)


def test_an_endpoint_that_has_answered_is_given_up_only_if_it_stops() -> None:
    health = Health[str](planned=9)
    cells = [("a", None), ("b", SHUT), ("c", SHUT), ("d", SHUT), ("e", GONE), ("f", None), ("g", DOWN)]
    assert added(health, *cells) == [["a"], ["b"], ["c"], ["d"], [], ["e", "f"], []]
    assert health.given_up is None
    assert added(health, ("h", GONE), ("i", DOWN)) == [[], ["g", "h", "i"]]
    assert health.given_up == DOWN


def test_a_server_that_was_never_there_is_given_up_at_once() -> None:
    health = Health[str](planned=9)
    assert added(health, ("a", GONE)) == [["a"]]
    assert health.given_up == GONE


def test_the_wait_for_a_first_response_is_bounded() -> None:
    clock = Clock()
    health = Health[str](planned=9, clock=clock)
    assert health.deadline() == clock.now + PATIENCE_SECONDS
    added(health, ("a", DOWN))
    clock.now += PATIENCE_SECONDS
    assert added(health, ("b", DOWN)) == [["a", "b"]]
    assert health.given_up == DOWN


def test_a_healthy_endpoint_sets_no_deadline() -> None:
    health = Health[str](planned=9)
    added(health, ("a", None))
    assert health.deadline() is None


def test_an_endpoint_without_a_single_answer_is_given_up_at_the_end() -> None:
    health = Health[str](planned=9)
    added(health, ("a", SHUT))
    assert list(health.finish()) == ["a"]
    assert health.given_up == SHUT


def test_a_server_that_fails_is_reported_once_with_its_words_and_each_cell_is_a_finding() -> None:
    with foreign(lambda _number, _request: refused(500, body='{"error": {"message": "out of memory"}}')) as server:
        result = run("--base-url", server.origin, *CHAT, "--format", "json")
    assert result.exit_code == 2
    words = "every request so far returned 500: out of memory"
    assert result.stderr.count(words) == 1
    assert "check the server" in result.stderr
    found = findings(result)
    assert len(found) > 10
    assert {(each["rule"], each["message"]) for each in found} == {("cell-missing", f"not judged: {words}")}
    assert len(server.requests) < len(found)


def test_a_dialect_that_is_not_there_does_not_stop_the_other() -> None:
    def answer(_number: int, request: Request) -> Response | None:
        return refused(404) if "responses" in request.path else None

    with foreign(answer) as server:
        result = run(
            *("--base-url", server.origin, "--model", "m", "--driver", "openai", "--no-stream", "--format", "json"),
            *("--dialect", "openai-chat", "--dialect", "openai-responses"),
            *("--scenario", "weather", "--scenario", "yesterday"),
        )
    assert result.exit_code == 1
    missing = [each for each in findings(result) if each["rule"] == "cell-missing"]
    assert {each["dialect"] for each in missing} == {"openai-responses"}
    assert len(missing) == 2


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_report_is_written_when_the_run_is_ended(number: signal.Signals, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "conformance", "run", *CHAT, "--format", "json", "--output", str(report)]
    with foreign(lambda n, _request: refused(503, {"retry-after": "60"}) if n > 3 else None) as server:
        process = subprocess.Popen(
            [*command, "--base-url", server.origin],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert process.stderr is not None
        assert "retrying in 60 s" in process.stderr.readline()
        time.sleep(0.1)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert f"interrupted by {number.name}" in err
    found = json.loads(report.read_text(encoding="utf-8"))["findings"]
    left = [each for each in found if each["rule"] == "cell-missing"]
    assert left
    assert {each["message"] for each in left} == {f"not judged: interrupted by {number.name}"}


@pytest.fixture
def of_weather(monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrix with one scenario, whose cells are the whole of it."""
    one = {name: each for name, each in all_scenarios().items() if name == "weather"}
    monkeypatch.setattr(cells, "all_scenarios", lambda _folders: one)


@pytest.mark.usefixtures("of_weather")
def test_a_run_of_an_endpoint_prunes_its_baseline(tmp_path: Path) -> None:
    path = tmp_path / "baseline.yaml"
    head = "accepted:\n"
    stale = "  - rule: chat-done-missing\n    reason: fixed since\n"
    elsewhere = "  - rule: messages-stream-end-misplaced\n    dialect: anthropic-messages\n    reason: another run\n"
    path.write_text(head + stale + elsewhere, encoding="utf-8")
    words = ("--dialect", "openai-chat", "--model", "m", "--baseline", str(path))
    with foreign() as server:
        here = (*words, "--base-url", server.origin)
        left = run(*here, "--format", "json")
        part = run(*here, "--driver", "openai", "--baseline-prune")
        pruned = run(*here, "--baseline-prune")
        clean = run(*here)
    assert [(each["rule"], each["severity"]) for each in findings(left)] == [("baseline-entry-unused", "error")]
    assert (left.exit_code, part.exit_code, pruned.exit_code, clean.exit_code) == (1, 2, 0, 0)
    assert path.read_text(encoding="utf-8") == head + elsewhere


@pytest.mark.usefixtures("of_weather")
def test_waits_for_one_reason_are_one_line_and_a_count() -> None:
    def limited(number: int, _request: Request) -> Response | None:
        return refused(429, {"retry-after": "0"}) if number < 3 else None

    with foreign(limited) as server:
        lines = run(*CHAT[:2], "--model", "m", "--base-url", server.origin, "-q").stderr.splitlines()
    waits = [each for each in lines if "returned 429" in each]
    assert ["retrying" in each for each in waits] == [True, False]
    assert re.search(r"\d+ more times: ", waits[1])
