"""Sets of recordings against each other: what shifts by more than it varies is reported, and nothing else."""

import json
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from conformance.cassette.load import load_cassette
from conformance.commands import app
from conformance.diff.drift.hypotheses import varying
from conformance.diff.drift.observed import Key, observe
from conformance.diff.drift.sets import CellSet
from conformance.diff.drift.shifts import compare_sets
from conformance.model.data_files import data_dir
from conformance.reference.behaviours import all_behaviours
from devtools.drift.job import compared
from devtools.drift.nights import Fault, night, sample
from devtools.places import CASSETTES

CELL = ("openai-chat", "parallel-weather", "sync")
NAME = "openai-chat/weather/reference--openai.yaml"


def diff(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["diff", *arguments])


def kept(folder: Path, number: int, change: dict[str, object] | None = None, request: str = "") -> None:
    """One recording as sample NUMBER, with members put into the last answer, or a text into the first request."""
    document = yaml.safe_load((CASSETTES / NAME).read_text(encoding="utf-8"))
    if change:
        body = document["interactions"][-1]["response"]["body"]
        body["string"] = json.dumps({**json.loads(body["string"]), **change})
    if request:
        first = document["interactions"][0]["request"]
        first["body"] = json.dumps({**json.loads(first["body"]), "user": request})
    path = folder / f"sample-{number}" / NAME
    path.parent.mkdir(parents=True)
    path.write_text(yaml.safe_dump(document), encoding="utf-8")


def timings(number: int) -> dict[str, object]:
    """Members as llama.cpp adds them, other numbers each time."""
    per_token = 11.5 + number * 0.37
    return {"timings": {"prompt_n": 31, "prompt_ms": 210.0 + number, "predicted_per_second": 1000 / per_token}}


def test_two_recordings_of_a_deterministic_server_have_nothing_to_review(tmp_path: Path) -> None:
    for number, side in enumerate(("old", "new")):
        kept(tmp_path / side, 1, timings(number))
    result = diff(str(tmp_path / "old"), str(tmp_path / "new"), "--strict", "--format", "json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)["summary"]
    assert (summary["review"], summary["change"], summary["noise"] > 0) == (0, 0, True)


def test_one_against_one_says_what_it_cannot_know(tmp_path: Path) -> None:
    kept(tmp_path / "old", 1)
    kept(tmp_path / "new", 1, {"region": "north"})
    assert "cannot distinguish a change from variation" in diff(str(tmp_path / "old"), str(tmp_path / "new")).stdout


def test_a_field_that_comes_and_goes_on_both_sides_is_variation(tmp_path: Path) -> None:
    for number in range(8):
        kept(tmp_path / "old", number, {"region": "north"} if number % 2 else None)
        kept(tmp_path / "new", number, {"region": "north"} if number % 3 else None)
    result = diff(str(tmp_path / "old"), "--new", str(tmp_path / "new"), "--strict")
    assert result.exit_code == 0, result.output
    assert "nothing changed" in result.stdout


def test_a_field_that_appears_is_reported_with_counts_interval_and_test(tmp_path: Path) -> None:
    for number in range(12):
        kept(tmp_path / "old", number)
        kept(tmp_path / "new", number, {"region": {"name": "north", "zone": 4}})
    result = diff(str(tmp_path / "old"), "--new", str(tmp_path / "new"), "--format", "json")
    assert result.exit_code == 0, result.output  # to review: legal, and worth a look
    report = json.loads(result.stdout)
    schema = json.loads((data_dir("specs") / "diff-sets.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(report)
    [shift] = report["provider"]
    assert shift["name"] == "/region"
    assert (shift["old"]["held"], shift["old"]["n"]) == (0, 12)
    assert (shift["new"]["held"], shift["new"]["n"]) == (12, 12)
    assert shift["new"]["low"] == pytest.approx(0.757, abs=0.001)
    assert shift["p"] < 1e-6
    text = diff(str(tmp_path / "old"), "--new", str(tmp_path / "new")).stdout
    assert "review  field region: object appeared\n" in text
    assert "  0 of 12 recordings before, 12 of 12 now\n" in text
    assert diff(str(tmp_path / "old"), "--new", str(tmp_path / "new"), "--strict").exit_code == 1


def test_dated_folders_are_a_set_and_new_may_be_given_twice(tmp_path: Path) -> None:
    for number in range(6):
        kept(tmp_path / "2026-11-01", number)
        kept(tmp_path / "2026-11-02", number)
        kept(tmp_path / "2026-11-03", number, {"region": "north"})
        kept(tmp_path / "2026-11-04", number, {"region": "north"})
    days = [str(tmp_path / f"2026-11-0{day}") for day in (1, 2, 3, 4)]
    result = diff(days[0], days[1], "--new", days[2], "--new", days[3])
    assert "0 of 12 recordings before, 12 of 12 now" in result.stdout


def test_the_client_is_compared_exactly_and_apart(tmp_path: Path) -> None:
    kept(tmp_path / "old", 1)
    kept(tmp_path / "old", 2)
    kept(tmp_path / "new", 1, request="someone")
    result = diff(str(tmp_path / "old"), "--new", str(tmp_path / "new"), "--format", "json")
    report = json.loads(result.stdout)
    assert report["provider"] == []
    assert [(each["place"], each["old"], each["new"]) for each in report["client"]] == [
        ("requests: field /user", ["absent"], ['"someone"'])
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "b", "c"], "--new"),
        (["a", "--confidence", "0.99"], "--new"),
        (["a", "--new", "b", "--against-target", "openai"], "--against-target"),
    ],
)
def test_wrong_use_says_what_to_do(arguments: list[str], message: str) -> None:
    result = diff(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_set_without_recordings_is_an_error(tmp_path: Path) -> None:
    shutil.copytree(CASSETTES / "openai-chat" / "weather", tmp_path / "a" / "openai-chat" / "weather")
    (tmp_path / "b").mkdir()
    result = diff(str(tmp_path / "a"), "--new", str(tmp_path / "b"))
    assert result.exit_code == 2
    assert "no recording matches" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "html"], "--format html shows two recordings, not sets; use text"),
        (["--budget", "3"], "--budget works only with --against-target; remove --budget"),
        (["--model", "m"], "--model works only with --against-target"),
    ],
)
def test_an_option_that_sets_do_not_have_is_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    kept(tmp_path / "a", 1)
    result = diff(str(tmp_path), "--new", str(tmp_path), *arguments)
    assert (result.exit_code, message in result.stderr) == (2, True), result.output


