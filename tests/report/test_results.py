"""`conformance results`, and the member `exercised` of the JSON report that it is made from."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from conformance.commands import app
from conformance.judge.checker import Checker
from conformance.judge.exercised import ExchangeShape, rules_exercised
from conformance.model.exchange import Exchange
from conformance.report import render
from conformance.report.html_page import content_hash
from conformance.report.site.pages import dialect_page
from conformance.report.site.site import measured
from tests.apart import apart
from tests.cassettes import SHIPPED
from tests.report.test_report import NASTY

CHAT = SHIPPED / "openai-chat" / "weather"
RULE, WORSE = "chat-usage-misplaced", "chat-done-missing"


def finding(rule: str = RULE, severity: str = "error", exchange: int | None = 0, **more: Any) -> dict[str, Any]:
    reported: dict[str, Any] = {
        "rule": rule,
        "severity": severity,
        "dialect": "openai-chat",
        "source": "x:cell",
        "id": None,
        "conversation": None,
        "exchange": exchange,
        "side": "response",
        "pointer": "/usage",
        "message": "it is wrong",
        "expected": None,
        "actual": None,
        "cite": None,
        "fix": None,
        "occurrences": 1,
        "also": [],
        "because": None,
    }
    return {**reported, **more}


def report(*findings: Mapping[str, Any], exercised: Any = None, **more: Any) -> dict[str, Any]:
    excerpt = {"side": "response", "head": "200 application/json", "lines": ["{", '  "usage": 3'], "marked": [1]}
    counts = {"exchanges": 9, "conversations": 3, "errors": 0, "warnings": 0, "infos": 0, "not_exercised": 0}
    causes = [
        {"rule": each["rule"], "place": None, "message": "m", "count": 1, "first": number, "because": None}
        for number, each in enumerate(findings)
    ]
    return {
        "version": 1,
        "findings": list(findings),
        "causes": [{**each, "excerpt": excerpt} for each in causes],
        "summary": {**counts, "unclaimed": 0},
        "exercised": {"openai-chat": {"request": {}, "response": exercised or {RULE: 9, WORSE: 4}}},
        "conformance_version": "0.1.0",
        **more,
    }


def put(folder: Path, place: str, content: Any) -> None:
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def made(folder: Path, site: Path) -> Result:
    return CliRunner().invoke(app, ["results", str(folder), "--output", str(site)])


def pages(site: Path) -> Iterator[Path]:
    yield from sorted(site.glob("*.html"))


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Two implementations; one has three versions."""
    folder = tmp_path / "reports"
    put(folder, "one/about.yaml", "name: One & only\nkind: server\nhomepage: https://one.test/\n")
    put(folder, "one/1.9/2026-01-01.json", report())
    put(folder, "one/1.10/2026-01-01.json", report(finding(), finding(), finding(exchange=3)))
    put(folder, "one/1.11/2026-02-01.json", report(finding(WORSE, "warning", exchange=1)))
    put(folder, "two/3/2026-02-01.json", report(exercised={RULE: 2}))
    return folder


def test_a_cell_shows_what_held_what_failed_and_how_often(reports: Path, tmp_path: Path) -> None:
    put(
        reports,
        "two/3/2026-02-01-gemini.json",
        report(exercised={RULE: 1}) | {"exercised": {"gemini": {"response": {}}}},
    )
    done = made(reports, tmp_path / "site")
    assert (done.exit_code, done.output.partition(":")[0]) == (0, "2 implementations, 4 runs, 2 dialects")
    one, two = json.loads((tmp_path / "site" / "results.json").read_text())["implementations"]
    runs = [(run["version"], run["dialects"]["openai-chat"]["counts"]) for run in one["runs"]]
    assert runs == [
        ("1.9", {"passed": 2, "warned": 0, "failed": 0}),
        ("1.10", {"passed": 1, "warned": 0, "failed": 1}),
        ("1.11", {"passed": 1, "warned": 1, "failed": 0}),
    ]
    failed = one["runs"][1]["dialects"]["openai-chat"]["statements"][RULE]
    assert (failed["state"], failed["wrong"], failed["exercised"]) == ("failed", 2, 9)
    assert two["runs"][0]["dialects"]["gemini"]["statements"] == {}
    page = (tmp_path / "site" / "dialect-openai-chat.html").read_text()
    first, second = re.findall(r'<tr data-kind="(\w+)"><th scope="row"><code>([\w-]+)</code>.*?</th>(.*?)</tr>', page)
    assert (first[:2], second[:2]) == (("warned", WORSE), ("passed", RULE))
    assert [re.sub("<[^>]*>", "", each) for each in re.findall("<td>(.*?)</td>", first[2])] == ["! 1/4", "&#8211;"]
    assert 'title="not exercised"' in first[2]


