"""`conformance gateway`: a right gateway loses nothing, and each planted fault is found by its name at its place."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from conformance.commands import app
from conformance.gateway.loss import PREFIX
from conformance.gateway.reading import LegExchange, read
from conformance.gateway.replies import reply_differences
from conformance.judge.run_rules import run_rules
from conformance.judge.view import View
from conformance.model.data_files import data_dir
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.registry import all_dialects
from conformance.scenario.load import all_scenarios
from devtools.gateways import translating
from devtools.gateways.starting import gateway
from devtools.places import ROOT
from tests.sampling import sample
from tests.servers import free_port
from tests.walks import steps

CHAT, RESPONSES, MESSAGES, GEMINI = "openai-chat", "openai-responses", "anthropic-messages", "gemini"


@pytest.fixture(scope="module")
def translator() -> Iterator[tuple[str, int]]:
    with gateway("translating") as place:
        yield place


@pytest.fixture(scope="module")
def passing() -> Iterator[tuple[str, int]]:
    with gateway("passing") as place:
        yield place


def report_of(place: tuple[str, int], *words: str) -> dict[str, Any]:
    """The JSON report of a run."""
    url, upstream = place
    command = ["gateway", "--base-url", url, "--upstream-port", str(upstream), "--format", "json", *words]
    result = CliRunner().invoke(app, command)
    assert result.exit_code in (0, 1), result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    return report


def losses(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [loss for row in report["gateway"]["rows"] for run in row["runs"] for loss in run["losses"]]


WHOLE = sample(
    all_scenarios(),
    lambda name: name if name in ("parallel-weather", "provider-errors", "weather") else None,
    risk="a gateway that is accused of a loss in a scenario of another kind",
)
"""Scenarios of a run in which nothing may be lost."""
ALL_OF_THEM = tuple(
    word
    for name in (*WHOLE, *(each.stem for each in sorted((data_dir("specs") / "live").glob("*.yaml"))))
    for word in ("--scenario", name)
)

TRANSLATED = ("--client-dialect", CHAT, "--upstream-dialect", MESSAGES, "--driver", "openai")


@pytest.mark.process
def test_a_right_gateway_loses_nothing(translator: tuple[str, int]) -> None:
    report = report_of(translator, *TRANSLATED, *ALL_OF_THEM, "--model", "right")
    assert (losses(report), report["findings"]) == ([], [])
    rows = report["gateway"]["rows"]
    assert {row["grade"] for row in rows} == {"same"}
    assert len(rows) > sum(all_scenarios()[name].native is None for name in WHOLE)
    assert all(run["requests"] == run["upstream_requests"] > 0 for row in rows for run in row["runs"])
    jsonschema.validate(report, json.loads((data_dir("specs") / "report.schema.json").read_text(encoding="utf-8")))


@pytest.mark.process
@pytest.mark.parametrize(
    ("dialect", "driver"), [(CHAT, "openai"), (RESPONSES, "openai"), (MESSAGES, "anthropic"), (GEMINI, "google-genai")]
)
def test_a_gateway_that_changes_nothing_loses_nothing(passing: tuple[str, int], dialect: str, driver: str) -> None:
    both = ("--client-dialect", dialect, "--upstream-dialect", dialect, "--driver", driver)
    report = report_of(passing, *both, *ALL_OF_THEM)
    assert losses(report) == []
    assert {row["grade"] for row in report["gateway"]["rows"]} == {"same"}
    assert [each for each in report["findings"] if each["severity"] == "error"] == []


PLANTED = [
    ("drops-system", "small-talk", "up", "system-dropped", "/messages/0/content", None),
    ("doubles-call", "weather", "up", "call-repeated", "/messages/1", "/messages/1/content/2"),
    ("merges-arguments", "parallel-weather", "up", "call-dropped", "/messages/1/tool_calls/1", "/messages/1/content"),
    (
        "merges-arguments",
        "parallel-weather",
        "up",
        "arguments-changed",
        "/messages/1/tool_calls/0",
        "/messages/1/content/1",
    ),
    ("swaps-results", "parallel-weather", "up", "result-mismatch", "/messages/2", "/messages/2/content/0"),
    ("reorders-results", "parallel-weather", "up", "result-out-of-order", "/messages/2", "/messages/2/content/0"),
    ("loses-result", "parallel-weather", "up", "result-dropped", "/messages/2", "/messages/2/content"),
    ("marks-error", "weather", "up", "error-flag-unexpected", None, None),
    ("result-as-python", "weather", "up", "result-changed", "/messages/2", "/messages/2/content/0"),
    ("renames-tool", "weather", "up", "tool-name-changed", "/tools/0", "/tools/0"),
    ("drops-description", "weather", "up", "tool-description-dropped", "/tools/0", "/tools/0"),
    ("drops-schema", "weather", "up", "schema-dropped", "/tools/0", "/tools/0"),
    ("drops-enum", "parallel-weather", "up", "schema-constraint-dropped", "/tools/0", "/tools/0"),
    ("drops-definitions", "exact-values", "up", "schema-constraint-dropped", "/tools/0", "/tools/0"),
    ("drops-additional-properties", "weather", "up", "schema-keyword-dropped", "/tools/0", "/tools/0"),
    ("changes-type", "weather", "up", "schema-keyword-changed", "/tools/0", "/tools/0"),
    ("drops-tool", "many-tools", "up", "tool-dropped", "/tools", "/tools"),
    ("drops-choice", "required-choice", "up", "tool-choice-dropped", "/tool_choice", None),
    ("drops-choice", "forced-choice", "up", "tool-choice-dropped", "/tool_choice", None),
    ("same-ids", "parallel-weather", "up", "call-id-duplicate", "/messages/1/tool_calls/0", "/messages/1/content/1"),
    ("loses-history", "geocode-then-weather", "up", "turn-dropped", "/messages", None),
    ("changes-max-tokens", "weather", "up", "setting-changed", "/max_completion_tokens", "/max_tokens"),
    ("sets-temperature", "weather", "up", "setting-unexpected", None, "/temperature"),
    ("changes-text", "weather", "up", "text-changed", "/messages/0/content", "/messages/0/content"),
    ("drops-stop", "settings", "up", "limit-dropped", "/stop", None),
    ("drops-image", "image", "up", "image-dropped", "/messages/0/content/1", "/messages/0/content"),
    ("changes-image-type", "image", "up", "image-type-changed", "/messages/0/content/1", "/messages/0/content/1"),
    ("drops-falsy", "temperature", "up", "setting-dropped", "/temperature", None),
    ("keeps-first-result-part", "in-parts", "up", "result-changed", "/messages/3", "/messages/2/content/0"),
    ("drops-empty-result", "empty-result", "up", "result-dropped", "/messages/2", None),
    ("strips-text", "exact-values", "down", "text-changed", "/content", "/content/0"),
    ("drops-output", "structured-output", "up", "output-schema-dropped", None, None),
    ("drops-output-required", "structured-output", "up", "schema-keyword-changed", None, None),
    ("keeps-first-part", "in-parts", "up", "system-changed", "/messages/0/content", "/system"),
    ("drops-result-parts", "in-parts", "up", "result-changed", "/messages/3", "/messages/2/content/0"),
    ("changes-stop", "filtered", "down", "stop-reason-changed", "/finish_reason", "/stop_reason"),
    ("drops-top-p", "top-p", "up", "setting-dropped", "/top_p", None),
    ("changes-top-p", "top-p", "up", "setting-changed", "/top_p", "/top_p"),
    ("drops-strict", "settings", "up", "strict-dropped", "/tools/0", "/tools/0"),
    ("drops-flag", "settings", "up", "parallel-flag-dropped", None, None),
    ("forgets-cache", "settings", "down", "usage-dropped", None, None),
    ("asks-twice", "weather", "up", "request-repeated", None, None),
    ("answers-alone", "weather", "up", "request-dropped", None, None),
    ("asks-without-stream", "weather", "up", "stream-flag-changed", None, None),
    ("drops-usage", "weather", "down", "usage-dropped", None, None),
    ("changes-usage", "weather", "down", "usage-changed", None, None),
    ("changes-stop", "weather", "down", "stop-reason-changed", "/finish_reason", "/stop_reason"),
    ("loses-call", "parallel-weather", "down", "call-dropped", None, "/content/2"),
    ("collides-ids", "parallel-weather", "down", "call-id-duplicate", "/tool_calls/1", None),
    ("loses-text", "weather", "down", "text-dropped", None, "/content/0"),
    ("doubles-text", "weather", "down", "text-repeated", "/content", "/content/0"),
    ("rounds-numbers", "exact-values", "down", "arguments-changed", "/tool_calls/0", "/content/0"),
    ("rounds-numbers", "nested-arguments", "down", "arguments-changed", "/tool_calls/0", "/content/0"),
    ("reorders-calls", "parallel-weather", "down", "call-out-of-order", None, "/content"),
    ("renames-call", "weather", "down", "tool-name-changed", "/tool_calls/0", "/content/1"),
    ("error-becomes-200", "provider-errors", "down", "error-dropped", None, None),
    ("error-becomes-500", "provider-errors", "down", "error-changed", None, None),
    ("error-without-words", "provider-errors", "down", "error-message-dropped", None, None),
    ("forgets-the-wait", "provider-errors", "down", "retry-after-dropped", None, None),
]


Row = tuple[str, str, str, str, str | None, str | None]
"""The fault, its scenario, the direction and name of its loss, and what its places on both legs contain."""


@pytest.mark.parametrize(
    "planted", PLANTED, ids=[f"{fault}-{scenario}-{name}" for fault, scenario, _, name, *_ in PLANTED]
)
def test_a_planted_fault_is_found_by_its_name_at_its_place(translator: tuple[str, int], planted: Row) -> None:
    fault, scenario, direction, name, client, upstream = planted
    mode = "--stream" if fault == "asks-without-stream" else "--no-stream"
    report = report_of(translator, *TRANSLATED, "--model", fault, "--scenario", scenario, mode)
    found = [loss for loss in losses(report) if (loss["direction"], loss["name"]) == (direction, name)]
    assert found, [(loss["direction"], loss["name"], loss["what"]) for loss in losses(report)]
    for wanted, leg in ((client, "client"), (upstream, "upstream")):
        assert wanted is None or any(wanted in (each[leg]["pointer"] or "") for each in found), found
    [row] = report["gateway"]["rows"]
    assert row["grade"] == ("same" if run_rules()[PREFIX + name].severity == "info" else "lost")
    assert PREFIX + name in {finding["rule"] for finding in report["findings"]}


BETWEEN = [
    (MESSAGES, "drops-error-flag", "tool-error", {("up", "error-flag-dropped")}),
    (MESSAGES, "changes-signature", "reasoning", {("up", "signature-changed")}),
    (MESSAGES, "drops-signature", "reasoning", {("up", "signature-dropped"), ("up", "reasoning-dropped")}),
    (MESSAGES, "drops-reasoning", "reasoning", {("down", "signature-dropped"), ("down", "reasoning-dropped")}),
    (MESSAGES, "drops-search", "search", {("up", "tool-dropped")}),
    (MESSAGES, "drops-searches", "search", {("down", "server-tool-dropped")}),
    (MESSAGES, "drops-found", "search", {("down", "server-tool-dropped")}),
    (MESSAGES, "drops-sources", "search", {("down", "citation-dropped")}),
    (RESPONSES, "drops-search", "search", {("up", "tool-dropped")}),
    (RESPONSES, "drops-searches", "search", {("down", "server-tool-dropped")}),
    (RESPONSES, "drops-sources", "search", {("down", "citation-dropped")}),
    (CHAT, "drops-search", "search", {("up", "tool-dropped")}),
    (CHAT, "drops-sources", "search", {("down", "citation-dropped")}),
]
"""The dialect of both legs, the fault, its scenario, and all that is lost."""
SDKS = {CHAT: "openai", RESPONSES: "openai", MESSAGES: "anthropic", GEMINI: "google-genai"}


@pytest.mark.parametrize(
    ("dialect", "fault", "scenario", "wanted"), BETWEEN, ids=[f"{dialect}-{fault}" for dialect, fault, *_ in BETWEEN]
)
def test_a_fault_between_two_legs_of_one_dialect_is_found(
    passing: tuple[str, int], dialect: str, fault: str, scenario: str, wanted: set[tuple[str, str]]
) -> None:
    words = ("--client-dialect", dialect, "--upstream-dialect", dialect, "--driver", SDKS[dialect], "--no-stream")
    report = report_of(passing, *words, "--scenario", scenario, "--model", fault)
    assert {(loss["direction"], loss["name"]) for loss in losses(report)} == wanted


def test_both_legs_take_the_steps_of_the_walk(passing: tuple[str, int]) -> None:
    walk = {code: name for name, code in steps("Both legs of a gateway")}
    taken: list[str] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in walk:
            taken.append(walk[frame.f_code])

    sys.setprofile(watch)
    try:
        words = ("--client-dialect", CHAT, "--upstream-dialect", CHAT, "--driver", "openai", "--scenario", "weather")
        report_of(passing, *words)
    finally:
        sys.setprofile(None)
    assert list(dict.fromkeys(taken)) == list(walk.values())
    times = Counter(taken)
    assert [times[name] for name in ("capture", "legs_of", "losses_of", "verdicts_of")] == [2] * 4  # once in each mode
    assert times["read"] == 2 * 2 * 2  # two requests, on both legs


ONE_BY_ONE = """
id: one-by-one
summary: Calls one by one, because the client can run only one at a time.
user: Ping twice, one after the other.
options: {parallel_tool_calls: false}
tools:
  - {name: ping, description: Answer pong., returns: [{result: pong}]}