def test_what_varies_is_no_alarm_and_what_changed_is_found() -> None:
    before = [night([CELL], f"before/{number}") for number in range(4)]
    assert compared(before, [night([CELL], "quiet")]) == []
    for name, subject in (("call-repeated", "call"), ("field-gone", "field"), ("id-scheme-of-another-server", "id")):
        found = compared(before, [night([CELL], name, Fault(all_behaviours()[name], 1.0))])
        assert any(subject in message for message in found), name


def test_the_same_seed_gives_the_same_observations_and_another_does_not() -> None:
    assert sample(CELL, "1").outcomes == sample(CELL, "1").outcomes
    assert sample(CELL, "1").numbers != sample(CELL, "2").numbers


def test_a_field_is_counted_only_where_the_object_around_it_is(tmp_path: Path) -> None:
    kept(tmp_path, 1, {"outer": {"inner": 1}})
    kept(tmp_path, 2, {"outer": {}})
    kept(tmp_path, 3)
    runs = [observe(load_cassette(tmp_path / f"sample-{number}" / NAME)) for number in (1, 2, 3)]
    bits = varying(CellSet(("openai-chat", "weather", "openai", "sync"), old=runs)).bits
    key = next(key for key, _ in bits if key.name == "/outer/inner")
    assert isinstance(key, Key)
    assert bits[key, "absent"] == (0b011, 0b010)


def test_cells_of_one_side_are_not_compared() -> None:
    run = sample(CELL, "1")
    drift = compare_sets([CellSet(("a", "b", "c", "sync"), old=[run])], "one", "other")
    assert (drift.compared, drift.provider, drift.client) == ([], [], [])


def test_a_night_on_which_the_provider_was_down_is_no_change(tmp_path: Path) -> None:
    for number in range(8):
        kept(tmp_path / "old", number)
        kept(tmp_path / "new", number)
    for path in (tmp_path / "new").rglob("*.yaml"):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        for each in document["interactions"]:
            each["response"]["status"] = {"code": 503, "message": "Service Unavailable"}
        path.write_text(yaml.safe_dump(document), encoding="utf-8")
    for number in range(8):
        kept(tmp_path / "new", 9 + number)
    result = diff(str(tmp_path / "old"), "--new", str(tmp_path / "new"), "--strict")
    assert result.exit_code == 0, result.output
    assert "8 recordings left out, because the provider was down" in result.stdout
