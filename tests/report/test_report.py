"""Reports: each format says all there is to say, whatever the recorded text holds."""

import base64
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.summary import Summary
from conformance.model.data_files import data_dir
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.model.printable import visible
from conformance.model.source import split_source
from conformance.report import FORMATS, open_report
from conformance.report.base import Case
from conformance.report.totals import verdict
from devtools.places import TEST_DATA

DATA = TEST_DATA
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066\ud800-\udfff]")
NASTY = "\x1b[31mred\x1b]0;title\x07\x9b1m \x00\x7f\u202e\u2066\ud83d \ufffe "
NASTY += "<b>&\"'</b> ]]> {{ 7 * 7 }} %0A::error::\r\nnext\t…"

UNANSWERED = Finding(
    rule="tool-call-unanswered",
    severity=Severity.ERROR,
    message="tool call call_1 (get_weather) has no result",
    dialect="openai-chat",
    source="trip.yaml",
    exchange=2,
    side="request",
    pointer="/messages/1/tool_calls/1",
    expected="a result for call_1",
    actual="results for call_2",
    cite="OAC-C-001 aliasrobotics/cai#111",
)
WARNING = Finding(rule="made-up-rule", severity=Severity.WARNING, message="odd", source="log.jsonl:12", id="x1")
INFO = Finding(rule="made-up-fact", severity=Severity.INFO, message="by the way", source="log.jsonl:13")


def faults(number: int, causes: int) -> Iterator[Finding]:
    """Findings in several cassettes, with values that differ, of so many causes."""
    for n in range(number):
        cause = chr(97 + n % causes // 26) + chr(97 + n % causes % 26)
        traffic = Exchange.of(
            {
                "request": {
                    "url": "https://127.0.0.1/v1/chat/completions",
                    "body": {"messages": [{"role": "user"}] * 9},
                },
                "response": {"status": 200, "body": {"choices": [{"index": 0, "message": {}, "x": n}]}},
            }
        )
        yield Finding(
            rule=f"made-up-{cause}",
            severity=Severity.ERROR,
            message=f"tool call call_{n} (tool_{n}) is {cause}",
            dialect="openai-chat",
            source=f"recordings/openai-chat/weather/local--{n // causes}.yaml",
            exchange=n % 3,
            side="response",
            pointer=f"/choices/{n % 2}/message",
            expected="x" * 90,
            actual="y" * 90,
            fix="z" * 90,
            cite="c" * 90,
            traffic=traffic,
        )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def summary(findings: Iterable[Finding] = (), exchanges: int = 3, **more: Any) -> Summary:
    made = Summary(exchanges=exchanges, judged=exchanges, conversations=1, **more)
    for finding in findings:
        made.count(finding)
    return made


def reported(format_: str, *findings: Finding, to: io.StringIO | None = None, **options: Any) -> str:
    stream = to or io.StringIO()
    totals = options.pop("totals", None) or summary(findings)
    report = open_report(format_, stream, **options)
    for finding in findings:
        report.judged(finding.source)
        report.finding(finding)
    report.close(totals)
    return stream.getvalue()


def nasty_finding(text: str) -> Finding:
    return Finding(
        rule="made-up-rule",
        severity=Severity.ERROR,
        message=text,
        dialect="openai-chat",
        source=text,
        id=text,
        conversation=text,
        exchange=0,
        side="response",
        pointer=f"/{text}",
        expected=text,
        actual=text,
        cite=text,
    )


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ConformanceError, match="choose one of text, json, junit, github, gitlab, html"):
        open_report("pdf", io.StringIO())


@pytest.mark.parametrize("format_", FORMATS)
def test_no_control_character_of_a_recording_gets_through(format_: str) -> None:
    text = reported(format_, nasty_finding(NASTY), totals=summary(harness_errors=[NASTY]))
    assert CONTROLS.findall(text) == []