model:
  - calls: [{tool: ping, arguments: {}}]
  - text: Done.
exercise: [tool-call]
expect:
  calls: [{tool: ping, arguments: {}}]
"""


def test_a_lost_flag_against_parallel_calls_is_found(translator: tuple[str, int], tmp_path: Path) -> None:
    (tmp_path / "one-by-one.yaml").write_text(ONE_BY_ONE, encoding="utf-8")
    words = (*TRANSLATED, "--scenarios", str(tmp_path), "--scenario", "one-by-one", "--no-stream", "--model")
    assert losses(report_of(translator, *words, "right")) == []
    assert [loss["name"] for loss in losses(report_of(translator, *words, "drops-choice"))] == ["parallel-flag-dropped"]


def test_a_reference_may_be_replaced_by_what_it_names(translator: tuple[str, int]) -> None:
    words = (*TRANSLATED, "--scenario", "exact-values", "--no-stream", "--model", "inlines-definitions")
    assert losses(report_of(translator, *words)) == []


def test_every_fault_of_the_translator_is_planted() -> None:
    faults = {*translating.UP, *translating.DOWN} - {"inlines-definitions"}
    assert faults <= {fault for fault, *_ in PLANTED}


def test_a_fault_is_reported_once_and_nothing_else_is(translator: tuple[str, int]) -> None:
    report = report_of(translator, *TRANSLATED, "--model", "drops-description", "--scenario", "weather", "--no-stream")
    [loss] = losses(report)
    assert (loss["occurrences"], loss["before"]) == (2, "Get the current weather at the given coordinates.")
    [finding] = [each for each in report["findings"] if each["rule"].startswith(PREFIX)]
    assert finding["source"].endswith("upstream leg")
    assert (finding["exchange"], finding["side"], finding["pointer"]) == (0, "request", "/tools/0")
    assert "on the client leg: exchange 0, request /tools/0" in finding["message"]


def test_a_stream_that_loses_its_last_chunk_differs_from_the_answer_without_streaming(
    translator: tuple[str, int],
) -> None:
    words = (*TRANSLATED, "--model", "stream-loses-last-chunk", "--scenario", "weather")
    report = report_of(translator, *words)
    found = {(loss["direction"], loss["name"]) for loss in losses(report)}
    assert ("down", "stop-reason-changed") in found
    by_mode = {run["mode"]: run["losses"] for run in report["gateway"]["rows"][0]["runs"]}
    assert by_mode["sync"] == []
    assert by_mode["stream"]


def test_a_stream_that_ends_otherwise_than_the_same_answer_at_once(translator: tuple[str, int]) -> None:
    report = report_of(translator, *TRANSLATED, "--model", "stream-stops-otherwise", "--scenario", "forced-choice")
    assert {(loss["direction"], loss["name"]) for loss in losses(report)} == {("down", "stream-mismatch")}


@pytest.mark.parametrize(
    ("fault", "scenario", "grade", "summary"),
    [
        ("error-becomes-done", "provider-errors", "lost", ("down", "error-dropped")),
        ("one-index", "parallel-weather", "lost", ("down", "call-dropped")),
    ],
)
def test_a_stream_that_is_wrong_for_the_client_is_never_the_same(
    translator: tuple[str, int], fault: str, scenario: str, grade: str, summary: tuple[str, str]
) -> None:
    report = report_of(translator, *TRANSLATED, "--model", fault, "--scenario", scenario, "--stream")
    [row] = report["gateway"]["rows"]
    assert row["grade"] == grade
    assert summary in {(loss["direction"], loss["name"]) for loss in losses(report)}


def test_a_row_with_an_error_for_the_client_is_not_the_same(passing: tuple[str, int]) -> None:
    words = ("--client-dialect", CHAT, "--upstream-dialect", CHAT, "--driver", "openai", "--scenario", "weather")
    report = report_of(passing, *words, "--behaviour", "stop-reason-of-an-end")
    [row] = report["gateway"]["rows"]
    assert losses(report) == []
    assert (row["grade"], row["errors"]) == ("error", ["stop-reason-mismatch"])


OF_TWO = ("--client-dialect", RESPONSES, "--upstream-dialect", CHAT, "--driver", "openai")


@pytest.mark.parametrize("fault", ["refuses-reasoning", "fails-at-reasoning"])
def test_what_a_target_has_no_form_for_may_be_refused(passing: tuple[str, int], fault: str) -> None:
    report = report_of(passing, *OF_TWO, "--model", fault, "--scenario", "reasoning", "--scenario", "weather")
    refused, other = report["gateway"]["rows"]
    assert (refused["scenario"], refused["grade"]) == ("reasoning", "not offered")
    assert refused["reason"].startswith("reasoning in openai-chat: ")
    assert (other["scenario"], other["grade"]) == ("weather", "lost")
    assert not any("reasoning" in each["source"] for each in report["findings"])


def test_the_search_of_a_provider_may_be_refused_in_words(passing: tuple[str, int]) -> None:
    of_one = ("--client-dialect", RESPONSES, "--upstream-dialect", RESPONSES, "--driver", "openai")
    words = (*of_one, "--scenario", "search", "--scenario", "weather", "--no-stream", "--model")
    rows = report_of(passing, *words, "refuses-search")["gateway"]["rows"]
    refused, other = sorted(rows, key=lambda row: row["scenario"])
    assert (refused["scenario"], refused["grade"], other["grade"]) == ("search", "not offered", "same")
    assert refused["reason"].startswith("the provider's own search in openai-responses: 400: web search is not")
    rows = report_of(passing, *words, "breaks-at-search")["gateway"]["rows"]
    assert sorted(row["grade"] for row in rows) == ["lost", "same"]


def test_an_answer_that_breaks_off_on_both_legs_is_no_loss(translator: tuple[str, int]) -> None:
    report = report_of(translator, *TRANSLATED, "--scenario", "provider-errors", "--model", "breaks-off")
    assert [each["rule"] for each in report["findings"]] == []


def test_a_failure_that_states_nothing_is_no_refusal(passing: tuple[str, int]) -> None:
    scenarios = ("--scenario", "reasoning", "--scenario", "weather", "--no-stream")
    report = report_of(passing, *OF_TWO, "--model", "breaks-at-reasoning", *scenarios)
    reasoning, _ = report["gateway"]["rows"]
    assert [loss["name"] for run in reasoning["runs"] for loss in run["losses"]] == ["request-dropped"]


@pytest.mark.parametrize("fault", ["refuses", "is-not-able"])
def test_a_pair_that_a_gateway_does_not_support_is_not_offered(passing: tuple[str, int], fault: str) -> None:
    url, upstream = passing
    words = [*OF_TWO, "--model", fault, "--scenario", "weather", "--scenario", "tool-error", "--format", "json"]
    result = CliRunner().invoke(app, ["gateway", "--base-url", url, "--upstream-port", str(upstream), *words])
    assert result.exit_code == 2, "nothing was judged"
    report = json.loads(result.stdout)
    assert {row["grade"] for row in report["gateway"]["rows"]} == {"not offered"}
    assert all("not supported" in row["reason"] for row in report["gateway"]["rows"])
    assert report["findings"] == []


def test_a_path_of_its_own(passing: tuple[str, int]) -> None:
    words = ("--client-dialect", CHAT, "--upstream-dialect", CHAT, "--driver", "openai", "--scenario", "weather")
    report = report_of(passing, *words, "--path", f"{CHAT}=/own/v1/chat/completions")
    assert {row["grade"] for row in report["gateway"]["rows"]} == {"same"}


def test_one_loss_is_one_cause_whatever_the_tools_are_called(translator: tuple[str, int]) -> None:
    report = report_of(
        translator, *TRANSLATED, "--model", "drops-description", "--scenario", "many-tools", "--no-stream"
    )
    assert len(losses(report)) > 1
    assert len([each for each in report["causes"] if each["rule"] == f"{PREFIX}tool-description-dropped"]) == 1


def answered(content: list[dict[str, Any]]) -> LegExchange:
    """A Messages answer with these blocks, as a leg has it."""
    body = {"model": "claude-sonnet-4-6", "max_tokens": 9, "messages": [{"role": "user", "content": "?"}]}
    reply = {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}
    known = Headers([("content-type", "application/json")])
    request = Request("POST", "http://127.0.0.1/v1/messages", known, Body(json.dumps(body).encode()))
    exchange = Exchange(request, Response(200, known, Body(json.dumps(reply).encode())), complete=True)
    return read(View(exchange, all_dialects()[MESSAGES], (), 0, reuses=False))


SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tide"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
CITED = {"type": "web_search_result_location", "url": "https://tide.example/", "title": "Tide", "cited_text": "7.4 m"}
SAID = {"type": "text", "text": "7.4 m", "citations": [CITED]}


@pytest.mark.parametrize(
    ("kept", "wanted"),
    [
        ([SEARCH, FOUND, SAID], []),
        ([FOUND, SAID], ["server-tool-dropped"]),
        ([SEARCH, SAID], ["server-tool-dropped"]),
        ([SEARCH, FOUND, {"type": "text", "text": "7.4 m"}], ["citation-dropped"]),
    ],
)
def test_what_the_providers_own_tools_found_is_compared(kept: list[dict[str, Any]], wanted: list[str]) -> None:
    differences = reply_differences(answered(kept), answered([SEARCH, FOUND, SAID]), "answer 1")
    assert [each.name for each in differences] == wanted


OF_PAGE = {
    "system prompt, texts and images of the user, texts of the model, turns": "system-dropped system-changed "
    "text-changed turn-dropped text-repeated image-dropped",
    "tool definitions": "tool-dropped tool-description-dropped schema-dropped schema-keyword-changed "
    "schema-constraint-dropped tool-name-changed",
    "tool choice, switch against parallel calls, strict tools": "tool-choice-dropped parallel-flag-dropped "
    "strict-dropped",
    "earlier calls": "call-dropped call-repeated tool-name-changed arguments-changed call-id-duplicate",
    "tool results": "result-dropped result-mismatch result-changed error-flag-unexpected",
    "signatures of reasoning and calls": "signature-dropped signature-changed",
    "settings that both dialects have; the schema of the answer; the stream flag": "setting-dropped limit-dropped "
    "setting-changed output-schema-dropped stream-flag-changed",
    "text, reasoning, calls, arguments, order": "text-dropped call-dropped arguments-changed call-out-of-order",
    "the provider's own tools, cited sources": "server-tool-dropped citation-dropped",
    "ids of calls": "call-id-duplicate",
    "stop reason": "stop-reason-changed",
    "token counts": "usage-dropped usage-changed",
    "errors": "error-dropped error-changed error-message-dropped retry-after-dropped",
    "stream against no stream": "stream-mismatch",
}
"""The planted losses of each row of the page's tables."""