def test_a_mark_links_to_the_lines_of_the_wire(reports: Path, tmp_path: Path) -> None:
    made(reports, tmp_path / "site")
    page = (tmp_path / "site" / "dialect-openai-chat.html").read_text()
    for file, anchor in re.findall(r'<td><a [^>]*href="([\w.-]+)#([\w.-]+)"', page):
        assert f'id="{anchor}"' in (tmp_path / "site" / file).read_text()
    one = (tmp_path / "site" / "implementation-one.html").read_text()
    assert "<mark>  &#34;usage&#34;: 3</mark>" in one
    assert "warnings in 1 of 4 exchanges" in one


def test_history_names_what_changed_in_the_order_of_dates_and_versions(reports: Path, tmp_path: Path) -> None:
    made(reports, tmp_path / "site")
    page = (tmp_path / "site" / "implementation-one.html").read_text()
    titles = re.findall(r"What changed from (\S+) \S+ to (\S+) ", page)
    assert titles == [("1.10", "1.11"), ("1.9", "1.10")]
    newest, older = page.split("What changed from")[1:]
    newly, better = newest.split("Newly kept")
    assert WORSE in newly
    assert RULE in better.split("</ul>")[0]
    assert RULE in older.split("Newly kept")[0]


def test_a_server_is_not_blamed_for_requests_nor_a_client_for_responses(reports: Path) -> None:
    asked = report(finding(side="request"), finding("request-drift", side=None), exercised={RULE: 9})
    asked["exercised"]["openai-chat"]["request"] = {WORSE: 2}
    put(reports, "two/3/2026-02-01.json", asked)
    for kind, rules in (("server", {RULE: "passed"}), ("client", {RULE: "failed", WORSE: "passed"})):
        put(reports, "two/about.yaml", f"kind: {kind}\n")
        reported = measured(reports)[1].latest.dialects["openai-chat"]
        assert {rule: each.state for rule, each in reported.items()} == rules


def test_findings_without_counts_are_no_claim_about_the_rest(reports: Path, tmp_path: Path) -> None:
    old = report(finding())
    del old["exercised"]
    put(reports, "two/3/2026-02-01.json", old)
    made(reports, tmp_path / "site")
    statement = measured(reports)[1].latest.dialects["openai-chat"][RULE]
    assert (statement.state, statement.exercised) == ("failed", None)
    assert "what holds is unknown" in (tmp_path / "site" / "implementation-two.html").read_text()
    assert json.loads((tmp_path / "site" / "badges" / "two.json").read_text())["message"] == "not exercised"


