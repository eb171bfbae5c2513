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
from click.testing import CliRunner, Result
from starlette.responses import Response

from conformance.campaign.targets import all_targets
from conformance.cassette.load import load_cassette
from conformance.commands import app
from conformance.errors import ConformanceError
from conformance.inputs import recording
from conformance.matrix.cells import Cell
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.record import record
from conformance.matrix.stored_targets import stored_target
from conformance.model.exchange import Request
from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios
from tests.cassettes import PLAYED, SHIPPED, cell, some
from tests.foreign import foreign, refused

AGAIN = [cell for cell in PLAYED if cell.scenario.id in ("geocode-then-weather", "weather")]
"""The cells that are recorded here; `make record` does it with all of them."""

KEY = "tp-0123456789-very-secret"


def endpoint(server: ReferenceServer, dialect: str) -> Endpoint:
    return Endpoint("reference", server.origin, all_targets()["reference"].models[dialect], KEY, "reference")


@pytest.mark.parametrize("cell", some(AGAIN), ids=lambda cell: cell.id)
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


def test_the_text_of_a_recording_is_parsed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = recording.parsed

    def counting(data: bytes, path: str) -> recording.Recording:
        parsed.append(path)
        return parse(data, path)

    monkeypatch.setattr(recording, "parsed", counting)
    with ReferenceServer(all_scenarios()) as server:
        record(AGAIN[0], endpoint(server, AGAIN[0].dialect), tmp_path)
    assert parsed == [str(tmp_path / AGAIN[0].relative_path)]


@pytest.mark.parametrize("cell", some(PLAYED), ids=lambda cell: cell.id)
def test_a_shipped_cassette_loads_in_plain_vcrpy_with_its_metadata(cell: Cell) -> None:
    path = SHIPPED / cell.relative_path
    with vcr.VCR(record_mode="none").use_cassette(str(path)) as tape:
        loaded = load_cassette(path)
        assert len(tape) == len(loaded.exchanges)
        for key, value in loaded.metadata.items():
            assert tape.get_metadata(key, None) == value


@pytest.mark.parametrize("cell", some(PLAYED), ids=lambda cell: cell.id)
def test_a_shipped_cassette_names_its_provenance(cell: Cell) -> None:
    metadata = load_cassette(SHIPPED / cell.relative_path).metadata
    assert metadata["provenance"] == "reference"
    assert metadata["target"] == "reference"
    assert {"scenario", "dialect", "driver", "driver_version", "model", "recorded_at", "conformance_version"} <= set(
        metadata
    )


def test_the_key_reaches_no_cassette(tmp_path: Path) -> None:
    with ReferenceServer(all_scenarios()) as server:
        for each in some(AGAIN):
            record(each, endpoint(server, each.dialect), tmp_path)
    texts = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.yaml")]
    assert len(texts) == len(some(AGAIN))
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
import conformance.reference.answering as answering
genuine = answering.turn_of
def turn_of(*arguments):
    print("half-way", flush=True)
    time.sleep(60)
    return genuine(*arguments)
