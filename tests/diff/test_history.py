"""The history of many nights: when a change came, when it went, and which nights have to be kept for it."""

import copy
import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from conformance.commands import app
from conformance.diff.difference import Grade
from conformance.diff.drift.change import Change
from conformance.diff.drift.change_points import windows
from conformance.diff.drift.hypotheses import number_bits
from conformance.diff.drift.observed import Key, Observed
from conformance.diff.drift.sets import CellSet
from conformance.diff.drift.thinning import parsed, superfluous
from conformance.model.data_files import data_dir
from devtools.places import CASSETTES

NAME = "openai-chat/weather/reference--openai.yaml"
FIRST = date(2026, 11, 1)


def history(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["history", *arguments])


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten nights of four samples: a field from the sixth on, a stop reason on the third, an outage on the eighth.

    On the fourth and the fifth night, prompts have more tokens; other counts vary every night.
    """
    folder = tmp_path_factory.mktemp("nights")
    shipped = yaml.safe_load((CASSETTES / NAME).read_text(encoding="utf-8"))
    for day in range(10):
        for number in range(4):
            document = copy.deepcopy(shipped)
            body = document["interactions"][-1]["response"]["body"]
            value: dict[str, Any] = json.loads(body["string"])
            if day >= 5:
                value["region"] = "north"
            if day in (3, 4):
                value["usage"]["prompt_tokens"] += 100
            value["usage"]["completion_tokens"] += (day + 3 * number) % 4
            value["usage"]["total_tokens"] = value["usage"]["prompt_tokens"] + value["usage"]["completion_tokens"]
            if day == 2:
                value["choices"][0]["finish_reason"] = "length"
            body["string"] = json.dumps(value)
            if day == 7:
                for each in document["interactions"]:
                    each["response"]["status"] = {"code": 503, "message": "Service Unavailable"}
            if day == 9:
                request = document["interactions"][0]["request"]
                request["body"] = json.dumps({**json.loads(request["body"]), "user": "someone"})
            path = folder / (FIRST + timedelta(day)).isoformat() / f"sample-{number}" / NAME
            path.parent.mkdir(parents=True)
            path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return folder


def test_each_change_has_its_nights(nights: Path) -> None:
    report = json.loads(history(str(nights), "--format", "json").stdout)
    reported = {each["message"].split(":")[0]: each for each in report["changes"]}
    region = reported["field region"]
    assert (region["before"], region["first"], region["last"]) == ("2026-11-05", "2026-11-06", None)
    stop = next(each for name, each in reported.items() if name.startswith("stop reason"))
    assert (stop["before"], stop["first"], stop["last"]) == ("2026-11-02", "2026-11-03", "2026-11-03")
    client = reported["requests"]
    assert (client["side"], client["first"], client["model"]) == ("request", "2026-11-10", "gpt-4o-mini")
    tokens = next(each for name, each in reported.items() if name.startswith("usage/prompt_tokens"))
    assert tokens["message"] == "usage/prompt_tokens rose: median 115 around, 215 in these nights"
    assert (tokens["first"], tokens["last"]) == ("2026-11-04", "2026-11-05")
    assert tokens["medians"][2:6] == [115, 215, 215, 115]
    assert len(report["changes"]) == 4
    assert report["unanswered"] == 4


def test_the_json_report_is_what_its_schema_says(nights: Path) -> None:
    schema = json.loads((data_dir("specs") / "history.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    report = json.loads(history(str(nights), "--format", "json").stdout)
    assert list(Draft202012Validator(schema).iter_errors(report)) == []
    assert {each["side"] for each in report["changes"]} == {"response", "request"}


def test_a_number_is_yes_or_no_above_three_limits() -> None:
    key = Key("openai-chat sync", "1, text", "number", "tokens")
    cell = CellSet(("openai-chat", "weather", "", "sync"), old=[Observed(numbers={key: each}) for each in range(20)])
    everything = (1 << 20) - 1
    assert number_bits(cell) == {
        (key, "above most"): (everything, 0b1 << 19),
        (key, "above half"): (everything, everything >> 11 << 11),
        (key, "above few"): (everything, everything >> 3 << 3),
    }
    same = CellSet(cell.axes, old=[Observed(numbers={key: 1.0})] * 3)
    assert number_bits(same) == {}


def test_since_leaves_out_what_was_over(nights: Path) -> None:
    report = json.loads(history(str(nights), "--format", "json", "--since", "2026-11-06").stdout)
    assert [each["first"] for each in report["changes"]] == ["2026-11-06", "2026-11-10"]


@pytest.mark.parametrize(
    ("format_", "words"),
    [
        ("text", "first seen 2026-11-06 (not on 2026-11-05), still there"),
        ("markdown", "(not on 2026-11-05) | still there | provider review |"),
        ("html", '<span title="2026-11-05: 0%"'),
    ],
)
def test_every_format_has_the_nights(format_: str, words: str, nights: Path) -> None:
    assert words in history(str(nights), "--format", format_).stdout


def test_thinning_names_and_deletes_only_nights_without_an_end_of_a_change(nights: Path, tmp_path: Path) -> None:
    tried = history(str(nights), "--keep", "2d", "--dry-run")
    assert tried.exit_code == 0, tried.output
    assert "would delete" in tried.stderr
    gone = {line.rpartition("/")[2] for line in tried.stderr.splitlines()}
    kept = {"2026-11-02", "2026-11-03", "2026-11-04", "2026-11-05", "2026-11-06", "2026-11-09", "2026-11-10"}
    assert not gone & kept
    assert gone == {"2026-11-07", "2026-11-08"}
    assert len(list(nights.iterdir())) == 10
    for day in (1, 2, 3):
        path = tmp_path / f"2026-11-0{day}" / NAME
        path.parent.mkdir(parents=True)
        path.write_bytes((CASSETTES / NAME).read_bytes())
    assert history(str(tmp_path), "--keep", "1d").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2026-11-01", "2026-11-03"]


def written(folder: Path, day: int, change: Callable[[dict[str, Any]], None]) -> None:
    """The shipped recording as that of a night, with its last answer changed."""
    document = yaml.safe_load((CASSETTES / NAME).read_text(encoding="utf-8"))
    body = document["interactions"][-1]["response"]["body"]
    value = json.loads(body["string"])
    change(value)
    body["string"] = json.dumps(value)
    path = folder / (FIRST + timedelta(day)).isoformat() / NAME
    path.parent.mkdir(parents=True)
    path.write_text(yaml.safe_dump(document), encoding="utf-8")


def _with_region(value: dict[str, Any]) -> None:
    value["region"] = "north"


def _unchanged(value: dict[str, Any]) -> None:
    """Changes nothing."""


@pytest.mark.parametrize(("before", "since", "listed"), [(3, 3, True), (4, 3, True), (3, 2, False), (2, 3, False)])
def test_what_never_varied_and_is_otherwise_since_is_listed(
    before: int, since: int, tmp_path: Path, *, listed: bool
) -> None:
    for day in range(before + since):
        written(tmp_path, day, _with_region if day >= before else _unchanged)
    report = json.loads(history(str(tmp_path), "--format", "json", "--precision", "0.9999").stdout)
    found = [each for each in report["changes"] if each["message"].startswith("field region")]
    assert bool(found) == listed
    for each in found:
        assert each["message"].endswith("; too few to be sure")
        assert (each["grade"], each["last"]) == ("review", None)
        assert each["first"] == (FIRST + timedelta(before)).isoformat()


def test_what_varied_before_is_not_listed(tmp_path: Path) -> None:
    for day in range(7):
        written(tmp_path, day, _with_region if day == 1 or day > 3 else _unchanged)
    report = json.loads(history(str(tmp_path), "--format", "json", "--precision", "0.9999").stdout)
    assert report["changes"] == []


def test_a_rule_keeps_days_weeks_and_months() -> None:
    some = [FIRST + timedelta(day) for day in range(60)]
    left = [night for night in some if night not in superfluous(some, [], parsed("3d,2w,1m"))]
    assert left == [FIRST, date(2026, 12, 1), date(2026, 12, 21), *some[-3:]]


def test_the_ends_of_a_change_are_kept() -> None:
    some = [FIRST + timedelta(day) for day in range(9)]
    change = Change("response", "", Grade.CHANGE, "", "", "", (), some[2], some[3], some[4])
    left = [night for night in some if night not in superfluous(some, [change], {"d": 1})]
    assert left == [some[0], some[2], some[3], some[4], some[5], some[8]]


def test_a_window_of_any_length_has_its_own_ends() -> None:
    counts = {0: [(0, 4)] * 20 + [(4, 4)] * 5 + [(0, 4)] * 5}
    assert [(each.start, each.end) for each in windows(counts, 30, 1e-4)] == [(20, 25)]


def test_windows_within_windows_are_found() -> None:
    counts = {0: [(0, 10)] * 5 + [(10, 10)] * 5 + [(0, 10)] * 1 + [(10, 10)] * 4}
    assert [(each.start, each.end) for each in windows(counts, 15, 1e-4)] == [(5, 15), (10, 11)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--keep", "often"], "14d,8w,12m"),
        (["--keep", "0d,0w"], "keeps no night"),
        (["--dry-run"], "--keep"),
        (["--since", "yesterday"], "2026-11-01"),
        (["--keep", "1d", "--dialect", "gemini"], "remove the filters"),
    ],
)
def test_wrong_use_says_what_to_do(arguments: list[str], message: str, nights: Path) -> None:
    result = history(str(nights), *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_what_is_no_folder_of_nights_is_an_error(tmp_path: Path) -> None:
    for path, problem in ((tmp_path / "none", "no such folder"), (Path(__file__), "not a folder")):
        result = history(str(path))
        assert (result.exit_code, f"{problem}; pass the folder that holds" in result.stderr) == (2, True)
    (tmp_path / "empty").mkdir()
    result = history(str(tmp_path / "empty"))
    assert result.exit_code == 2
    assert "no recording with a date" in result.stderr