@pytest.mark.parametrize(
    ("place", "content", "reported"),
    [
        ("", None, "there is no such folder"),
        ("one/readme.txt", "no report", "there is no report in it"),
        ("one/1/2026-01-01.json", '{"version": 1, "findings": [', "not JSON"),
        ("one/1/2026-01-01.json", "", "not JSON"),
        ("one/1/2026-01-01.json", {"log": {"entries": []}}, "not a JSON report of conformance"),
        ("one/1/2026-01-01.json", "[" * 100_000, "not JSON"),
        ("one/1/2026-13-01.json", report(), "the name does not begin with a date"),
        ("one/1/latest.json", report(), "the name does not begin with a date"),
        ("one/2026-01-01.json", report(), "a report cannot lie here"),
        ("2026-01-01.json", report(), "a report cannot lie here"),
        ("one/1/2026-01-01.json.gz", "not gzip", "cannot be read"),
        ("one/about.yaml", "kind: sever", "one/about.yaml: kind: 'sever' is not valid; did you mean `server`?"),
        ("one/about.yaml", "home: x", "unknown key 'home'; did you mean `homepage`?"),
        ("one/about.yaml", "homepage: javascript:alert(1)", "is no web address"),
        ("one/about.yaml", "[", "invalid YAML"),
        ("one/about.yaml", "name: 3", "name: not a text"),
    ],
)
def test_wrong_input_is_refused_with_its_place(tmp_path: Path, place: str, content: Any, reported: str) -> None:
    if content is not None:
        put(tmp_path / "in", place, content)
    done = made(tmp_path / "in", tmp_path / "site")
    assert (done.exit_code, reported in done.stderr, "Traceback" in done.stderr) == (2, True, False), done.stderr
    assert str(tmp_path / "in") in done.stderr
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("lone", [b"\\ud800", b"\xed\xa0\x80"])
def test_half_a_character_is_shown_as_a_question_mark(lone: bytes, tmp_path: Path) -> None:
    put(tmp_path / "r", "own/1.0/2026-11-01.json", report(finding(message="half: HERE")))
    (file,) = (tmp_path / "r").rglob("*.json")
    file.write_bytes(file.read_bytes().replace(b"HERE", lone))
    result = made(tmp_path / "r", tmp_path / "site")
    assert (result.exit_code, result.stderr) == (0, "")
    assert any(re.search("half: [?\N{REPLACEMENT CHARACTER}&]", page.read_text()) for page in pages(tmp_path / "site"))


def test_duplicates_are_refused(reports: Path, tmp_path: Path) -> None:
    put(reports, "two/3/2026-02-01-again.json", report(exercised={RULE: 2}))
    assert "the same report as" in made(reports, tmp_path / "site").stderr
    (reports / "two/3/2026-02-01-again.json").unlink()
    put(reports, "ONE/1/2026-02-01.json", report())
    assert "would have the same pages" in made(reports, tmp_path / "site").stderr


