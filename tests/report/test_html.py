"""The HTML pages: an exchange as conversation and as wire, statistics as bars, recordings side by side."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from conformance.campaign.differences import differences
from conformance.campaign.statistics import CHECKS, MEANINGS, Observation, measures, wilson
from conformance.commands import app
from conformance.commands.common.statistics import print_statistics
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.report import open_report
from conformance.report.base import Case
from conformance.report.html_exchange import conversation_of, wire_of
from conformance.report.html_report import HtmlReport
from conformance.report.html_statistics import statistics_of
from conformance.report.side_by_side import rows_of
from conformance.report.verdicts import Display, report_verdicts
from conformance.report.wire_lines import WireLine, body_lines, covered, indented, shown
from tests.cassettes import SHIPPED, broken, cell, in_response
from tests.report.test_report import CONTROLS, NASTY, faults, reported, summary
from tests.sampling import amount

CHAT = "weather-openai-chat-raw-http-sync"
STREAM = "weather-openai-chat-raw-http-stream"


def exchange(request: Any = None, response: Any = None, status: int = 200, kind: str = "application/json") -> Exchange:
    return Exchange.of(
        {
            "request": {"url": "https://api.example.test/v1/chat/completions", "body": request or {"messages": []}},
            "response": {
                "status": status,
                "headers": {"content-type": kind},
                "body": response if response is not None else {},
            },
        }
    )


@pytest.mark.parametrize(
    "echo",
    [
        "Incorrect API key provided: sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z",
        "authorization: Bearer a1b2c3d4e5f6g7h8i9",
    ],
)
def test_a_page_about_an_answer_that_echoes_a_key_is_written(echo: str, tmp_path: Path) -> None:
    error = {"error": {"message": echo, "type": "invalid_request_error", "param": None, "code": [echo]}}
    request = {"method": "POST", "url": "https://api.openai.com/v1/chat/completions", "body": {"model": "m"}}
    record = {"request": request, "response": {"status": 401, "headers": {}, "body": error}}
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    page = tmp_path / "a.html"
    result = CliRunner().invoke(app, ["check", str(tmp_path / "a.jsonl"), "--format", "html", "--output", str(page)])
    assert result.exit_code == 1
    assert "REDACTED" in page.read_text()
    assert echo[-12:] not in page.read_text()


def marked(text: str, pointer: str) -> list[str]:
    lines = indented(text)
    return [lines[number].text.strip() for number in sorted(covered(lines, pointer))]


def policy_holds(page: str) -> None:
    """Nothing inline but the one style and the one script, which the policy names; nothing from elsewhere."""
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for name in ("style", "script"):
        [text] = re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    attributes = Attributes()
    attributes.feed(page)
    assert [name for name, _ in attributes.found if name == "style" or name.startswith("on") or name == "src"] == []
    assert {value[:1] for name, value in attributes.found if name == "href" and value} <= {"#"}


class Attributes(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += attrs


# The wire.


def test_json_is_indented_and_nothing_else_of_it_is_changed() -> None:
    text = '{"a":1e2,"a":[1.0,{}, []],"b\\u0041":{"c":null}}'
    assert [line.text for line in indented(text)] == [
        "{",
        '  "a": 1e2,',
        '  "a": [',
        "    1.0,",
        "    {},",
        "    []",
        "  ],",
        '  "b\\u0041": {',
        '    "c": null',
        "  }",
        "}",
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
def test_the_lines_of_any_json_have_its_value_and_a_place_for_each_value(value: Any) -> None:
    lines = indented(json.dumps(value))
    assert json.loads("\n".join(line.text for line in lines)) == value
    assert lines[0].pointer == ""
    assert all(line.pointer is not None for line in lines)


def test_the_place_of_a_finding_is_marked() -> None:
    text = '{"choices": [{"message": {"x/y": 1, "z": [2, 3]}}], "id": "1"}'
    assert marked(text, "/choices/0/message/x~1y") == ['"x/y": 1,']
    assert marked(text, "/choices/0/message/z") == ['"z": [', "2,", "3", "]"]
    assert marked(text, "/choices/0/message/missing/deep") == ['"message": {']
    assert marked(text, "") == ["{"]


def test_an_event_of_a_stream_is_marked() -> None:
    body = 'event: a\ndata: {"n": 0}\n\n: comment\n\ndata: {"n": 1}\r\n\r\ndata: [DONE]\n\n'
    lines = body_lines(exchange(response=body, kind="text/event-stream"), "response")
    assert [lines[number].text for number in sorted(covered(lines, "event/1/n"))] == ['data: {"n": 1}']
    assert [lines[number].text for number in sorted(covered(lines, "event/0"))] == ["event: a", 'data: {"n": 0}']
    assert covered(lines, "event/9") == set()


def test_an_event_of_a_stream_that_is_an_array_is_marked() -> None:
    lines = body_lines(exchange(response=[{"a": 1}, {"a": 2}]), "response")
    assert [lines[number].text.strip() for number in covered(lines, "event/1/a")] == ['"a": 2']


def test_a_marked_line_far_down_is_near_the_begin_of_what_is_shown() -> None:
    lines = [WireLine(str(number), "") for number in range(500)]
    found = shown(lines, {300})
    assert [line.text for line in found[:5]] == ["0", "1", "2", "⋯ 289 lines left out", "292"]
    assert [line.text for line in found if line.marked] == ["300"]
    assert found[-1].text == "499"
    assert len(found) < 90


def test_a_body_that_is_not_json_is_shown_as_it_is() -> None:
    found = wire_of(exchange(response="<html>\n\x1b[31mno", status=502, kind="text/html"), "response", "")
    assert [line.text for line in found] == ["HTTP 502", "content-type: text/html", "", "<html>", "\\x1b[31mno"]
    assert [line.text for line in found if line.marked] == ["<html>"]


# The conversation.

CALL = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Seoul"}'}}
ASKED = {
    "model": "m",
    "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {}}}],
    "messages": [
        {"role": "user", "content": "How warm is it?"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "21"},
    ],
}
ANSWER = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "21 degrees"}}]}


def test_an_exchange_is_reported_as_a_conversation() -> None:
    turns = conversation_of(exchange(ASKED, ANSWER), "openai-chat", "request", "/messages/1/tool_calls/0/function")
    parts = [(turn["role"], part["title"], part["text"], part["marked"]) for turn in turns for part in turn["parts"]]
    assert parts == [
        ("tools", "declared", "get_weather", False),
        ("user", "", "How warm is it?", False),
        ("assistant", "calls get_weather, id call_1", '{\n  "city": "Seoul"\n}', True),
        ("tool", "result of call_1", "21", False),
        ("assistant", "", "21 degrees", False),
    ]
    assert turns[-1]["stop"] == "stops: stop"


def test_a_refusal_and_an_unknown_dialect_have_a_conversation_as_well_or_none() -> None:
    turns = conversation_of(exchange(ASKED, {"error": {"message": "no"}}, status=400), "openai-chat")
    assert turns[-1]["parts"][0]["title"] == "failed with status 400"
    other = Exchange.of(
        {"request": {"url": "https://x.test/other", "body": {}}, "response": {"status": 200, "body": {}}}
    )
    assert conversation_of(other) == []


def rpc(request: Any, response: Any, kind: str = "application/json") -> Exchange:
    return Exchange.of(
        {
            "request": {"url": "https://tools.example.test/mcp", "body": request},
            "response": {"status": 200, "headers": {"content-type": kind}, "body": response},
        }
    )


def test_messages_of_json_rpc_are_reported_in_their_order() -> None:
    asked = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "get_weather"}}
    stream = "".join(
        f"data: {json.dumps(each)}\n\n"
        for each in (
            {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}},
            {"jsonrpc": "2.0", "id": 7, "result": {"content": []}},
            {"jsonrpc": "2.0", "id": 8, "error": {"code": -32602, "message": "no such tool"}},
        )
    )
    found = rpc([asked], stream, "text/event-stream")
    turns = conversation_of(found, "mcp", "response", "event/1/result/content")
    parts = [(turn["role"], part["title"], part["text"], part["marked"]) for turn in turns for part in turn["parts"]]
    assert parts == [
        ("client", "request 7: tools/call", '{\n  "name": "get_weather"\n}', False),
        ("server", "notification notifications/progress", '{\n  "progress": 1\n}', False),
        ("server", "result of request 7", '{\n  "content": []\n}', True),
        ("server", "error of request 8 -32602: no such tool", "", False),
    ]


@pytest.mark.parametrize("value", [None, 3, [], [3, {}], {"jsonrpc": 1, "method": [], "error": 3}])
def test_broken_messages_of_json_rpc_are_reported_as_far_as_they_go(value: Any) -> None:
    turns = conversation_of(rpc({"jsonrpc": "2.0", "method": "ping"}, value), "mcp", "response", "")
    assert turns[0]["parts"][0]["title"] == "notification ping"
    many = conversation_of(rpc([{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(500)], ""), "mcp")
    assert len(many) < 70


def test_a_long_history_shows_its_begin_and_its_end() -> None:
    asked = {"messages": [{"role": "user", "content": str(number)} for number in range(60)]}
    turns = conversation_of(exchange(asked, ANSWER), "openai-chat")
    assert len(turns) < 15


@pytest.mark.parametrize("value", [None, 3, "text", [], {"messages": 3}, {"messages": [None, {"content": {"a": 1}}]}])
def test_broken_traffic_does_not_break_the_page(value: Any) -> None:
    traffic = exchange(value, value if value is not None else "")
    finding = Finding(
        "made-up-rule", Severity.ERROR, "m", "openai-chat", "a.jsonl:1", side="request", pointer="/messages/0"
    )
    assert "made-up-rule" in reported("html", replace(finding, traffic=traffic))


def test_recorded_text_is_escaped_and_visible_in_both_forms() -> None:
    asked = {"messages": [{"role": "user", "content": NASTY + "<script>alert(1)</script>"}]}
    finding = Finding(
        "made-up-rule", Severity.ERROR, "m", "openai-chat", "a", side="request", pointer="/messages/0/content"
    )
    page = reported("html", replace(finding, traffic=exchange(asked, ANSWER)))
    assert "<summary>Conversation</summary>" in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert CONTROLS.findall(page) == []
    assert "\\x1b[31mred" in unescape(page)
    policy_holds(page)


# The size.


def test_a_page_of_ten_thousand_findings_that_all_differ_is_below_two_megabytes() -> None:
    findings = amount(10_000, 2_500, risk="a part of the page that grows with findings and stays small below 2,500")
    stream = io.StringIO()
    report = open_report("html", stream)
    assert isinstance(report.inner, HtmlReport)
    report.inner.statistics = measured()
    for n, finding in enumerate(faults(findings, causes=26 * 26)):
        source = f"{'long/' * 30}{n}.yaml"
        report.judged(
            source, Case(f"cell-{n}", "local", f"scenario-{n // 4}", "openai-chat", f"driver-{n % 4}", "sync")
        )
        message = f"{chr(97 + n % 26) * 380} {chr(97 + n // 26 % 26) * 9}"
        traffic = exchange(ASKED | {"user": "\u00fc" * 900}, ANSWER)
        report.finding(replace(finding, message=message, source=source, traffic=traffic))
    report.close(summary())
    page = stream.getvalue()
    assert len(page) < 2_000_000
    assert page.count("<summary>Conversation</summary>") >= 30
    shown_causes, left = page.count('<details class="cause'), re.search(r"… and (\d+) more causes", unescape(page))
    assert shown_causes > 300
    assert left is not None
    policy_holds(page)


# The matrix.


def test_a_cell_links_to_its_causes_and_each_link_leads_somewhere() -> None:
    stream = io.StringIO()
    report = open_report("html", stream)
    for number, scenario in enumerate(("weather", "talk", "none")):
        for sample in ("1", "2"):
            source = f"{scenario}-{sample}.yaml"
            report.judged(source, Case(scenario, "local", scenario, "openai-chat", "openai", "sync"))
            for each in range(number):
                report.finding(Finding(f"made-up-{'ab'[each]}", Severity.ERROR, "m", source=source))
    report.close(summary())
    page = stream.getvalue()
    links, places = set(re.findall(r'href="#([^"]+)"', page)), set(re.findall(r'id="([^"]+)"', page))
    assert links - {"top"} == {"cell-1", "cell-2", "cause-1", "cause-2"}
    assert links <= places
    assert 'id="cell-2" data-causes="1 2"' in page
    assert 'title="openai, sync: 4 errors"' in page


# Statistics.


def measured() -> dict[str, Any]:
    def run(*, success: bool) -> Observation:
        checks = {**dict.fromkeys(CHECKS), "wire_conformance": True, "success": success}
        return Observation(checks, hits=int(success), missed=int(not success))

    key = ("weather", "openai-chat", "openai", "sync")
    runs = {"a<b": {key: [run(success=True)] * 10}, "c": {key: [run(success=n < 2) for n in range(10)]}}
    return {
        "samples": 10,
        "targets": [
            {
                "target": target,
                "models": {"openai-chat": "m"},
                **measures(cells[key]),
                "cells": [
                    {
                        "scenario": "weather",
                        "dialect": "openai-chat",
                        "driver": "openai",
                        "stream": False,
                        **measures(cells[key]),
                    }
                ],
            }
            for target, cells in runs.items()
        ],
        "differences": list(differences(runs, measures, wilson)),
        "missed": [{"target": "c", "measure": "success", "least": 0.9, "value": 0.2, "held": 2, "n": 10}],
    }


def with_statistics() -> str:
    stream = io.StringIO()
    report = open_report("html", stream)
    assert isinstance(report.inner, HtmlReport)
    report.inner.statistics = measured()
    report.close(summary())
    return stream.getvalue()


def test_samples_are_bars_with_their_numbers_beside_them() -> None:
    page = with_statistics()
    policy_holds(page)
    assert "100% (72% to 100%) 10/10" in page
    assert "20% (6% to 51%) 2/10" in page
    assert "+80 (+38 to +94)" in page
    assert "higher at a&lt;b" in page
    assert "c: success is 20.0%; --fail-under wants 90%" in page
    for meaning in MEANINGS.values():
        assert meaning in unescape(page)
    bars = [ET.fromstring(each) for each in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    assert len(bars) == 2 * 4 + 4 + 2  # four rates of two targets, four differences, one cell at two targets
    for bar in bars:
        numbers = [
            float(each) for part in bar for each in re.findall(r"[\d.]+", part.get("d", "") + part.get("width", ""))
        ]
        assert all(0 <= each <= 160 for each in numbers)
        assert bar.get("aria-label")


def test_a_command_that_measured_samples_shows_them_in_html_and_in_json() -> None:
    html, document = io.StringIO(), io.StringIO()
    report_verdicts([], Display("html"), html, statistics=measured())
    report_verdicts([], Display("json"), document, statistics=measured())
    assert "<h3>a&lt;b minus c</h3>" in html.getvalue()
    [pair] = json.loads(document.getvalue())["statistics"]["differences"]
    assert pair["measures"]["success"]["value"] == pytest.approx(0.8)


def test_the_terminal_shows_the_differences_of_two_targets() -> None:
    out = io.StringIO()
    print_statistics(measured(), out)
    assert re.search(r"a<b minus c, over 1 cell  +difference", out.getvalue())
    assert re.search(r"success +\+80 \(\+38 to \+94\)", out.getvalue())


def test_a_bar_is_as_long_as_its_rate() -> None:
    success = next(row for row in statistics_of(measured())["rows"] if row["name"] == "success")
    low, high = wilson(2, 10)
    assert success["rates"][1] == {
        "n": 10, "text": "20% (6% to 51%) 2/10", "x": "32.0", "from": f"{160 * low:.1f}", "to": f"{160 * high:.1f}",
    }  # fmt: skip
    [pair] = statistics_of(measured())["pairs"]
    rows = {row["name"]: row for row in pair["rows"]}
    assert rows["success"]["x"] == "144.0"
    assert (rows["wire_conformance"]["x"], rows["wire_conformance"]["result"]) == ("80.0", "no difference shown")
    assert rows["tool_selection"]["text"] == "not measured"


# Two recordings.


def test_two_versions_stand_side_by_side() -> None:
    old, new = (
        indented('{"a": 1, "b": 2, "c": [1, 2, 3, 4, 5, 6, 7, 8, 9]}'),
        indented('{"a": 1, "b": 3, "c": [1, 2, 3, 4, 5, 6, 7, 8, 9], "d": 0}'),
    )
    rows = rows_of(old, new, {"/b": "change"}, {"/b": "change", "/d": "review"})
    found = [(row.old and "".join(row.old), row.new and "".join(row.new), row.grade) for row in rows]
    assert found == [
        ("{", "{", ""),
        ('  "a": 1,', '  "a": 1,', ""),
        ('  "b": 2,', '  "b": 3,', "change"),
        ('  "c": [', '  "c": [', ""),
        ("    1,", "    1,", ""),
        ("    2,", "    2,", ""),
        ("⋯ 5 lines the same", None, ""),
        ("    8,", "    8,", ""),
        ("    9", "    9", ""),
        ("  ]", "  ],", ""),
        (None, '  "d": 0', "review"),
        ("}", "}", ""),
    ]
    assert rows[2].old == ('  "b": ', "2", ",")


def test_what_differs_in_a_long_line_is_shown() -> None:
    [row] = rows_of([WireLine("x" * 900 + "old" + "y" * 900)], [WireLine("x" * 900 + "new" + "y" * 900)], {}, {})
    assert row.old is not None
    assert row.new is not None
    assert (row.old[1], row.new[1], row.grade) == ("old", "new", "noise")
    assert len("".join(row.old)) < 400


def diff(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["diff", *map(str, arguments)])


def folder_of(folder: Path, *cells: str) -> Path:
    for name in cells:
        path = folder / cell(name).relative_path
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SHIPPED / cell(name).relative_path, path)
    return folder


def test_a_comparison_is_a_page_with_each_cell_graded_and_side_by_side(tmp_path: Path) -> None:
    old, new = folder_of(tmp_path / "a", CHAT, STREAM), folder_of(tmp_path / "b", CHAT, STREAM)
    broken(cell(CHAT), new, in_response(1, '"finish_reason": "stop"', '"finish_reason": "length"'))
    out = tmp_path / "diff.html"
    done = diff(old, new, "--format", "html", "--output", out)
    assert (done.exit_code, done.output) == (1, "")
    page = out.read_text("ascii")
    policy_holds(page)
    assert re.findall(r'<a class="error" href="#(cause-\d)" title="raw-http, sync: change">', page) == ["cause-0"]
    assert 'title="raw-http, stream: identical"' in page
    assert 'id="cause-0" data-number="0" data-kind="change" open' in page
    text = unescape(page)
    assert '<td class="is-change">      "finish_reason": "<del>stop</del>"' in text
    assert '<td class="is-change">      "finish_reason": "<ins>length</ins>"' in text
    assert "conversation, old and new" in text
    assert "stops: length" in text


def test_recordings_that_are_the_same_say_so(tmp_path: Path) -> None:
    done = diff(folder_of(tmp_path / "a", CHAT), folder_of(tmp_path / "b", CHAT), "--format", "html")
    assert done.exit_code == 0
    assert "No differences." in done.stdout


def test_a_page_of_a_comparison_shows_no_secret_and_no_control_character(tmp_path: Path) -> None:
    key = "sk-proj-Zq81Lm3Tn5Vb7Xc9Ws2Ed4Rf6Tg8Yh0Uj"  # made up
    new = folder_of(tmp_path / "b", CHAT)
    hostile = json.dumps(f"<img src=x> \x1b[31m\u202e {key}")[1:-1]
    broken(cell(CHAT), new, in_response(0, '"object": "chat.completion"', f'"object": "{hostile}"'))
    page = diff(folder_of(tmp_path / "a", CHAT), new, "--format", "html").stdout
    assert "&lt;img src=x&gt;" in page
    assert "<img" not in page
    assert key not in page
    assert CONTROLS.findall(page) == []
    policy_holds(page)


def test_a_page_of_many_cells_is_below_two_megabytes(tmp_path: Path) -> None:
    shipped = (SHIPPED / cell(STREAM).relative_path).read_text("utf-8")
    changed = shipped.replace('"finish_reason"', '"finish_reasons"').replace('"index"', '"indexes"')
    for number in range(60):
        for folder, text in (("a", shipped), ("b", changed)):
            path = tmp_path / folder / f"{number}" / cell(STREAM).relative_path
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
    page = diff(tmp_path / "a", tmp_path / "b", "--format", "html").stdout
    assert page.count('<details class="cause') == 60
    assert len(page) < 2_000_000
