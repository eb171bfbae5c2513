"""Recording: from the reference server, over HTTP, whole or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import vcr
import yaml

from conformance.cassette.load import load_cassette
from conformance.cells import Cell
from conformance.errors import ConformanceError
from conformance.record import Endpoint, record
from conformance.reference.server import ReferenceServer
from conformance.scenario import all_scenarios
from conformance.targets import all_targets
from tests.cassettes import PLAYED, SHIPPED, cell

AGAIN = [cell for cell in PLAYED if cell.scenario.id in ("geocode-then-weather", "weather")]
"""The cells that are recorded here; `make record` does it with all of them."""

KEY = "tp-0123456789-very-secret"


def endpoint(server: ReferenceServer, dialect: str) -> Endpoint:
    return Endpoint("reference", server.origin, all_targets()["reference"].models[dialect], KEY, "reference")


@pytest.mark.parametrize("cell", AGAIN, ids=lambda cell: cell.id)
def test_recording_again_gives_the_shipped_cassette(cell: Cell, tmp_path: Path) -> None:
    with ReferenceServer(all_scenarios()) as server:
        verdict = record(cell, endpoint(server, cell.dialect), tmp_path)
        assert server.faults == []
    assert verdict.passed
    fresh, shipped = (
        yaml.safe_load((folder / cell.relative_path).read_text(encoding="utf-8")) for folder in (tmp_path, SHIPPED)
    )
    assert fresh["metadata"].keys() == shipped["metadata"].keys()
    assert [each["response"] for each in fresh["interactions"]] == [
        each["response"] for each in shipped["interactions"]
    ]
    assert [each["request"]["body"] for each in fresh["interactions"]] == [
        each["request"]["body"] for each in shipped["interactions"]
    ]


@pytest.mark.parametrize("cell", PLAYED, ids=lambda cell: cell.id)
def test_a_shipped_cassette_loads_in_plain_vcrpy_with_its_metadata(cell: Cell) -> None:
    path = SHIPPED / cell.relative_path
    with vcr.VCR(record_mode="none").use_cassette(str(path)) as tape:
        assert len(tape) == len(load_cassette(path).exchanges)
        for key, value in load_cassette(path).metadata.items():
            assert tape.get_metadata(key, None) == value


@pytest.mark.parametrize("cell", PLAYED, ids=lambda cell: cell.id)
def test_a_shipped_cassette_says_where_it_comes_from(cell: Cell) -> None:
    metadata = load_cassette(SHIPPED / cell.relative_path).metadata
    assert metadata["provenance"] == "reference"
    assert metadata["target"] == "reference"
    assert {"scenario", "dialect", "driver", "driver_version", "model", "recorded_at", "conformance_version"} <= set(
        metadata
    )


def test_the_key_reaches_no_cassette(tmp_path: Path) -> None:
    with ReferenceServer(all_scenarios()) as server:
        for each in AGAIN:
            record(each, endpoint(server, each.dialect), tmp_path)
    texts = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.yaml")]
    assert len(texts) == len(AGAIN)
    assert not any(KEY in text for text in texts)
    assert all("REDACTED" in text for text in texts)


def test_a_recording_in_which_the_client_gives_up_is_refused_and_the_old_one_stays(tmp_path: Path) -> None:
    chat = cell("weather-openai-chat-openai-sync")
    path = tmp_path / chat.relative_path
    path.parent.mkdir(parents=True)
    path.write_text("the old one", encoding="utf-8")
    with ReferenceServer({}) as server, pytest.raises(ConformanceError, match="not recorded: openai raised NotFound"):
        record(chat, endpoint(server, chat.dialect), tmp_path)
    assert path.read_text(encoding="utf-8") == "the old one"
    assert list(path.parent.iterdir()) == [path]


SLOW = """
import sys, time
import conformance.reference.server as server
genuine = server.turn_of
def turn_of(*arguments):
    print("half-way", flush=True)
    time.sleep(60)
    return genuine(*arguments)
server.turn_of = turn_of
from conformance.cli import main
sys.argv = ["conformance", "record", "--driver", "openai", "--no-stream", "--cassettes", sys.argv[1]]
main()
"""


def test_killing_a_recording_half_way_leaves_the_old_cassette(tmp_path: Path) -> None:
    chat = cell("weather-openai-chat-openai-sync")
    path = tmp_path / chat.relative_path
    path.parent.mkdir(parents=True)
    path.write_bytes((SHIPPED / chat.relative_path).read_bytes())
    before = path.read_bytes()
    with subprocess.Popen([sys.executable, "-c", SLOW, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "half-way\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert path.read_bytes() == before
    assert len(load_cassette(path).exchanges) == 2
