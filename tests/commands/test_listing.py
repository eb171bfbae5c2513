"""`conformance list --cassettes`: where cassettes come from, how old they are, and which ones are too old."""

from __future__ import annotations

import gzip
import json
import re
import shlex
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from conformance.cassette import format as cassette_format
from conformance.cassette import metadata
from conformance.cassette.load import load_cassette
from conformance.commands import app
from conformance.errors import ConformanceError
from conformance.inputs import opening
from tests.cassettes import PLAYED, SHIPPED
from tests.program import conformance

Make = Callable[..., Path]

ORIGIN = {
    "scenario": "weather",
    "dialect": "gemini",
    "driver": "google-genai",
    "driver_version": "google-genai 2.34.0",
    "provenance": "live",
    "target": "google",
    "model": "gemini-3-flash-preview",
    "recorded_at": "2026-01-10T12:00:00+00:00",
    "conformance_version": "0.1.0",
}
INTERACTION = {
    "request": {"method": "POST", "uri": "http://h/", "headers": {}, "body": "{}"},
    "response": {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": {"string": "metadata:\n  a: b\n"}},
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["list", *arguments])


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(path: str = "gemini/weather/google--google-genai.yaml", **changes: Any) -> Path:
        metadata = {key: value for key, value in {**ORIGIN, **changes}.items() if value is not None}
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            cassette_format.dump({"version": 1, "metadata": metadata, "interactions": [INTERACTION]}), encoding="utf-8"
        )
        return file

    return made


def test_each_cassette_is_listed_with_its_age_and_where_it_comes_from(make: Make, tmp_path: Path) -> None:
    make()
    make("gemini/weather/google--google-genai--stream.yaml", recorded_at="2026-04-10T10:00:00+00:00")
    result = run("--cassettes", str(tmp_path), "--as-of", "2026-04-10T12:00:00")
    head, stream, sync = result.output.splitlines()
    assert result.exit_code == 0
    assert head.split() == ["age", "provenance", "target", "driver", "version", "model", "cassette"]
    common = "live google google-genai google-genai 2.34.0 gemini-3-flash-preview"
    assert " ".join(stream.split()) == f"2 hours {common} gemini/weather/google--google-genai--stream.yaml"
    assert " ".join(sync.split()) == f"90 days {common} gemini/weather/google--google-genai.yaml"


def test_one_that_is_too_old_is_named_with_what_makes_it_anew(make: Make, tmp_path: Path) -> None:
    make()
    make("gemini/weather/google--google-genai--stream.yaml", recorded_at="2026-04-10T10:00:00+00:00")
    result = run("--cassettes", str(tmp_path), "--max-age", "89d", "--as-of", "2026-04-10")
    assert result.exit_code == 1
    old, total = result.output.splitlines()[3:]
    place = tmp_path / "gemini/weather/google--google-genai.yaml"
    assert old.startswith(f"{place}: recorded 90 days ago (2026-01-10), older than 89d; record it again: ")
    assert total == "1 of 2 cassettes older than 89d"
    command = shlex.split(old.partition("record it again: ")[2])
    assert command[:2] == ["conformance", "record"]
    context = app.commands["record"].make_context("record", command[2:])
    assert context.params["scenarios"] == ("weather",)
    assert context.params["dialects"] == ("gemini",)
    assert context.params["drivers"] == ("google-genai",)
    assert context.params["stream"] is False
    assert context.params["cassettes"] == str(tmp_path)
    assert run("--cassettes", str(tmp_path), "--max-age", "91d", "--as-of", "2026-04-10").exit_code == 0


def test_without_the_table_only_what_is_too_old_is_reported(make: Make, tmp_path: Path) -> None:
    make(provenance="reference", target="reference")
    result = run("--cassettes", str(tmp_path), "--format", "json", "--max-age", "12w", "--as-of", "2026-06-01")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["as_of"] == "2026-06-01T23:59:59+00:00"
    (each,) = document["cassettes"]
    assert each["stale"] is True
    assert each["age_days"] == 142.5
    assert each["recorded_at"] == "2026-01-10T12:00:00+00:00"
    assert {key: each[key] for key in ("driver", "driver_version", "model", "provenance")} == {
        "driver": "google-genai",
        "driver_version": "google-genai 2.34.0",
        "model": "gemini-3-flash-preview",
        "provenance": "reference",
    }
    assert "--target" not in each["record"]
    assert "record it again" in result.stderr