def test_a_site_is_written_whole_or_not_at_all(reports: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert made(reports, site).exit_code == 0
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    put(reports, "zzz/1/2026-01-01.json", "{")
    assert made(reports, site).exit_code == 2
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before
    shutil.rmtree(reports / "zzz")
    shutil.rmtree(reports / "two")
    assert made(reports, site).exit_code == 0
    assert not (site / "implementation-two.html").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["reports", "site"]


@pytest.mark.parametrize("output", ["mine", "mine/notes.txt", "reports", "reports/site", "."])
def test_nothing_but_an_earlier_site_is_replaced(reports: Path, tmp_path: Path, output: str) -> None:
    put(tmp_path, "mine/notes.txt", "precious")
    done = made(reports, tmp_path / output)
    assert (done.exit_code, "--output" in done.stderr) == (2, True)
    assert (tmp_path / "mine" / "notes.txt").read_text() == "precious"
    assert (reports / "one" / "about.yaml").exists()


def test_the_same_reports_make_the_same_site_gzipped_or_not(reports: Path, tmp_path: Path) -> None:
    made(reports, tmp_path / "a")
    for path in list(reports.rglob("*.json")):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    made(reports, tmp_path / "b")
    one, other = (
        {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
        for site in (tmp_path / "a", tmp_path / "b")
    )
    assert one == other


def test_pages_run_and_load_nothing_of_others_and_show_what_is_foreign_as_text(reports: Path, tmp_path: Path) -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    put(reports, "two/about.yaml", json.dumps({"name": evil, "note": evil}))
    put(reports, f"two/{NASTY[:3].replace('/', '')}<b>/2026-03-01.json", report(finding(message=evil, source=evil)))
    assert made(reports, tmp_path / "site").exit_code == 0
    for page in pages(tmp_path / "site"):
        text = page.read_text(encoding="ascii")
        script, style = (re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL) for tag in ("script", "style"))
        policy = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', text)
        assert policy is not None
        assert [len(script), len(style)] == [1, 1]
        assert f"script-src '{content_hash(script[0])}'" in policy[1]
        assert f"style-src '{content_hash(style[0])}'" in policy[1]
        assert policy[1].startswith("default-src 'none'")
        assert "<img" not in text
        assert not re.findall(r'\s(?:src|style|on\w+)="', text)
        for link in re.findall(r'href="([^"#]+)', text):
            assert link.startswith("https://one.test") or (tmp_path / "site" / link).is_file()


def fault(verdict: str) -> dict[str, Any]:
    evidence = {
        "what": "w",
        "turn": 2,
        "came": ["data: <half>"],
        "missing": ["data: [DONE]"],
        "had": [],
        "stopped": "it",
    }
    found = [evidence] if verdict == "silently wrong" else []
    return {"behaviour": "pings", "summary": "s", "verdict": verdict, "detail": "took a part", "evidence": found}


LOSS = {
    "name": "tool-dropped",
    "rule": "gateway-tool-dropped",
    "severity": "error",
    "direction": "up",
    "what": "a tool is dropped",
    "client": {"exchange": 0, "side": "request", "pointer": "/tools/0"},
    "upstream": {"exchange": 0, "side": "request", "pointer": None},
    "before": '{"name": "search"}',
    "after": None,
    "occurrences": 1,
}
GATEWAY: dict[str, Any] = {"client": "gemini", "upstream": "openai-chat", "model": "m", "reason": None, "errors": []}
RUN = {"driver": "google-genai", "mode": "sync", "requests": 1, "upstream_requests": 1, "losses": [LOSS]}
EXERCISE = {"exercise": "batch", "revision": "2025-03-26", "driver": "raw-http", "reason": None}


def test_outcomes_beside_statements_link_to_the_lines_of_the_wire_and_their_changes_are_in_the_feed(
    tmp_path: Path,
) -> None:
    folder, site = tmp_path / "reports", tmp_path / "site"
    put(folder, "sdk/1/2026-01-01.json", report(faults=[fault("handled")]))
    put(folder, "sdk/2/2026-02-01.json", report(faults=[fault("silently wrong")]))
    rows = [
        {**GATEWAY, "scenario": "search", "grade": "lost", "runs": [RUN, RUN]},
        {**GATEWAY, "scenario": "weather", "grade": "same", "runs": []},
    ]
    put(folder, "gateway/1/2026-01-01.json", report(gateway={"rows": rows, "not_expressible": []}))
    found = finding("mcp-batch-unanswered", dialect="mcp", source="tools:batch-mcp-raw-http-2025-03-26")
    cells = [
        {**EXERCISE, "cell": "batch-mcp-raw-http-2025-03-26", "state": "failed"},
        {**EXERCISE, "cell": "other", "exercise": "ping", "state": "not applicable", "reason": "no ping"},
    ]
    put(folder, "tools/1/2026-01-01.json", report(found, exercises=cells))
    assert made(folder, site).exit_code == 0
    index = (site / "index.html").read_text()
    assert index.count('<a class="error" href="implementation-sdk.html#faults">1</a>') == 1
    assert '<a class="warning" href="implementation-gateway.html#losses">1</a>' in index
    assert '<a class="error" href="implementation-tools.html#exercises">1</a>' in index
    assert "missing: data: [DONE]" in (site / "implementation-sdk.html").read_text()
    lost = (site / "implementation-gateway.html").read_text()
    assert "client exchange 0 request /tools/0: {&#34;name&#34;: &#34;search&#34;}" in lost
    assert lost.count("a tool is dropped") == 1
    assert "mcp-batch-unanswered: it is wrong" in (site / "implementation-tools.html").read_text()
    atom = {"a": "http://www.w3.org/2005/Atom"}
    entries = ET.fromstring((site / "feed.xml").read_text()).findall("a:entry", atom)
    newest = "".join(entries[0].itertext())
    assert len(entries) == 4
    assert "sdk 2" in newest
    assert "pings: silently wrong, was handled" in newest


def test_badges_are_images_and_endpoints(reports: Path, tmp_path: Path) -> None:
    made(reports, tmp_path / "site")
    for path in (tmp_path / "site" / "badges").glob("*.svg"):
        assert ET.parse(path).getroot().attrib["aria-label"].endswith("statements")
    reported = json.loads((tmp_path / "site" / "badges" / "one.json").read_text())
    assert reported == {
        "schemaVersion": 1,
        "label": "tool-use conformance",
        "message": "1 of 2 statements",
        "color": "yellowgreen",
    }


def test_pages_stay_below_two_megabytes(tmp_path: Path) -> None:
    apart(_small_pages_of_many_findings, tmp_path)


def _small_pages_of_many_findings(tmp_path: Path) -> None:
    rules = {f"made-up-{number}": 3 for number in range(3_000)}
    found = [finding(rule, message="x" * 900, source="y" * 200) for rule in rules]
    for number in range(6):
        put(tmp_path / "in", f"many-{number}/1/2026-01-0{number + 1}.json", report(*found, exercised=rules))
    assert made(tmp_path / "in", tmp_path / "site").exit_code == 0
    for page in pages(tmp_path / "site"):
        assert page.stat().st_size < 2_000_000
    assert "more statements, which results.json has" in dialect_page("openai-chat", measured(tmp_path / "in"))


def asked(**body: Any) -> Exchange:
    return Exchange.of(
        {
            "request": {
                "url": "https://api.openai.com/v1/chat/completions",
                "body": {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}], **body},
            },
            "response": {"status": 200, "body": {"choices": [{"message": {"role": "assistant", "content": "hi"}}]}},
        }
    )


