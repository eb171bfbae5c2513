"""Reports: each format says all there is to say, whatever the recorded text holds."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.judge.checker import Checker, Summary
from conformance.model.data_files import data_dir
from conformance.model.finding import Finding, Severity
from conformance.model.printable import visible
from conformance.report import FORMATS, open_report
from conformance.report.statements import split_source
from conformance.report.totals import verdict

DATA = Path(__file__).parent / "data"
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


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def summary(findings: Iterable[Finding] = (), exchanges: int = 3, **more: Any) -> Summary:
    made = Summary(exchanges=exchanges, conversations=1, **more)
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
    with pytest.raises(ConformanceError, match="choose one of text, json, junit, github, html"):
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
        "error    tool-call-unanswered  trip.yaml\n"
        "  rule          Every tool call in the history must have its result in the next turn.\n"
        "  at            exchange 2, request /messages/1/tool_calls/1 (openai-chat)\n"
        "  found         tool call call_1 (get_weather) has no result\n"
        "  expected      a result for call_1\n"
        "  actual        results for call_2\n"
        "  source        OAC-C-001 aliasrobotics/cai#111\n"
        "\n"
        "3 exchanges in 1 conversation: 1 error, 0 warnings, 0 infos\n"
    )


def test_text_leaves_out_what_is_not_known() -> None:
    text = reported("text", WARNING)
    assert text.startswith("warning  made-up-rule  log.jsonl:12\n  id            x1\n  found         odd\n\n")


def test_text_shows_the_first_findings_of_a_rule_in_a_file_and_counts_the_others() -> None:
    many = [Finding("made-up-rule", Severity.WARNING, f"number {n}", source=f"log.jsonl:{n}") for n in range(9)]
    text = reported("text", *many, UNANSWERED)
    assert [int(number) for number in re.findall(r"found +number (\d)", text)] == [0, 1, 2]
    assert "  … and 6 more findings of made-up-rule in log.jsonl\n\nerror    tool-call-unanswered" in text
    assert re.findall(r"found +number (\d)", reported("text", *many, limit=None)) == list("012345678")
    assert "more finding of" not in reported("text", *many[:3])


def test_text_ends_in_a_table_by_rule_when_there_are_many_findings() -> None:
    few = reported("text", WARNING, UNANSWERED)
    assert "first in" not in few
    text = reported("text", WARNING, WARNING, INFO, UNANSWERED, WARNING, Finding("made-up-rule", Severity.INFO, "m"))
    assert text.split("\n\n")[-2].split("\n") == [
        "severity  rule                  number  first in",
        "error     tool-call-unanswered       1  trip.yaml",
        "warning   made-up-rule               4  log.jsonl:12",
        "info      made-up-fact               1  log.jsonl:13",
    ]


def test_findings_are_written_as_they_come() -> None:
    for format_ in ("text", "json", "github"):
        stream = io.StringIO()
        report = open_report(format_, stream)
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
        (Summary(exchanges=2, unclaimed=1), "1 skipped (no known dialect)"),
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


def test_junit_has_a_suite_for_each_file_and_a_failure_for_each_error() -> None:
    root = ET.fromstring(reported("junit", UNANSWERED, WARNING, INFO))
    trip, log, sums = root
    assert root.tag == "testsuites"
    assert (trip.get("name"), trip.get("tests"), trip.get("failures"), trip.get("errors")) == (
        "trip.yaml",
        "1",
        "1",
        "0",
    )
    case = trip[0]
    assert case.get("name") == "tool-call-unanswered exchange 2, request /messages/1/tool_calls/1"
    failure = case.find("failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == (UNANSWERED.rule, UNANSWERED.message)
    assert "expected: a result for call_1\nactual: results for call_2" in (failure.text or "")
    assert (log.get("name"), log.get("tests"), log.get("failures")) == ("log.jsonl", "1", "0")
    assert log[0].get("name") == "no finding of severity error in 2 exchanges"
    assert log.findtext("system-out") == ("warning made-up-rule line 12: odd\ninfo made-up-fact line 13: by the way\n")
    assert sums.findtext("testcase/system-out") == "3 exchanges in 1 conversation: 1 error, 1 warning, 1 info"


def test_junit_shows_a_file_without_findings_as_passed() -> None:
    stream = io.StringIO()
    report = open_report("junit", stream)
    for source in ("a.yaml", "a.yaml", "b.yaml"):
        report.judged(source)
    report.close(summary())
    suites = list(ET.fromstring(stream.getvalue()))
    assert [suite.get("name") for suite in suites] == ["a.yaml", "b.yaml", "conformance"]
    assert all(suite.get("failures") == suite.get("errors") == "0" for suite in suites)


def test_junit_calls_our_own_fault_an_error() -> None:
    suite = list(ET.fromstring(reported("junit", totals=summary(harness_errors=["rule x failed"]))))[-1]
    assert suite.get("errors") == "1"
    error = suite.find("testcase/error")
    assert error is not None
    assert error.get("message") == "rule x failed"


def test_junit_keeps_its_counts_when_a_file_has_more_findings_than_fit_in_memory() -> None:
    many = [Finding("made-up-rule", Severity.ERROR, "m" * 300, source="log.jsonl:1") for _ in range(4000)]
    suite = ET.fromstring(reported("junit", *many))[0]
    assert (suite.get("failures"), len(suite.findall("testcase/failure"))) == ("4000", 4000)


def test_github_commands_name_the_file_and_the_line() -> None:
    lines = reported("github", UNANSWERED, WARNING, INFO).splitlines()
    assert lines[0] == (
        "::error file=trip.yaml,title=tool-call-unanswered::tool call call_1 (get_weather) has no result"
        "%0Aat exchange 2, request /messages/1/tool_calls/1%0Aexpected: a result for call_1"
        "%0Aactual: results for call_2%0Asource: OAC-C-001 aliasrobotics/cai#111"
    )
    assert lines[1] == "::warning file=log.jsonl,line=12,title=made-up-rule::odd"
    assert lines[2] == "::notice file=log.jsonl,line=13,title=made-up-fact::by the way"
    assert lines[3] == "3 exchanges in 1 conversation: 1 error, 1 warning, 1 info"


def test_github_commands_cannot_be_injected() -> None:
    finding = Finding("made-up-rule", Severity.ERROR, "100%\n::set-env name=A::b", source="a,b:c.yaml")
    lines = reported("github", finding).splitlines()
    assert lines[0] == "::error file=a%2Cb%3Ac.yaml,title=made-up-rule::100%25\\n::set-env name=A::b"
    assert len(lines) == 2


def test_html_is_one_page_that_needs_nothing_else() -> None:
    page = reported("html", UNANSWERED, WARNING, totals=summary([UNANSWERED], harness_errors=["rule x failed"]))
    assert page.startswith("<!DOCTYPE html>")
    assert re.findall(r"(?:src|href|url\()", page) == ["src"] * page.count("-src '")
    for text in (
        "tool-call-unanswered",
        "trip.yaml",
        "a result for call_1",
        "Every tool call in the history",
        "log.jsonl:12",
    ):
        assert text in page
    assert "internal error, not counted against the target: rule x failed" in page


def test_html_escapes_everything_that_was_recorded() -> None:
    page = reported("html", nasty_finding("<script>alert(1)</script>{{ 7 * 7 }}'\""))
    assert "<script>alert" not in page
    assert "{{ 7 * 7 }}" in page


def test_html_without_findings_says_so() -> None:
    assert "No findings." in reported("html")


def test_a_report_that_is_not_html_loads_no_template_engine() -> None:
    code = (
        "import sys, io; from conformance.report import open_report; from conformance.judge.checker import Summary;"
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


@settings(deadline=None)
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=40))
def test_any_text_is_made_visible(text: str) -> None:
    shown = visible(text)
    assert CONTROLS.findall(shown) == []
    assert "\n" not in shown
    assert ET.fromstring(reported("junit", nasty_finding(text))) is not None
    assert json.loads(reported("json", nasty_finding(text)))