def test_the_day_can_come_from_the_environment(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    monkeypatch.setenv("CONFORMANCE_AS_OF", "2026-01-12")
    assert "2 days" in run("--cassettes", str(tmp_path)).output
    assert run("--scenario", "weather").exit_code == 0
    monkeypatch.delenv("CONFORMANCE_AS_OF")
    young = make(recorded_at=datetime.now(UTC).isoformat())
    assert "0 hours" in run("--cassettes", str(young.parent)).output


@pytest.mark.parametrize("date", [None, "yesterday", "", 7])
def test_one_without_a_date_is_too_old_for_any_age(date: Any, make: Make, tmp_path: Path) -> None:
    make(recorded_at=date)
    assert run("--cassettes", str(tmp_path)).exit_code == 0
    result = run("--cassettes", str(tmp_path), "--max-age", "99y")
    assert result.exit_code == 1
    assert "has no recording date; record it again: conformance record " in result.output


def test_those_of_other_projects_are_listed_too(tmp_path: Path) -> None:
    document = {"interactions": [INTERACTION], "version": 1}
    (tmp_path / "plain.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
    late = yaml.safe_dump({**document, "metadata": {"model": "m", "recorded_at": datetime(2026, 1, 1, tzinfo=UTC)}})
    (tmp_path / "late.yml").write_text(late, encoding="utf-8")
    (tmp_path / "packed.yaml.gz").write_bytes(gzip.compress(late.encode()))
    (tmp_path / "as-json.yaml").write_text(json.dumps({**document, "metadata": {"model": "m"}}), encoding="utf-8")
    (tmp_path / ".plain.yaml.abcdefgh.tmp").write_text("part", encoding="utf-8")
    result = run("--cassettes", str(tmp_path), "--as-of", "2026-01-03")
    rows = {line.split()[-1]: " ".join(line.split()[:-1]) for line in result.output.splitlines()[1:]}
    assert rows == {
        "as-json.yaml": "? ? ? ? ? m",
        "late.yml": "2 days ? ? ? ? m",
        "packed.yaml.gz": "2 days ? ? ? ? m",
        "plain.yaml": "? ? ? ? ? ?",
    }
    assert "record it again at its source" in run("--cassettes", str(tmp_path), "--max-age", "1d").output


@pytest.mark.parametrize("cell", PLAYED[::11], ids=lambda cell: cell.id)
def test_the_quick_look_sees_what_loading_sees(cell: Any) -> None:
    path = SHIPPED / cell.relative_path
    assert metadata.origin(path).metadata == load_cassette(path).metadata


def test_the_exchanges_are_not_read(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make()
    path.write_text(path.read_text(encoding="utf-8") + "\n\t: broken [", encoding="utf-8")
    monkeypatch.setattr(opening, "whole", None)
    assert metadata.origin(path).metadata == ORIGIN


def test_the_filters_admit_by_what_a_cassette_says() -> None:
    result = run("--cassettes", "--scenario", "weather", "--dialect", "gemini", "--driver", "langchain", "--stream")
    assert [line.split()[-1] for line in result.output.splitlines()[1:]] == [
        "gemini/weather/reference--langchain--stream.yaml"
    ]
    assert run("--cassettes", "--driver", "langchian").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cassettes", "no/such"], "no/such: folder does not exist; pass the folder that"),
        (["--cassettes", "{folder}"], "{folder}: contains no cassette that matches the filters; change the filters"),
        (["--max-age", "soon"], "'soon' is not an age; write it as 90d, 12w, 36h or 1y"),
        (["--max-age", "9" * 30 + "d"], "is too large for an age"),
        (["--max-age", "1d", "--as-of", "then"], "'then' is not a date; write it as 2026-01-31"),
        (["--cassettes", "--rules"], "--rules and --cassettes cannot be combined; use one of them"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = run(*(each.format(folder=tmp_path) for each in arguments))
    assert result.exit_code == 2
    assert message.format(folder=tmp_path) in result.output
    assert result.output.count("\n") == 1


def test_a_broken_cassette_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("metadata: {a: [\ninteractions:\n", encoding="utf-8")
    result = run("--cassettes", str(tmp_path))
    assert result.exit_code == 2
    assert str(tmp_path / "a.yaml") in result.output


@pytest.mark.parametrize(
    ("text", "length"),
    [("90d", timedelta(days=90)), ("2 weeks", timedelta(14)), ("36h", timedelta(hours=36)), ("1y", timedelta(365))],
)
def test_an_age_is_read_as_people_write_it(text: str, length: timedelta) -> None:
    assert metadata.age_of(text) == length
    with pytest.raises(ConformanceError):
        metadata.age_of(f"{text} ago")


@pytest.mark.parametrize(
    ("options", "kind", "name"),
    [((), "cells", "id"), (("--rules",), "rules", "id"), (("--profiles",), "profiles", "name")],
)
def test_each_list_is_also_json_with_the_same_entries(options: tuple[str, ...], kind: str, name: str) -> None:
    text = conformance("list", *options).stdout
    document = json.loads(conformance("list", *options, "--format", "json").stdout)
    assert document["version"] == 1
    assert document[kind]
    assert all(re.search(rf"^ *{re.escape(each[name])} ", text, re.MULTILINE) for each in document[kind])


def test_scenarios_without_cassettes_stand_apart_and_can_be_selected() -> None:
    every = json.loads(conformance("list", "--format", "json").stdout)
    one = json.loads(conformance("list", "--scenario", "refused", "--format", "json").stdout)
    assert "refused" not in {each["id"] for each in every["scenarios"]}
    assert one["live_scenarios"] == [each for each in every["live_scenarios"] if each["id"] == "refused"] != []
    assert {(each["scenario"], each["cassette"]) for each in one["cells"]} == {("refused", None)}
    assert one["scenarios"] == []
    assert "\nscenarios without cassettes, for `run`\n" in conformance("list").stdout