def test_every_row_of_what_the_page_compares_has_a_planted_loss() -> None:
    page = (ROOT / "docs" / "gateways.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if line.startswith("| ")]
    assert [row for row in rows if not row.startswith(("compared on", "---"))] == list(OF_PAGE)
    planted = {name for _, _, _, name, *_ in PLANTED}
    planted |= {name for *_, wanted in BETWEEN for _, name in wanted} | {"stream-mismatch"}
    assert all(names and planted.issuperset(names.split()) for names in OF_PAGE.values())


def test_the_table_is_legible_in_80_columns(translator: tuple[str, int]) -> None:
    url, upstream = translator
    words = ["--base-url", url, "--upstream-port", str(upstream), "--model", "swaps-results"]
    scenarios = ["--scenario", "weather", "--scenario", "parallel-weather"]
    result = CliRunner().invoke(app, ["gateway", *words, *TRANSLATED, *scenarios])
    assert result.exit_code == 1
    table = result.stdout[result.stdout.index("client   ") :]
    assert max(map(len, table.splitlines())) <= 80
    assert "  parallel-weather\n      up result-mismatch\n" in table
    assert "  weather\n      the same on both sides\n" in table


def test_a_behaviour_of_the_upstream_reaches_the_client(passing: tuple[str, int]) -> None:
    words = ("--client-dialect", CHAT, "--upstream-dialect", CHAT, "--driver", "openai", "--scenario", "weather")
    report = report_of(passing, *words, "--behaviour", "rate-limited-once")
    assert losses(report) == []
    assert {run["requests"] for row in report["gateway"]["rows"] for run in row["runs"]} == {1}, (
        "the error ends the run"
    )
    assert report["findings"] == [], "what the upstream refused is no fault of the gateway"


def test_a_gateway_that_states_that_its_upstream_broke_off_is_right(passing: tuple[str, int]) -> None:
    words = ("--client-dialect", CHAT, "--upstream-dialect", CHAT, "--driver", "openai", "--scenario", "weather")
    report = report_of(passing, *words, "--no-stream", "--behaviour", "connection-cut-before-the-answer")
    assert losses(report) == []
    assert [each for each in report["findings"] if each["severity"] == "error"] == []


def test_both_legs_are_saved(passing: tuple[str, int], tmp_path: Path) -> None:
    words = ("--client-dialect", CHAT, "--upstream-dialect", CHAT, "--driver", "openai", "--scenario", "weather")
    report_of(passing, *words, "--save", str(tmp_path))
    saved = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.jsonl")}
    assert saved == {
        f"{CHAT}--{CHAT}/weather-{CHAT}-openai-{mode}.{leg}.jsonl"
        for mode in ("sync", "stream")
        for leg in ("client", "upstream")
    }
    checked = CliRunner().invoke(app, ["check", str(tmp_path), "--format", "json"])
    assert checked.exit_code == 0, checked.stdout
    assert json.loads(checked.stdout)["summary"]["exchanges"] == 8


def conformance(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "conformance", "gateway", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT, env=environment)


@pytest.mark.process
def test_a_command_starts_the_gateway_and_is_ended() -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    words = ("--client-dialect", CHAT, "--upstream-dialect", CHAT, "--driver", "openai", "--scenario", "weather")
    done = conformance("--base-url", url, *words, "--", sys.executable, "-m", "devtools.gateways.passing", str(port))
    assert done.returncode == 0, done.stderr
    with socket.socket() as tried:
        assert tried.connect_ex(("127.0.0.1", port)) != 0


def test_a_gateway_that_is_down_is_reported_at_once() -> None:
    url, words = f"http://127.0.0.1:{free_port()}", ("--client-dialect", CHAT, "--upstream-dialect", CHAT)
    command = ["gateway", "--base-url", url, *words, "--upstream-port", str(free_port()), "--quiet"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 2
    assert f"no server answers at {url}" in done.stderr
    assert re.search(r"\d{3} cells not judged", done.stderr)


@pytest.mark.process
def test_a_command_that_ends_at_once_is_reported_with_its_last_words() -> None:
    words = ("--base-url", f"http://127.0.0.1:{free_port()}", "--client-dialect", CHAT, "--upstream-dialect", CHAT)
    done = conformance(*words, "--", sys.executable, "-c", "raise RuntimeError('no configuration')")
    assert done.returncode == 2
    assert "ended with exit code 1 before it listened" in done.stderr
    assert "RuntimeError: no configuration" in done.stderr
    assert "Traceback" not in done.stderr


BASE = ("--base-url", "http://127.0.0.1:1", "--client-dialect", CHAT, "--upstream-dialect", MESSAGES)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Missing option"),
        (("--base-url", "http://127.0.0.1:1", "--client-dialect", CHAT), "Missing option '--upstream-dialect'"),
        (BASE, "pass --upstream-port"),
        ((*BASE[:2], "--client-dialect", "openai-chatt", *BASE[4:]), "did you mean 'openai-chat'?"),
        ((*BASE[:4], "--upstream-dialect", "mcp"), "unknown upstream dialect 'mcp'"),
        ((*BASE, "--upstream-port", "1x"), "'1x' is not a valid integer"),
        ((*BASE, "--upstream-port", "18999", "--model", "gemini=x"), "no such pair is run"),
        ((*BASE, "--upstream-port", "18999", "--model", f"{MESSAGES}="), "has no value"),
        ((*BASE, "--upstream-port", "18999", "--header", "x"), "--header is not of the form 'Name: value'"),
        ((*BASE, "--upstream-port", "18999", "--scenario", "wether"), "did you mean 'weather'?"),
        ((*BASE, "--upstream-port", "18999", "--driver", "opnai"), "did you mean 'openai'?"),
        ((*BASE, "--upstream-port", "18999", "--behaviour", "rate-limited-onc"), "rate-limited-once"),
        (("--base-url", "127.0.0.1:1", *BASE[2:], "--upstream-port", "18999"), "is not an http or https URL"),
        ((*BASE, "--upstream-port", "18999", "--api-key-env", "NO_SUCH_KEY"), "NO_SUCH_KEY is not set"),
        ((*BASE, "--upstream-port", "18999", "--timeout", "0"), "0"),
        pytest.param(
            (*BASE, "--", "no-such-program"),
            "no-such-program: cannot start the gateway",
            marks=pytest.mark.process,
        ),
    ],
)
def test_wrong_options_are_refused_in_one_line(words: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(app, ["gateway", *words])
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
