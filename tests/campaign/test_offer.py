"""`conformance run` against servers that speak a part of a format, and say so in a profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner, Result
from starlette.responses import Response

from conformance.commands import app
from conformance.model.data_files import data_dir
from conformance.model.exchange import Request
from tests.foreign import Foreign, foreign, refused

EXAMPLES = Path(__file__).parents[2] / "examples" / "profiles"
PROFILE = str(EXAMPLES / "chat-subset.yaml")
CHOICE = "a tool choice other than `auto`"


def subset(_: int, request: Request) -> Response | None:
    """Refuses what the example lists."""
    body = request.body.json
    if body.get("stream"):
        return refused(501)
    return refused(400) if body.get("tool_choice", "auto") != "auto" else None


def run(server: Foreign, *options: str, profile: str | None = PROFILE, dialect: str = "openai-chat") -> Result:
    driver = {"openai-chat": "openai", "anthropic-messages": "anthropic"}[dialect]
    given = ["--base-url", server.origin, "--dialect", dialect, "--driver", driver, "--model", "gpt-4o"]
    chosen = ["--profile", profile] if profile is not None else []
    scenarios = () if "--scenario" in options else ("--scenario", "weather", "--scenario", "forced-choice")
    return CliRunner().invoke(app, ["run", *given, *chosen, *scenarios, *options], env={"OPENAI_API_KEY": None})


def report(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    schema = json.loads((data_dir("specs") / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(found, schema)
    return found


def test_what_is_not_offered_is_neither_a_success_nor_a_fault() -> None:
    with foreign(subset) as server:
        result = run(server, "--format", "json")
    found = report(result)
    assert result.exit_code == 0, result.output
    assert found["summary"]["not_offered"] == {
        CHOICE: ["forced-choice-openai-chat-openai-sync"],
        f"streaming, {CHOICE}": ["forced-choice-openai-chat-openai-stream"],
        "streaming": ["weather-openai-chat-openai-stream"],
    }
    assert found["summary"]["conversations"] == 1
    assert found["summary"]["errors"] == 0


def test_without_the_profile_it_is_a_fault() -> None:
    with foreign(subset) as server:
        result = run(server, "--format", "json", profile=None)
    assert result.exit_code == 1
    assert "not_offered" not in report(result)["summary"]


@pytest.mark.parametrize("form", ["text", "html", "markdown", "github", "gitlab", "sarif", "junit", "issue"])
def test_each_report_lists_it(form: str) -> None:
    with foreign(subset) as server:
        result = run(server, "--format", form)
    assert "streaming" in result.stdout
    assert "not offered" in result.stdout
    assert "weather-openai-chat-openai-stream" in result.stdout.replace("\\-", "-")


def test_junit_has_it_as_skipped() -> None:
    with foreign(subset) as server:
        root = ET.fromstring(run(server, "--format", "junit").stdout)
    skipped = {case.get("name"): case.find("skipped") for case in root.iter("testcase")}
    assert skipped["weather-openai-chat-openai-sync"] is None
    stream = skipped["weather-openai-chat-openai-stream"]
    assert stream is not None
    assert stream.get("message") == "not offered: streaming"
    assert [each.get("failures") for each in root.iter("testsuite")] == ["0", "0"]


def test_the_table_has_a_mark_of_its_own() -> None:
    with foreign(subset) as server:
        text = run(server).stdout
    assert "○ not offered" in text
    assert "1 of 1 cells run without an error" in text
    assert f"forced-choice in openai-chat: {CHOICE}" in text


def test_what_is_offered_and_fails_is_a_fault() -> None:
    with foreign(lambda number, request: subset(number, request) or refused(400)) as server:
        result = run(server, "--format", "json")
    assert result.exit_code == 1
    assert {each["source"] for each in report(result)["findings"] if each["severity"] == "error"} == {
        f"{server.origin.removeprefix('http://').replace(':', '-')}:weather-openai-chat-openai-sync"
    }


def test_a_profile_that_is_out_of_date_is_reported() -> None:
    with foreign() as server:
        result = run(server, "--format", "json", "--scenario", "weather", "--stream")
    (stale,) = [each for each in report(result)["findings"] if each["rule"] == "profile-subset-mismatch"]
    assert result.exit_code == 0
    assert stale["severity"] == "warning"
    assert "streaming" in stale["message"]


def test_a_poor_answer_does_not_contradict_the_profile() -> None:
    """A server that ignores the choice answers, but not as one that offers it."""
    with foreign(edit=lambda _, body: body.replace(b'"tool_calls"', b'"x_calls"')) as server:
        result = run(server, "--format", "json", "--no-stream")
    assert report(result)["summary"]["not_offered"] == {CHOICE: ["forced-choice-openai-chat-openai-sync"]}


def test_if_nothing_is_offered_nothing_was_judged() -> None:
    with foreign(subset) as server:
        result = run(server, "--scenario", "weather", "--stream")
    assert result.exit_code == 2
    assert "nothing was judged: each cell needs what the server does not offer: streaming" in result.output


def test_samples_leave_it_out() -> None:
    with foreign(subset) as server:
        result = run(server, "--format", "json", "--samples", "2")
    found = report(result)
    assert result.exit_code == 0, result.output
    assert found["summary"]["not_offered"]["streaming"] == ["weather-openai-chat-openai-stream"]
    assert found["summary"]["conversations"] == 2


def test_messages_have_subsets_too() -> None:
    with foreign(lambda _, request: refused(400) if "thinking" in request.body.json else None) as server:
        profile = str(EXAMPLES / "messages-subset.yaml")
        options = ["--scenario", "weather", "--scenario", "reasoning", "--no-stream", "--format", "json"]
        result = run(server, *options, profile=profile, dialect="anthropic-messages")
    assert result.exit_code == 0, result.output
    names = report(result)["summary"]["not_offered"]
    assert names == {"thinking": ["reasoning-anthropic-messages-anthropic-sync"]}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{what: a, at: request tools, evidence: b}", "4:21: 'tools': not a path at 'tools'"),
        ("{what: a, at: request /a | event /b, evidence: b}", "is not in a request"),
        (
            "{what: a, at: request /a, endpoint: /b, evidence: b}",
            "4:33: not_offered.openai-chat.0: `at` and `endpoint` exclude each other",
        ),
    ],
)
def test_mistakes_in_a_profile_have_their_place(tmp_path: Path, entry: str, message: str) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(f"about: ours\nnot_offered:\n  openai-chat:\n    - {entry}\n")
    with foreign() as server:
        result = run(server, profile=str(file))
    assert result.exit_code == 2
    assert message in result.output