def exercised(*exchanges: Exchange) -> dict[str, dict[str, int]]:
    checker = Checker()
    for each in exchanges:
        checker.feed(each)
    return rules_exercised(checker.summary.exercised)["openai-chat"]  # type: ignore[return-value]


def test_a_rule_is_exercised_where_there_is_something_to_judge() -> None:
    tool = {"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}
    plain, with_tool = exercised(asked()), exercised(asked(), asked(tools=[tool]))
    for rule in ("tool-name-duplicate", "chat-tools-empty"):
        assert rule not in plain["request"]
        assert with_tool["request"][rule] == 1
    assert with_tool["request"]["chat-role-unknown"] == 2
    assert with_tool["response"]["chat-choices-empty"] == 2
    assert "chat-done-missing" not in plain["response"]
    assert "tool-call-id-duplicate" not in plain["response"]


def test_every_rule_with_a_finding_was_exercised() -> None:
    from conformance import load

    checker = Checker()
    found = [each for exchange in load(str(SHIPPED / "gemini")) for each in checker.feed(exchange)]
    reported = rules_exercised(checker.summary.exercised)
    assert found
    for each in found:
        assert each.dialect is not None
        assert each.side is not None
        assert reported[each.dialect][each.side][each.rule] > 0


def test_counts_survive_json_worker_processes_and_a_choice_of_rules(tmp_path: Path) -> None:
    checker = Checker()
    checker.feed(asked())
    shapes = json.loads(json.dumps(list(checker.summary.exercised.items())))
    assert {ExchangeShape.from_json(each): number for each, number in shapes} == checker.summary.exercised
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.json"
        args = ["check", str(CHAT), "--jobs", jobs, "--format", "json", "--output", str(out)]
        assert CliRunner().invoke(app, [*args, "--ignore", "chat-usage"]).exit_code == 0
    one, two = (json.loads((tmp_path / f"{jobs}.json").read_text())["exercised"] for jobs in "12")
    assert one == two
    assert one["openai-chat"]["response"]["chat-done-missing"] > 0
    assert not [rule for rule in one["openai-chat"]["response"] if rule.startswith("chat-usage")]


def test_a_report_without_a_summary_claims_nothing() -> None:
    assert "exercised" not in json.loads(render([], "json"))