answering.turn_of = turn_of
from conformance.commands import main
sys.argv = ["conformance", "record", "--driver", "openai", "--no-stream", "--cassettes", sys.argv[1]]
main()
"""


@pytest.mark.process
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


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["record", *arguments], env={"OPENAI_API_KEY": None})


TWO = ("--scenario", "weather", "--scenario", "no-arguments", "--driver", "openai", "--dialect", "openai-chat")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_target_is_recorded_as_what_it_is(jobs: str, tmp_path: Path) -> None:
    with foreign() as server:
        result = invoke(
            *("--base-url", f"{server.origin}/v1", *TWO, "--model", "m", "--no-stream"),
            *("--cassettes", str(tmp_path), "--jobs", jobs),
        )
    assert result.exit_code == 0, result.output
    assert "2 of 2 cells recorded without an error" in result.stdout
    made = sorted(tmp_path.rglob("*.yaml"))
    name = server.origin.removeprefix("http://").replace(":", "-")
    assert [path.name for path in made] == [f"{name}--openai.yaml"] * 2
    for path in made:
        metadata = load_cassette(path).metadata
        assert (metadata["target"], metadata["provenance"], metadata["model"]) == (name, "local", "m")
    assert not (tmp_path / ".conformance-journal.jsonl").exists()


def test_one_that_is_refused_loses_no_other_and_is_tried_again_on_resume(tmp_path: Path) -> None:
    broken = [True]

    def fault(_number: int, request: Request) -> Response | None:
        return refused(500) if broken[0] and b"build" in (request.body.content or b"") else None

    with foreign(fault) as server:
        options = ["--base-url", server.origin, *TWO, "--model", "m", "--no-stream", "--cassettes", str(tmp_path)]
        first = invoke(*options)
        broken[0] = False
        asked = len(server.requests)
        second = invoke(*options, "--resume")
    assert first.exit_code == 1
    assert "no-arguments-openai-chat-openai-sync: not recorded: openai raised InternalServerError" in first.stderr
    assert asked == 3
    assert second.exit_code == 0, second.output
    assert "resumed: 1 of 2 cells are already done" in second.stderr
    assert len(server.requests) == 5
    assert len(list(tmp_path.rglob("*.yaml"))) == 2


def test_a_cassette_that_was_deleted_meanwhile_is_recorded_again(tmp_path: Path) -> None:
    with foreign() as server:
        options = ["--base-url", server.origin, *TWO, "--model", "m", "--no-stream", "--cassettes", str(tmp_path)]
        invoke(*options, "--budget", "10tokens")
        (made,) = tmp_path.rglob("*.yaml")
        made.unlink()
        result = invoke(*options, "--resume")
    assert result.exit_code == 0, result.output
    assert "resumed" not in result.stderr
    assert len(list(tmp_path.rglob("*.yaml"))) == 2


def test_a_target_without_its_key_sends_nothing(tmp_path: Path) -> None:
    result = invoke("--target", "openai", "--cassettes", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr.startswith("conformance: OPENAI_API_KEY is not set")
    assert "`conformance record --cassettes DIR` need no key" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_reference_server_is_recorded_without_a_word(tmp_path: Path) -> None:
    result = invoke(*TWO, "--cassettes", str(tmp_path), "--jobs", "2")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    assert {load_cassette(path).metadata["provenance"] for path in tmp_path.rglob("*.yaml")} == {"reference"}


def test_two_servers_on_one_host_keep_their_own_cassettes(tmp_path: Path) -> None:
    for _ in range(2):
        with foreign() as server:
            result = invoke(
                *("--base-url", server.origin, "--scenario", "weather", "--driver", "openai"),
                *("--dialect", "openai-chat", "--model", "m", "--no-stream", "--cassettes", str(tmp_path)),
            )
        assert result.exit_code == 0, result.output
    assert len(sorted(tmp_path.rglob("*.yaml"))) == 2


def test_a_target_has_the_name_that_it_is_given(tmp_path: Path) -> None:
    with foreign() as server:
        result = invoke(
            *("--base-url", server.origin, "--name", "llama-8b", "--scenario", "weather", "--driver", "openai"),
            *("--dialect", "openai-chat", "--model", "m", "--no-stream", "--cassettes", str(tmp_path)),
        )
    assert result.exit_code == 0, result.output
    (kept,) = tmp_path.rglob("*.yaml")
    assert kept.name == "llama-8b--openai.yaml"
    assert load_cassette(kept).metadata["target"] == "llama-8b"


@pytest.mark.parametrize("name", ["a/b", "a--b", "reference", "", "Upper"])
def test_a_name_that_no_file_can_have_is_refused(name: str, tmp_path: Path) -> None:
    result = invoke(
        *("--base-url", "http://127.0.0.1:9", "--name", name, "--dialect", "openai-chat", "--model", "m"),
        *("--cassettes", str(tmp_path)),
    )
    assert result.exit_code == 2
    assert "--name" in result.stderr


@pytest.mark.parametrize(
    ("there", "asked", "found"),
    [
        (["127.0.0.1"], "127.0.0.1-8080", "127.0.0.1"),
        (["127.0.0.1-8080"], "127.0.0.1", "127.0.0.1-8080"),
        (["127.0.0.1-8080", "127.0.0.1-8081"], "127.0.0.1", "127.0.0.1"),
        (["127.0.0.1", "127.0.0.1-8080"], "127.0.0.1-8080", "127.0.0.1-8080"),
        (["groq"], "groq", "groq"),
        ([], "groq", "groq"),
    ],
)
def test_cassettes_with_the_names_of_older_versions_are_found(
    there: list[str], asked: str, found: str, tmp_path: Path
) -> None:
    for name in there:
        (tmp_path / f"{name}--openai.yaml").touch()
    assert stored_target(asked, tmp_path) == found


def test_samples_are_kept_each_in_its_folder(tmp_path: Path) -> None:
    one = ("--scenario", "weather", "--driver", "openai", "--dialect", "openai-chat", "--no-stream")
    result = invoke(*one, "--samples", "2", "--cassettes", str(tmp_path))
    assert result.exit_code == 0, result.output
    kept = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.yaml"))
    assert kept == [f"sample-{number}/openai-chat/weather/reference--openai.yaml" for number in (1, 2)]
