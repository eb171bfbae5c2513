"""The command line: what it prints, and with which exit code it ends."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.commands import app
from conformance.judge.proofs.example import example
from conformance.matrix.cells import Filter, all_cells
from conformance.matrix.replaying import replay_all
from tests.cassettes import PLAYED, SHIPPED, broken, cell, in_response, some
from tests.program import conformance

CHAT = "weather-openai-chat-openai-sync"


def jsonl(folder: Path, *, broken: bool) -> Path:
    [record] = json.loads(json.dumps(example("openai-chat/answer").records()))
    if broken:
        del record["request"]["body"]["messages"][3]
    path = folder / "traffic.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def test_replay_prints_the_matrix_and_ends_with_0() -> None:
    run = conformance("replay", "--scenario", "weather", "--driver", "openai")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "cells replayed without an error" in run.stdout
    assert run.stderr == ""


def test_replay_of_a_broken_cassette_ends_with_1_and_names_the_place(tmp_path: Path) -> None:
    path = broken(cell(CHAT), tmp_path, in_response(0, '"name": "get_weather"', '"name": "get_wether"'))
    run = conformance(
        "replay", "--driver", "openai", "--dialect", "openai-chat", "--no-stream", "--cassettes", str(tmp_path)
    )
    assert run.returncode == 1
    assert str(path) in run.stdout
    assert "exchange 0 /choices/0/message/tool_calls/0 (openai-chat)" in run.stdout


def test_a_cell_without_a_cassette_is_red(tmp_path: Path) -> None:
    run = conformance("replay", "--scenario", "weather", "--cassettes", str(tmp_path), "--format", "json")
    assert run.returncode == 1
    assert {finding["rule"] for finding in json.loads(run.stdout)["findings"]} == {"cassette-missing"}


def test_a_cassette_without_a_cell_is_red(tmp_path: Path) -> None:
    orphan = tmp_path / "gemini" / "nobody.yaml"
    orphan.parent.mkdir()
    orphan.write_bytes((SHIPPED / cell(CHAT).relative_path).read_bytes())
    [verdict] = replay_all([], tmp_path, unused_of=Filter())
    assert [(finding.rule, finding.source) for finding in verdict.findings] == [("cassette-unused", str(orphan))]


def test_every_shipped_cassette_has_a_cell_and_every_cell_its_cassette() -> None:
    paths = {cell.relative_path for cell in all_cells() if not cell.not_applicable}
    assert {path.relative_to(SHIPPED) for path in SHIPPED.rglob("*.yaml")} == paths


def test_check_of_a_conforming_file_ends_with_0(tmp_path: Path) -> None:
    assert conformance("check", str(jsonl(tmp_path, broken=False))).returncode == 0


def test_check_of_a_violating_file_ends_with_1(tmp_path: Path) -> None:
    run = conformance("check", str(jsonl(tmp_path, broken=True)), "--format", "json")
    assert run.returncode == 1
    [finding] = json.loads(run.stdout)["findings"]
    assert finding["rule"] == "tool-call-unanswered"
    assert finding["pointer"] == "/messages/1/tool_calls/1"
    assert finding["source"].endswith("traffic.jsonl:1")


def test_check_reads_standard_input(tmp_path: Path) -> None:
    run = conformance("check", "-", stdin=jsonl(tmp_path, broken=True).read_text(encoding="utf-8"))
    assert run.returncode == 1


def test_a_recording_of_no_known_dialect_is_unclaimed_and_not_judged(tmp_path: Path) -> None:
    path = jsonl(tmp_path, broken=True)
    path.write_text(path.read_text(encoding="utf-8").replace("/chat/completions", "/chatter"), encoding="utf-8")
    run = conformance("check", str(path), "--format", "json")
    assert run.returncode == 2
    assert json.loads(run.stdout)["summary"]["unclaimed"] == 1
    assert "POST /v1/chatter looks like openai-chat" in run.stderr
    assert "pass --dialect openai-chat" in run.stderr
    forced = conformance("check", str(path), "--dialect", "openai-chat")
    assert forced.returncode == 1


def test_a_report_goes_whole_to_its_file(tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    run = conformance("check", str(jsonl(tmp_path, broken=True)), "--format", "json", "--output", str(out))
    assert run.stdout == ""
    assert json.loads(out.read_text(encoding="utf-8"))["summary"]["errors"] == 1
    assert not list(tmp_path.glob(".*"))


def test_check_finds_nothing_in_the_shipped_cassettes_but_what_their_scenarios_and_clients_are_expected_to() -> None:
    every = [str(SHIPPED / each.relative_path) for each in some(PLAYED)]
    run = conformance("check", *every, str(SHIPPED / "openai-chat" / "unknown-tool"), "--format", "json")
    report = json.loads(run.stdout)
    assert run.returncode == 0
    assert report["findings"] == []
    assert report["summary"]["expected"] >= len(list((SHIPPED / "openai-chat" / "unknown-tool").iterdir()))


def test_a_finding_is_expected_only_in_a_cassette_of_the_suite_whose_scenario_provokes_it(tmp_path: Path) -> None:
    shipped = SHIPPED / "openai-chat" / "unknown-tool" / "reference--openai.yaml"
    text = shipped.read_text(encoding="utf-8")
    for name, change in (("other", "scenario: weather"), ("unknown", "scenario: nothing-of-ours")):
        (tmp_path / f"{name}.yaml").write_text(text.replace("scenario: unknown-tool", change), encoding="utf-8")
    (tmp_path / "foreign.yaml").write_text(text.replace("conformance_version", "recorder_version"), encoding="utf-8")
    for each in tmp_path.iterdir():
        run = conformance("check", str(each), "--format", "json")
        assert [finding["rule"] for finding in json.loads(run.stdout)["findings"]] == ["tool-call-undeclared"]
        assert "expected" not in json.loads(run.stdout)["summary"]


WRONG_USE = [
    (["check", "nowhere.yaml"], "nowhere.yaml"),
    (["check"], "Missing argument"),
    (["check", "--dialect", "gemni", "README.md"], "did you mean 'gemini'?"),
    (["replay", "--scenario", "wether"], "unknown scenario 'wether'; did you mean 'weather'?"),
    (["replay", "--driver", "anthropik"], "did you mean 'anthropic'?"),
    (["replay", "--dialect", "gemini", "--driver", "openai"], "no cell matches all filters"),
    (["replay", "--scenario", "forced-choice", "--dialect", "qwen3"], "no cell can run: A raw prompt has no"),
    (["replay", "--cassettes", "nowhere"], "nowhere: folder does not exist"),
    (["record", "--scenario", "wether", "--cassettes", "x"], "did you mean 'weather'?"),
    (["record"], "Missing option '--cassettes'"),
    (["explain", "unanswered-tool-cal"], "did you mean 'tool-call-unanswered'?"),
    (["show", "nowhere.yaml"], "nowhere.yaml"),
    (["list", "--dialect", "gemni"], "did you mean 'gemini'?"),
    (["chek"], "Did you mean 'check'?"),
    (["new"], "\nCommands:\n  project "),
    (["check", "README.md"], "README.md"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_USE, ids=[" ".join(use) for use, _ in WRONG_USE])
def test_wrong_use_ends_with_2_and_names_what_to_do(arguments: list[str], message: str) -> None:
    run = conformance(*arguments)
    assert run.returncode == 2, run.stdout + run.stderr
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""


BAD_CASSETTES = {
    "empty": b"",
    "truncated": b'version: 1\ninteractions:\n- request:\n    method: "POS',
    "not YAML": b"\x00\x01\x02 binary",
    "executing": b"interactions:\n- request: !!python/object/apply:os.system ['touch made']\n  response: {}\n",
    "something else": b"name: build\non: push\n",
}


@pytest.mark.parametrize("content", BAD_CASSETTES.values(), ids=BAD_CASSETTES)
@pytest.mark.parametrize("verb", ["check", "show", "replay"])
def test_a_bad_cassette_ends_with_2_and_one_clear_line(verb: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / cell(CHAT).relative_path
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    filters = ["--driver", "openai", "--dialect", "openai-chat", "--no-stream", "--cassettes", str(tmp_path)]
    run = conformance(verb, *(filters if verb == "replay" else [str(path)]), cwd=tmp_path)
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stderr.startswith(f"conformance: {path}")
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("verb", ["check", "show"])
def test_a_folder_where_a_cassette_is_due_ends_with_2(verb: str, tmp_path: Path) -> None:
    run = conformance(verb, str(tmp_path))
    assert run.returncode == 2
    assert run.stderr.startswith(f"conformance: {tmp_path}")


def test_show_prints_the_conversation_and_with_wire_the_bodies() -> None:
    path = str(SHIPPED / cell(CHAT).relative_path)
    output = conformance("show", path).stdout
    assert "calls get_weather(" in output
    assert "14.2" in output
    assert '"finish_reason": "tool_calls"' in conformance("show", path, "--wire").stdout


def test_explain_knows_rules_requirements_and_statements() -> None:
    assert (
        "Every tool call in the history must have its result" in conformance("explain", "tool-call-unanswered").stdout
    )
    assert "tool-call-unanswered" in conformance("explain", "OAC-C-001").stdout
    assert "The SDK must send" in conformance("explain", "request-drift").stdout


def test_list_names_every_cell_and_every_rule() -> None:
    assert CHAT in conformance("list").stdout
    assert "tool-call-unanswered" in conformance("list", "--rules").stdout


@pytest.mark.parametrize("verb", ["replay", "record", "check", "list", "explain", "show", "serve", "proxy"])
def test_every_verb_has_help_with_an_example(verb: str) -> None:
    assert f"Example: conformance {verb}" in conformance(verb, "--help").stdout


def test_a_folder_that_cannot_be_written_ends_a_recording_with_2(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    run = conformance(
        "record", "--scenario", "weather", "--driver", "anthropic", "--cassettes", str(tmp_path / "file" / "deep")
    )
    assert run.returncode == 2
    assert "cannot write" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.process
def test_a_device_is_written_to_and_never_replaced(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    with subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE, text=True) as reader:
        run = conformance("check", str(jsonl(tmp_path, broken=True)), "--format", "json", "--output", str(fifo))
        output, _ = reader.communicate(timeout=30)
    assert run.returncode == 1
    assert json.loads(output)["summary"]["errors"] == 1
    assert fifo.is_fifo()


@pytest.mark.parametrize("output", ["", ".", "/", "x" * 300])
def test_an_output_that_is_no_file_ends_with_2(output: str, tmp_path: Path) -> None:
    run = conformance("check", str(jsonl(tmp_path, broken=False)), "--output", output, cwd=tmp_path)
    assert run.returncode == 2
    assert run.stderr.startswith("conformance: ")


@pytest.mark.parametrize(
    "url", ["http://[::1/v1/chat/completions", "http://[bad]/v1/chat/completions", "http://℀.com/"]
)
def test_a_url_that_is_none_is_unclaimed(url: str, tmp_path: Path) -> None:
    path = jsonl(tmp_path, broken=True)
    record = json.loads(path.read_text(encoding="utf-8"))
    record["request"]["url"] = url
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    run = conformance("check", str(path), "--format", "json")
    assert (run.returncode, json.loads(run.stdout)["summary"]["unclaimed"]) == (2, 1)


@pytest.mark.parametrize(("side", "change"), [("request", {"body": None}), ("response", {"body": ""})])
def test_an_exchange_without_content_is_not_exercised(side: str, change: dict[str, Any], tmp_path: Path) -> None:
    path = jsonl(tmp_path, broken=False)
    record = json.loads(path.read_text(encoding="utf-8"))
    record[side].update(change)
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert json.loads(conformance("check", str(path), "--format", "json").stdout)["summary"]["not_exercised"] == 1


def test_a_traceback_is_shown_only_when_it_is_asked_for() -> None:
    usual, asked = conformance("explain", "no-such-rule"), conformance("--traceback", "explain", "no-such-rule")
    assert (usual.returncode, asked.returncode) == (2, 2)
    assert usual.stderr.count("\n") == 1
    assert asked.stderr.startswith("Traceback (most recent call last):\n")
    assert asked.stderr.endswith(usual.stderr)


@pytest.mark.parametrize(("options", "traced"), [([], False), (["--traceback"], True)])
def test_an_internal_error_names_the_option_that_shows_more(
    options: list[str], monkeypatch: pytest.MonkeyPatch, *, traced: bool
) -> None:
    def broken(*_arguments: object) -> int:
        raise ZeroDivisionError("a fault of our own")

    monkeypatch.setattr("conformance.commands.explain.run.run", broken)
    result = CliRunner().invoke(app, [*options, "explain", "x"])
    assert result.exit_code == 3
    assert "internal error: ZeroDivisionError: a fault of our own" in result.stderr
    assert "--traceback" in result.stderr
    assert ('raise ZeroDivisionError("a fault of our own")' in result.stderr) is traced