@pytest.mark.parametrize("format_", FORMATS)
def test_a_report_can_be_written_in_any_encoding(format_: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    report = open_report(format_, stream)
    for text in (NASTY, "Grüße, 世界"):
        report.finding(nasty_finding(text))
    report.close(summary())
    stream.flush()
    assert raw.getvalue().decode("ascii")


@pytest.mark.parametrize("format_", FORMATS)
def test_a_long_value_is_cut_short(format_: str) -> None:
    assert len(reported(format_, Finding("made-up-rule", Severity.ERROR, "y" * 100_000))) < 20_000


def test_json_follows_its_schema() -> None:
    schema = json.loads((data_dir("specs") / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    stream_place = Finding("made-up-rule", Severity.INFO, "m", pointer="event/3/choices/0", side="response", exchange=0)
    for findings in ([], [UNANSWERED], [UNANSWERED, WARNING, INFO, nasty_finding(NASTY), stream_place]):
        document = json.loads(reported("json", *findings))
        validator.validate(document)
        assert len(document["findings"]) == len(findings)
    assert not validator.is_valid({**document, "version": 2})
    assert not validator.is_valid({**document, "findings": [{**UNANSWERED.as_json(), "severity": "fatal"}]})


def test_json_of_a_real_run_follows_its_schema() -> None:
    stream = io.StringIO()
    checker = Checker()
    report = open_report("json", stream)
    for exchange in read([str(DATA / "recordings"), str(DATA / "violating.jsonl")]):
        for finding in checker.feed(exchange):
            report.finding(finding)
    report.close(checker.summary)
    document = json.loads(stream.getvalue())
    jsonschema.validate(document, json.loads((data_dir("specs") / "report.schema.json").read_text(encoding="utf-8")))
    assert document["summary"]["exchanges"] > 10
    found = next(finding for finding in document["findings"] if finding["rule"] == "tool-call-unanswered")
    assert found["source"].endswith("violating.jsonl:1")
    assert (found["id"], found["conversation"], found["exchange"]) == ("v1", "c1", 0)
    assert (found["side"], found["pointer"]) == ("request", "/messages/1/tool_calls/0")


def test_json_holds_every_member_of_the_contract() -> None:
    document = json.loads(reported("json", UNANSWERED))
    assert document["version"] == 1
    assert document["summary"] == {
        "exchanges": 3,
        "conversations": 1,
        "errors": 1,
        "warnings": 0,
        "infos": 0,
        "not_exercised": 0,
        "unclaimed": 0,
        "judged": 3,
    }
    assert document["findings"] == [
        {
            "rule": "tool-call-unanswered",
            "severity": "error",
            "dialect": "openai-chat",
            "source": "trip.yaml",
            "id": None,
            "conversation": None,
            "exchange": 2,
            "side": "request",
            "pointer": "/messages/1/tool_calls/1",
            "message": "tool call call_1 (get_weather) has no result",
            "expected": "a result for call_1",
            "actual": "results for call_2",
            "cite": "OAC-C-001 aliasrobotics/cai#111",
            "fix": None,
            "occurrences": 1,
            "also": [],
            "because": None,
        }
    ]


def test_text_shows_the_rule_what_was_found_and_where() -> None:
    assert reported("text", UNANSWERED) == (
        "1 finding from 1 cause: 1 of severity error\n"
        "\n"
        "  1  error    tool-call-unanswered  request /messages/*/tool_calls/*  once\n"
        "     found     tool call call_1 (get_weather) has no result\n"
        "     at        trip.yaml exchange 2 /messages/1/tool_calls/1 (openai-chat)\n"
        "     expected  a result for call_1\n"
        "     actual    results for call_2\n"
        "     rule      Every tool call in the history must have its result in the next turn.\n"
        "     source    OAC-C-001 aliasrobotics/cai#111\n"
        "\n"
        "3 exchanges in 1 conversation: 1 error, 0 warnings, 0 infos\n"
    )


def test_text_leaves_out_what_is_not_known() -> None:
    assert "  1  warning  made-up-rule  once\n     found     odd\n     at        log.jsonl:12, id x1\n\n" in reported(
        "text", WARNING
    )


def test_verbose_text_shows_every_finding_in_full_and_then_the_causes() -> None:
    many = [Finding("made-up-rule", Severity.WARNING, f"number {n}", source=f"log.jsonl:{n}") for n in range(9)]
    text = reported("text", *many, INFO, verbose=True)
    assert re.findall(r"found +number (\d)", text) == list("012345678")
    assert "info     made-up-fact  log.jsonl:13\n  found     by the way\n" in text
    assert "  1  warning  made-up-rule  9 times\n  2  info     made-up-fact  once\n" in text


def test_infos_are_counted_unless_text_is_verbose() -> None:
    text = reported("text", INFO, INFO)
    assert "made-up-fact" not in text
    assert "2 infos from 1 cause not shown; use -v to show them\n" in text


def test_quiet_text_is_the_verdict() -> None:
    assert reported("text", UNANSWERED, WARNING, INFO, quiet=True) == (
        "3 exchanges in 1 conversation: 1 error, 1 warning, 1 info\n"
    )


def test_verbose_findings_and_json_are_written_as_they_come() -> None:
    for format_ in ("text", "json"):
        stream = io.StringIO()
        report = open_report(format_, stream, verbose=True)
        report.finding(UNANSWERED)
        assert "tool-call-unanswered" in stream.getvalue()
        report.close(summary([UNANSWERED]))


@pytest.mark.parametrize(
    ("stream", "environment", "color", "colored"),
    [
        (Terminal, {}, None, True),
        (Terminal, {"NO_COLOR": "1"}, None, False),
        (Terminal, {"NO_COLOR": ""}, None, True),
        (Terminal, {"TERM": "dumb"}, None, False),
        (Terminal, {}, False, False),
        (io.StringIO, {}, None, False),
        (io.StringIO, {"NO_COLOR": "1"}, True, True),
    ],
)
def test_color_is_for_terminals_and_can_be_refused(
    stream: Callable[[], io.StringIO],
    environment: dict[str, str],
    color: bool | None,  # noqa: FBT001 - a parameter of the test
    colored: bool,  # noqa: FBT001 - as above
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    text = reported("text", UNANSWERED, to=stream(), color=color)
    assert ("\x1b[" in text) is colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == reported("text", UNANSWERED, color=False)


@pytest.mark.parametrize(
    ("totals", "words"),
    [
        (Summary(), "nothing was judged: 0 exchanges"),
        (Summary(exchanges=2, conversations=2, unclaimed=2), "nothing was judged: 2 exchanges"),
        (Summary(exchanges=2, unclaimed=1, judged=1), "1 skipped (no known dialect)"),
        (Summary(exchanges=2, not_exercised=1), "1 not exercised"),
        (Summary(exchanges=2, harness_errors=["rule x failed"]), "1 internal error (not counted against the target)"),
    ],
)
def test_the_verdict_is_never_green_by_emptiness(totals: Summary, words: str) -> None:
    assert words in verdict(totals)
    assert words in reported("text", totals=totals)


def test_text_names_harness_errors() -> None:
    assert "internal error  rule x failed on y\n" in reported(
        "text", totals=summary(harness_errors=["rule x failed on y"])
    )


def test_junit_has_a_case_for_each_file_that_fails_with_an_error() -> None:
    root = ET.fromstring(reported("junit", UNANSWERED, WARNING, INFO, UNANSWERED))
    files, sums = root
    assert (root.tag, files.get("name"), files.get("tests"), files.get("failures"), files.get("errors")) == (
        "testsuites",
        "files",
        "2",
        "1",
        "0",
    )
    trip, log = files
    assert (trip.get("name"), log.get("name")) == ("trip.yaml", "log.jsonl")
    failure = trip.find("failure")
    assert failure is not None
    assert failure.get("message") == f"{UNANSWERED.rule}: {UNANSWERED.message}, and 1 more error"
    assert "  at: exchange 2, request /messages/1/tool_calls/1\n" in (failure.text or "")
    assert "  expected: a result for call_1\n  actual: results for call_2" in (failure.text or "")
    assert log.find("failure") is None
    assert log.findtext("system-out") == "warning made-up-rule: odd (line 12)\ninfo made-up-fact: by the way (line 13)"
    assert sums.findtext("testcase/system-out") == "3 exchanges in 1 conversation: 2 errors, 1 warning, 1 info"


def cases(text: str) -> list[tuple[str | None, str | None]]:
    return [(case.get("classname"), case.get("name")) for case in ET.fromstring(text).iter("testcase")]


def test_junit_has_the_same_cases_whatever_is_found() -> None:
    weather = Case("weather-x-sync", "local", "weather", "openai-chat", "openai", "sync")
    spoken = Case("talk-x-sync", "local", "talk", "openai-chat", "openai", "sync", skipped="no tools")

    def of_run(folder: str, *findings: Finding) -> str:
        stream = io.StringIO()
        report = open_report("junit", stream)
        report.judged(f"{folder}/weather.yaml", weather)
        for finding in findings:
            report.finding(replace(finding, source=f"{folder}/weather.yaml"))
        report.judged(f"{folder}/talk.yaml", spoken)
        report.judged(f"{folder}/weather.yaml", weather)
        report.close(summary(findings))
        return stream.getvalue()

    assert cases(of_run("a")) == cases(of_run("b", UNANSWERED, WARNING, UNANSWERED))
    assert cases(of_run("a"))[:-1] == [("local.openai-chat", "weather-x-sync"), ("local.openai-chat", "talk-x-sync")]
    suite = ET.fromstring(of_run("b", UNANSWERED))[0]
    assert [suite.get(name) for name in ("tests", "failures", "skipped")] == ["2", "1", "1"]


def test_junit_shows_a_file_without_findings_as_passed() -> None:
    stream = io.StringIO()
    report = open_report("junit", stream)
    for source in ("a.yaml", "a.yaml", "b.yaml"):
        report.judged(source)
    report.close(summary())
    assert [name for _, name in cases(stream.getvalue())] == ["a.yaml", "b.yaml", "summary"]
    assert "<failure" not in stream.getvalue()


def test_junit_calls_our_own_fault_an_error() -> None:
    suite = list(ET.fromstring(reported("junit", totals=summary(harness_errors=["rule x failed"]))))[-1]
    assert suite.get("errors") == "1"
    error = suite.find("testcase/error")
    assert error is not None
    assert error.get("message") == "rule x failed"


def test_junit_counts_the_errors_of_a_file_beyond_the_first() -> None:
    many = [Finding("made-up-rule", Severity.ERROR, "m" * 300, source="log.jsonl:1") for _ in range(4000)]
    text = reported("junit", *many)
    failure = ET.fromstring(text)[0].find("testcase/failure")
    assert failure is not None
    assert (failure.get("message") or "").endswith(", and 3999 more errors")
    assert (failure.text or "").endswith("… and 3980 more")
    assert len(text) < 20_000


def test_github_annotations_name_the_file_and_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    (tmp_path / "log.jsonl").write_text("\n" * 20)
    lines = reported("github", UNANSWERED, WARNING, replace(INFO, source=str(tmp_path / "log.jsonl:13"))).splitlines()
    assert lines[0] == (
        "::error title=tool-call-unanswered::tool call call_1 (get_weather) has no result"
        "%0Aonce in 1 of 3 files; first at trip.yaml exchange 2 /messages/1/tool_calls/1 (openai-chat)"
        "%0Aplace: request /messages/*/tool_calls/*%0Aexpected: a result for call_1%0Aactual: results for call_2"
        "%0Achange: Every tool call in the history must have its result in the next turn."
        "%0Asource: OAC-C-001 aliasrobotics/cai#111"
    )
    assert lines[1].startswith("::warning file=log.jsonl,line=12,title=made-up-rule::odd")
    assert lines[2].startswith("::notice file=log.jsonl,line=13,title=made-up-fact::by the way")
    assert lines[3] == "3 exchanges in 1 conversation: 1 error, 1 warning, 1 info"


def test_github_annotations_are_the_ten_worst_causes() -> None:
    infos = [Finding(f"made-up-fact-{'abcdefgh'[n]}", Severity.INFO, "m") for n in range(8)]
    errors = [Finding(f"made-up-rule-{'abcdefgh'[n]}", Severity.ERROR, "m") for n in range(8)]
    lines = reported("github", *infos, *errors, *errors[:1]).splitlines()
    assert [line.partition(" ")[0] for line in lines[:10]] == ["::error"] * 8 + ["::notice"] * 2
    assert lines[10] == "6 more causes without an annotation: see the job summary"
    assert not [line for line in lines[10:] if line.startswith("::")]


def test_github_gets_a_job_summary_where_the_runner_wants_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    reported("github", UNANSWERED)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("before\n## Conformance\n")
    assert "| 1 | 🔴 error | tool-call-unanswered |" in text
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    assert "::warning title=conformance::the job summary cannot be written" in reported("github", UNANSWERED)


def test_github_commands_cannot_be_injected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    (tmp_path / "a,b:c.yaml").write_text("{}")
    finding = Finding("made-up-rule", Severity.ERROR, "100%\n::set-env name=A::b", source="a,b:c.yaml")
    lines = reported("github", finding).splitlines()
    assert lines[0].startswith("::error file=a%2Cb%3Ac.yaml,title=made-up-rule::100%25\\n::set-env name=A::b%0A")
    assert len(lines) == 2


def test_html_is_one_page_that_needs_nothing_else() -> None:
    page = reported("html", UNANSWERED, WARNING, totals=summary([UNANSWERED], harness_errors=["rule x failed"]))
    assert page.startswith("<!DOCTYPE html>")
    assert re.findall(r"(?:src=|href=\"[^#]|url\(|@import| style=| on\w+=)", page) == []
    for text in (
        "tool-call-unanswered",
        "trip.yaml",
        "a result for call_1",
        "Every tool call in the history",
        "log.jsonl:12",
    ):
        assert text in page
    assert "internal error, not counted against the target: rule x failed" in page


@pytest.mark.parametrize("findings", [(), (UNANSWERED,)])
def test_the_policy_of_the_page_admits_its_own_style_and_script_and_no_other(findings: tuple[Finding, ...]) -> None:
    page = reported("html", *findings)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for name in ("style", "script"):
        for text in re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL):
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"{name}-src 'sha256-{digest}'" in policy


def test_html_of_many_findings_is_small() -> None:
    page = reported("html", *faults(10_000, causes=40))
    assert len(page) < 2_000_000
    assert page.count('<details class="cause') == 40


def test_html_links_each_failed_cell_to_its_causes() -> None:
    stream = io.StringIO()
    report = open_report("html", stream)
    for scenario in ("weather", "talk"):
        report.judged(f"{scenario}.yaml", Case(f"{scenario}-x", "local", scenario, "openai-chat", "openai", "sync"))
        if scenario == "weather":
            report.finding(replace(UNANSWERED, source="weather.yaml"))
    report.close(summary([UNANSWERED]))
    page = stream.getvalue()
    assert re.findall(r'<a class="error" href="#(cell-\d)" title="openai, sync: 1 error">', page) == ["cell-0"]
    assert '<li id="cell-0" data-causes="1">local weather openai-chat openai sync: <a href="#cause-1">' in page
    assert '<details class="cause is-error" id="cause-1"' in page
    assert page.count('<span class="ok"') == 1


def test_html_escapes_everything_that_was_recorded() -> None:
    page = reported("html", nasty_finding("<script>alert(1)</script>{{ 7 * 7 }}'\""))
    assert "<script>alert" not in page
    assert "{{ 7 * 7 }}" in page


def test_html_without_findings_reports_that() -> None:
    assert "No findings." in reported("html")


@pytest.mark.process
def test_a_report_that_is_not_html_loads_no_template_engine() -> None:
    code = (
        "import sys, io; from conformance.report import open_report; from conformance.judge.summary import Summary;"
        "open_report(sys.argv[1], io.StringIO()).close(Summary()); print('jinja2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "text"], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.strip() == "False"


def test_a_source_is_split_at_its_line_only() -> None:
    assert split_source("a/b.jsonl:12") == ("a/b.jsonl", 12)
    assert split_source("-:3") == ("-", 3)
    assert split_source("a:b.yaml") == ("a:b.yaml", None)
    assert split_source("a.yaml") == ("a.yaml", None)
    assert split_source("") == ("", None)


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=40))
def test_any_text_is_made_visible(text: str) -> None:
    shown = visible(text)
    assert CONTROLS.findall(shown) == []
    assert "\n" not in shown
    assert ET.fromstring(reported("junit", nasty_finding(text))) is not None
    assert json.loads(reported("json", nasty_finding(text)))
