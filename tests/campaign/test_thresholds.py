"""`--fail-under`: samples fail where a rate is too low, or was never measured."""

from __future__ import annotations

import json

import jsonschema
import pytest

from conformance.campaign.thresholds import Threshold, threshold_of
from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir
from tests.campaign.test_run import ONE, every_second_wrong, run
from tests.foreign import foreign

SAMPLES = ("--samples", "4", "--format", "json")


@pytest.mark.parametrize(
    ("text", "least"), [("success=0.9", 0.9), ("success=90%", 0.9), ("success = 1", 1.0), ("success=0", 0.0)]
)
def test_a_threshold_is_a_share_or_a_percentage(text: str, least: float) -> None:
    assert threshold_of(text) == Threshold("success", least)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sucess=0.9", "there is no measure 'sucess'; did you mean `success`?"),
        ("success", "no share after the measure; write it as success=0.9"),
        ("success=", "no share after the measure; write it as success=0.9"),
        ("success=-1", "no share after the measure; write it as success=0.9"),
        ("recall=9", "9 is more than 1; write it as recall=0.9"),
        ("recall=101%", "101% is more than 1; write it as recall=0.9"),
    ],
)
def test_another_text_is_no_threshold(text: str, message: str) -> None:
    with pytest.raises(ConformanceError) as raised:
        threshold_of(text)
    assert str(raised.value) == f"--fail-under {text}: {message}"


@pytest.mark.parametrize(("threshold", "code"), [("success=0.5", 0), ("success=0.51", 1), ("tool_selection=1", 0)])
def test_a_run_fails_only_below_the_threshold(threshold: str, code: int) -> None:
    with foreign(edit=every_second_wrong) as server:
        result = run("--base-url", server.origin, *ONE, *SAMPLES, "--fail-under", threshold)
    assert result.exit_code == code
    assert ("success is 50.0% (2 of 4), below the 51% of --fail-under" in result.stderr) == bool(code)
    report = json.loads(result.stdout)
    schema = json.loads((data_dir("specs") / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(report)
    assert len(report["statistics"]["missed"]) == code


def test_a_measure_that_no_run_has_is_missed() -> None:
    with foreign() as server:
        options = ("--scenario", "small-talk", "--dialect", "openai-chat", "--driver", "openai", "--model", "m")
        result = run(
            *("--base-url", server.origin, *options, "--no-stream", "--samples", "2"),
            *("--fail-under", "argument_match=0"),
        )
    assert result.exit_code == 1
    assert "argument_match was not measured in any run" in result.stderr


def test_a_threshold_needs_samples() -> None:
    result = run("--base-url", "http://127.0.0.1:9", *ONE, "--fail-under", "success=1")
    assert result.exit_code == 2
    assert "--fail-under works only with --samples; add --samples N" in result.stderr
