"""Findings by cause: one block for the same fault, wherever it is, with the bytes and what to change."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from conformance.commands import app
from conformance.errors import ConformanceError
from conformance.judge.cause import cause_of, wording_of
from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.report.base import Case
from conformance.report.causes import Causes, how_often
from conformance.report.excerpt import excerpt_of
from conformance.report.locating import line_of
from devtools.places import ROOT
from tests.report.test_report import faults, reported

DATA = ROOT / "tests" / "data"
KEY = "sk-proj-Zq81Lm3Tn5Vb7Xc9Ws2Ed4Rf6Tg8Yh0Uj"  # made up
ROOT_CAUSE = Finding("made-up-cause", Severity.WARNING, "root", source="a.yaml", side="request", pointer="/tools/1")
EFFECT = Finding(
    "made-up-effect",
    Severity.ERROR,
    "effect",
    source="a.yaml",
    side="request",
    pointer="/tools/1",
    because="made-up-cause",
)


def exchange(request: Any = None, response: Any = None, headers: dict[str, str] | None = None) -> Exchange:
    """An exchange whose bodies are given as JSON values, or as text."""
    return Exchange.of(
        {
            "request": {
                "url": f"https://api.example.test/v1/chat/completions?key={KEY}&alt=sse",
                "headers": {"authorization": f"Bearer {KEY}", "content-type": "application/json", "host": "x"},
                "body": request if request is not None else {"model": "m", "messages": [{"role": "user"}]},
            },
            "response": {
                "status": 200,
                "headers": headers or {"content-type": "application/json"},
                "body": response if response is not None else {"id": 1, "choices": []},
            },
        },
        source="a.yaml",
    )


def at(pointer: str | None, traffic: Exchange, side: str = "response") -> Finding:
    return Finding(
        "made-up-rule",
        Severity.ERROR,
        "m",
        source="a.yaml",
        exchange=0,
        side="request" if side == "request" else "response",
        pointer=pointer,
        traffic=traffic,
    )


def lines(finding: Finding) -> list[str]:
    """The excerpt, its marked lines with an arrow."""
    found = excerpt_of(finding)
    assert found is not None
    return [found.head, *(f"> {text}" if marked else f"  {text}" for text, marked in found.lines)]


def collected(*findings: Finding) -> Causes:
    causes = Causes()
    for finding in findings:
        causes.judged(finding.source)
        causes.add(finding)
    return causes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tool call call_1 (get_time) has no result", "tool call call_xY9 (get_weather) has no result"),
        ("tool call abcdefghijk has no result", "tool call lmnopqrstuv has no result"),
        ('the value is "a"', 'the value is "b c"'),
        ("gpt-4o-mini is 3 of 4", "claude-3 is 5 of 6"),
        ("results for ['a', 'b']", "results for []"),
        ("the call of roll is changed", "the call of get_date is changed"),
        ("strict, but not required: unit", "strict, but not required: city, country"),
    ],
)
def test_a_wording_has_no_values(one: str, other: str) -> None:
    assert wording_of(one) == wording_of(other)


def test_what_the_message_names_in_backticks_is_part_of_the_wording() -> None:
    assert wording_of("`id` is missing") != wording_of("`object` is missing")


def test_one_fault_in_many_files_is_one_cause() -> None:
    causes = collected(*faults(60, causes=3))
    assert len(causes) == 3
    assert [cause.number for cause in causes.in_order()] == [0, 1, 2]
    assert {(cause.count, cause.files) for cause in causes.in_order()} == {(20, 20)}
    assert how_often(causes.in_order()[0], causes) == "20 times in all 20 files"


def test_another_severity_side_or_place_is_another_cause() -> None:
    first = at("/choices/0/message", exchange())
    others = (
        replace(first, severity=Severity.WARNING),
        replace(first, side="request"),
        replace(first, pointer="/choices/0/index"),
        replace(first, rule="made-up-other"),
    )
    assert {cause_of(first) == cause_of(each) for each in others} == {False}
    assert cause_of(first) == cause_of(replace(first, pointer="/choices/7/message", source="b.yaml", message="m"))


def test_a_rule_whose_findings_all_differ_has_a_last_cause_for_the_rest() -> None:
    words = [f"{one}{two}" for one in "abcdefghij" for two in "abcdefghij"]
    causes = collected(*(Finding("made-up-rule", Severity.ERROR, f"found {word}") for word in words))
    assert len(causes) == 41
    last = causes.in_order()[-1]
    assert (last.count, last.rest) == (60, True)
    assert last.message == "found ea; and others like it"


def test_the_worst_and_most_frequent_cause_is_first() -> None:
    rare = Finding("made-up-rare", Severity.ERROR, "m")
    often = Finding("made-up-often", Severity.ERROR, "m")
    odd = Finding("made-up-odd", Severity.WARNING, "m")
    causes = collected(odd, odd, odd, rare, often, often)
    assert [block.cause.rule for block in causes.blocks()] == ["made-up-often", "made-up-rare", "made-up-odd"]


def test_what_follows_from_a_cause_is_folded_below_it_and_gives_it_its_weight() -> None:
    causes = collected(Finding("made-up-rare", Severity.ERROR, "m"), ROOT_CAUSE, EFFECT, EFFECT)
    first, second = causes.blocks()
    assert (first.cause.rule, second.cause.rule) == ("made-up-rare", "made-up-cause")
    assert [each.rule for each in second.follow] == ["made-up-effect"]
    mild = replace(EFFECT, severity=Severity.WARNING)
    assert "     follows   made-up-effect (2)\n" in reported("text", ROOT_CAUSE, mild, mild)
    graver = reported("text", ROOT_CAUSE, EFFECT, EFFECT)
    assert "     follows   made-up-effect (2 errors)\n" in graver  # why a warning weighs as an error
    many = [replace(ROOT_CAUSE, rule=f"made-up-{one}{two}") for one in "abcdefghij" for two in "abcdef"]
    assert "made-up-effect (2 errors)" in reported("text", *many, ROOT_CAUSE, EFFECT, EFFECT)


@pytest.mark.parametrize("verbose", [False, True])
def test_the_numbers_of_causes_have_no_gap(*, verbose: bool) -> None:
    """Whatever is folded below another cause, or hidden: what is shown is numbered from 1."""
    infos = [Finding(f"made-up-i{one}", Severity.INFO, "m") for one in "abc"]
    weighty = replace(EFFECT, rule="made-up-heavy", because="made-up-ia", source="")
    some = (*faults(40, causes=14), *infos, weighty, ROOT_CAUSE, EFFECT, Finding("made-up-last", Severity.WARNING, "m"))
    text = reported("text", *some, verbose=verbose)
    numbers = [int(each) for each in re.findall(r"^ *(\d+)  (?:error|warning|info) ", text, re.MULTILINE)]
    assert len(numbers) > 15
    assert numbers == [*range(1, len(numbers) + 1)]
    blocks = [int(each) for each in re.findall(r'id="cause-(\d+)"', reported("html", *some))]
    assert sorted(blocks) == [*range(1, len(blocks) + 1)]


def test_what_is_not_always_explained_stands_on_its_own() -> None:
    causes = collected(ROOT_CAUSE, EFFECT, replace(EFFECT, because=None))
    shown = {(each.cause.rule, each.cause.count): [one.rule for one in each.follow] for each in causes.blocks()}
    assert shown == {("made-up-cause", 1): ["made-up-effect"], ("made-up-effect", 1): []}


def test_causes_that_explain_each_other_are_both_shown() -> None:
    one = Finding("made-up-one", Severity.ERROR, "m", because="made-up-two")
    two = Finding("made-up-two", Severity.ERROR, "m", because="made-up-one")
    assert len(collected(one, two).blocks()) == 2


def test_thousands_of_findings_of_twenty_causes_fit_on_two_screens() -> None:
    text = reported("text", *faults(4000, causes=20))
    shown = text.splitlines()
    assert len(shown) <= 100
    assert sum("error    made-up-" in line for line in shown) == 20
    assert shown[0] == "4000 findings from 20 causes: 20 of severity error"
    assert shown[-1].endswith("4000 errors, 0 warnings, 0 infos")
    assert max(map(len, shown)) <= 200


def test_a_hundred_causes_are_all_named() -> None:
    text = reported("text", *faults(4000, causes=90))
    assert sum("error    made-up-" in line for line in text.splitlines()) == 90


def test_an_excerpt_marks_the_value() -> None:
    body = {"id": "x", "choices": [{"index": 0, "finish_reason": "end", "message": {"role": "assistant"}}]}
    assert lines(at("/choices/0/finish_reason", exchange(response=body))) == [
        "200 application/json",
        "  {",
        '    "index": 0,',
        '>   "finish_reason": "end",',
        '    "message": {"role": "assistant"}',
        "  }",
    ]


def test_an_excerpt_marks_the_object_that_lacks_a_value() -> None:
    body = {"choices": [{"index": 0}]}
    assert lines(at("/choices/0/message", exchange(response=body))) == [
        "200 application/json",
        "> {",
        '    "index": 0',
        "  }",
    ]


def test_an_excerpt_of_a_stream_is_of_its_event() -> None:
    body = 'data: {"id": "x"}\n\ndata: {"id": "y", "choices": []}\n\ndata: [DONE]\n\n'
    stream = exchange(response=body, headers={"content-type": "text/event-stream; charset=utf-8"})
    assert lines(at("event/1/choices", stream)) == [
        "200 text/event-stream, event 1 of 3",
        "  {",
        '    "id": "y",',
        '>   "choices": []',
        "  }",
    ]
    assert lines(at("event/2", stream))[-1] == '> "[DONE]"'
    assert lines(at("event/9", stream)) == ["200 text/event-stream"]


def test_an_excerpt_of_a_request_and_of_text_that_is_no_json() -> None:
    assert lines(at("/messages/0/role", exchange(), "request"))[0] == "POST /v1/chat/completions"
    assert lines(at(None, exchange(response="<html>\n<p>no")))[1:] == ["> <html>", "  <p>no"]


def test_an_excerpt_of_a_large_array_leaves_out_what_is_far_away() -> None:
    body = {"choices": [{"index": number} for number in range(50)]}
    assert lines(at("/choices/20", exchange(response=body))) == [
        "200 application/json",
        "  [ …",
        '    {"index": 18},',
        '    {"index": 19},',
        '>   {"index": 20},',
        '    {"index": 21},',
        '    {"index": 22},',
        "    … ]",
    ]


def test_without_its_exchange_a_finding_has_no_excerpt() -> None:
    assert excerpt_of(replace(at("/id", exchange()), traffic=None)) is None


@pytest.mark.parametrize("format_", ["text", "html", "markdown", "sarif", "issue", "github"])
def test_no_format_shows_a_secret_of_the_wire(format_: str) -> None:
    held = exchange(request={"api_key": KEY, "messages": [{"content": f"my key is {KEY}"}]}, response={"id": KEY})
    text = reported(format_, at("/messages/0/content", held, "request"), at("/id", held))
    assert "made-up-rule" in text
    assert KEY not in text


def test_an_issue_sends_the_request_with_credentials_from_the_environment() -> None:
    text = reported("issue", at("/id", exchange()))
    [command] = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    words = shlex.split(command.replace("\\\n", " "))
    assert words[:4] == ["curl", "--include", "--request", "POST"]
    assert words[4] == "https://api.example.test/v1/chat/completions?key=$API_KEY&alt=sse"
    assert words[5:9] == ["--header", "authorization: Bearer $API_KEY", "--header", "content-type: application/json"]
    assert json.loads(words[10]) == {"model": "m", "messages": [{"role": "user"}]}
    assert "host: x" not in text


@pytest.mark.process
def test_an_issue_is_safe_in_a_shell() -> None:
    body = {"messages": [{"content": 'it\'s $(touch here) `touch here` "$HOME"'}]}
    text = reported("issue", at("/id", exchange(request=body)))
    [command] = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    script = command.replace("curl ", "printf '%s\\n' ", 1)
    printed = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True, env={"API_KEY": "k"})
    assert json.loads(printed.stdout.splitlines()[-1]) == body
    assert "authorization: Bearer k" in printed.stdout


def test_an_issue_shows_what_was_found_as_it_is_and_mentions_nobody() -> None:
    finding = replace(at("/id", exchange()), expected="one of ['a_b', '<c>'] of `d`", actual="@someone", cite="x/y#1")
    text = reported("issue", finding)
    assert "- **Expected**: ``one of ['a_b', '<c>'] of `d` ``\n" in text.replace("`` one", "``one")
    assert "- **Actual**: `@someone`\n" in text
    assert "`x/y#1`" in text
    assert not re.search(r"&#?\w+;|<!--", text)


def test_an_issue_is_about_the_cause_that_was_asked_for() -> None:
    worst, other = Finding("made-up-rule", Severity.ERROR, "worst"), Finding("made-up-other", Severity.INFO, "other")
    assert reported("issue", other, worst).startswith("# worst\n")
    assert reported("issue", other, worst, cause=2).startswith("# other\n")
    with pytest.raises(ConformanceError, match="--cause 2: the report has 1 cause; choose one of these"):
        reported("issue", other, cause=2)
    assert reported("issue").startswith("Nothing to report: ")


def test_sarif_follows_the_parts_of_its_schema_that_are_written(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("\n" * 20, encoding="utf-8")
    schema = json.loads((DATA / "sarif.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    known = replace(at("/id", exchange()), source=f"{path}:7")
    for findings in ((), (known,), (ROOT_CAUSE, EFFECT, known, *faults(30, causes=4))):
        validator.validate(json.loads(reported("sarif", *findings)))
    run = json.loads(reported("sarif", known, EFFECT, ROOT_CAUSE))["runs"][0]
    first = run["results"][0]
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == path.as_uri()
    assert first["locations"][0]["physicalLocation"]["region"]["startLine"] == 7
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "made-up-rule"
    assert "physicalLocation" not in run["results"][1]["locations"][0]


def test_a_fingerprint_is_the_same_in_another_run() -> None:
    def prints(format_: str, *findings: Finding) -> list[str]:
        document = json.loads(reported(format_, *findings))
        if format_ == "gitlab":
            return [each["fingerprint"] for each in document]
        return [each["partialFingerprints"]["cause/v1"] for each in document["runs"][0]["results"]]

    once, again = list(faults(6, causes=3)), list(faults(60, causes=3))[30:]
    for format_ in ("sarif", "gitlab"):
        assert sorted(prints(format_, *once)) == sorted(prints(format_, *again))
        assert len(set(prints(format_, *once))) == 3
        assert len(set(prints(format_, ROOT_CAUSE, EFFECT, replace(EFFECT, because=None)))) == 3


def test_gitlab_gets_what_its_widget_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.jsonl").write_text("\n" * 9, encoding="utf-8")
    known = replace(at("/id", exchange()), source="log.jsonl:7", fix="drop it")
    [entry] = json.loads(reported("gitlab", known))
    assert entry.pop("fingerprint")
    assert entry == {
        "description": "m (once); at response /id; change: drop it",
        "check_name": "made-up-rule",
        "severity": "major",
        "location": {"path": "log.jsonl", "lines": {"begin": 7}},
    }


def test_json_has_the_causes_of_its_findings() -> None:
    document = json.loads(reported("json", ROOT_CAUSE, EFFECT, *faults(4, causes=2)))
    excerpts = [cause.pop("excerpt") for cause in document["causes"]]
    assert all(excerpt is None or excerpt["lines"][excerpt["marked"][0]] for excerpt in excerpts)
    assert document["causes"][:2] == [
        {"rule": "made-up-cause", "place": "/tools/*", "message": "root", "count": 1, "first": 0, "because": None},
        {
            "rule": "made-up-effect",
            "place": "/tools/*",
            "message": "effect",
            "count": 1,
            "first": 1,
            "because": "made-up-cause",
        },
    ]
    assert sum(cause["count"] for cause in document["causes"]) == len(document["findings"])
    assert [document["findings"][cause["first"]]["rule"] for cause in document["causes"]] == [
        cause["rule"] for cause in document["causes"]
    ]


def test_markdown_has_a_row_and_a_part_for_each_cause_and_stays_below_the_limit() -> None:
    text = reported("markdown", *faults(40, causes=4))
    assert len(re.findall(r"^\| \d+ \| 🔴 error \|", text, re.MULTILINE)) == text.count("<details>") == 4
    assert len(reported("markdown", *faults(2000, causes=300)).encode()) < 65_536


def test_markdown_cannot_be_broken_out_of() -> None:
    held = exchange(response={"id": "```\n# title\n<img src=x>"})
    text = reported("markdown", replace(at("/id", held), message="<script> | @somebody"))
    assert "<script>" not in text
    assert " @somebody" not in text
    fence, *_ = re.findall(r"^(`{3,})text$", text, re.MULTILINE)
    assert len(fence) == 4


def test_a_line_of_a_cassette_is_found(tmp_path: Path) -> None:
    body = 'data: {"id": 1}\n\nevent: x\ndata: {"id": 2}\n\n'
    interaction = {
        "request": {"method": "POST", "uri": "http://x", "headers": {}, "body": "{}"},
        "response": {"status": {"code": 200}, "headers": {}, "body": {"string": "STREAM"}},
    }
    text = yaml.safe_dump(
        {"version": 1, "interactions": [interaction, deepcopy(interaction)]}, sort_keys=False, default_flow_style=False
    )
    block = "|\n" + "".join(f"        {line}\n" if line else "\n" for line in body.split("\n"))
    path = tmp_path / "a.yaml"
    path.write_text(text.replace("STREAM", block), encoding="utf-8")
    written = path.read_text(encoding="utf-8").splitlines()
    second = replace(at("event/1/id", exchange()), source=str(path), exchange=1)
    found = line_of(second)
    assert found is not None
    assert written[found - 1].strip() == 'data: {"id": 2}'
    assert found > len(written) // 2
    asked = line_of(replace(second, side="request", pointer="/x"))
    assert asked is not None
    assert written[asked - 1].strip() == "body: '{}'"
    assert line_of(replace(second, exchange=7)) is None
    assert line_of(replace(second, source="no/such/file.yaml")) is None


def test_cells_are_counted_as_cells() -> None:
    causes = Causes()
    cell = Case("weather-x", "local", "weather", "openai-chat", "openai", "sync")
    causes.judged("a.yaml", cell)
    causes.judged("b.yaml", cell._replace(name="talk-x", scenario="talk"))
    causes.judged("c.yaml", cell._replace(name="skipped", skipped="no"))
    causes.add(Finding("made-up-rule", Severity.ERROR, "m", source="a.yaml"))
    assert how_often(causes.in_order()[0], causes) == "once in 1 of 2 cells"


def test_findings_of_a_checker_carry_their_exchange() -> None:
    record = json.loads((DATA / "violating.jsonl").read_text(encoding="utf-8").splitlines()[0])
    found = Exchange.of(record)
    assert {finding.traffic for finding in Checker().feed(found)} == {found}


def invoked(*words: str) -> Any:
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_check_shows_the_wire_whatever_number_of_workers_judged(jobs: str) -> None:
    shown = invoked("check", str(DATA / "violating.jsonl"), "--jobs", jobs).output
    assert "     wire      > POST /v1/chat/completions\n" in shown
    assert re.search(r"^ {15}-> ", shown, re.MULTILINE)


def test_the_options_of_a_report_are_checked() -> None:
    path = str(DATA / "violating.jsonl")
    assert "--cause works only with --format issue" in invoked("check", path, "--cause", "2").output
    assert "exclude each other" in invoked("check", path, "-q", "-v").output
    assert len(invoked("check", path, "-q").output.splitlines()) == 1
    assert invoked("check", path, "--format", "issue").output.startswith("# ")


def test_a_failing_replay_names_its_cells_and_the_cause_once() -> None:
    words = ("replay", "--cassettes", "tests", "--scenario", "weather", "--dialect", "gemini")
    result = invoked(*words)
    assert result.exit_code == 1
    assert "error    cassette-missing  6 times in all 6 cells" in result.output
    assert invoked(*words, "-q").output.splitlines()[-1] == "0 of 6 cells replayed without an error"
