"""MCP: which requests are its own, what state a run keeps, and what no rule may say."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.contract.statements import own_statements
from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Edit, Example, base_names, drop, example, put
from conformance.judge.rule import all_rules
from conformance.judge.view import View
from conformance.model.exchange import Body, Exchange, Headers, Request
from conformance.model.finding import Finding
from conformance.model.registry import all_dialects, claim, part_of
from conformance.model.rendered import IdFactory
from conformance.model.transcript import ToolCall, ToolResult

MCP = all_dialects()["mcp"]


def judged(exchanges: list[Exchange]) -> list[Finding]:
    checker = Checker()
    findings = [finding for exchange in exchanges for finding in checker.feed(exchange)]
    assert checker.summary.harness_errors == []
    return findings


def fired(base: str, *edits: Edit, complete: bool = True) -> set[str]:
    return {finding.rule for finding in judged(Example(base, edits, complete=complete).exchanges())}


def test_every_requirement_has_a_rule() -> None:
    cited = {cite for rule in all_rules().values() for cite in rule.cites if cite.startswith("MCP-")}
    assert cited == set(own_statements(MCP.package))


def post(body: Any, headers: dict[str, str] | None = None, path: str = "/rpc", method: str = "POST") -> Request:
    return Request(method, f"https://example.com{path}", Headers.of(headers or {}), Body(body))


@pytest.mark.parametrize(
    "request_",
    [
        post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}),
        post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        post([{"jsonrpc": "2.0", "method": "notifications/initialized"}]),
        post({"id": 1, "method": "tools/call"}),
        post("{", {"Mcp-Session-Id": "a"}),
        post({"jsonrpc": "2.0", "id": 1, "method": "tasks/get"}, {"mcp-protocol-version": "2025-11-25"}),
        post({"jsonrpc": "2.0", "id": 1, "result": {}}, {"mcp-session-id": "a"}),
        post(None, {"accept": "text/event-stream"}, "/mcp", "GET"),
        post(None, {"mcp-session-id": "a"}, method="DELETE"),
        post({"id": 1, "method": "x", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}),
    ],
)
def test_mcp_claims_its_own(request_: Request) -> None:
    dialect = claim(request_)
    assert dialect is MCP


@pytest.mark.parametrize(
    "request_",
    [
        post({"jsonrpc": "2.0", "id": 1, "method": "eth_getBalance", "params": []}),
        post({"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": {}}),
        post({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"}),
        post({"jsonrpc": "2.0", "id": 1, "method": "tasks/get"}),
        post({"method": "ping"}),
        post({"method": "initialize", "params": {}}),
        post({"model": "m", "messages": []}),
        post([]),
        post([1]),
        post("tools/call"),
        post(None, {"accept": "text/html"}, "/mcp", "GET"),
        post(None, method="DELETE"),
        post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, method="PUT"),
    ],
)
def test_mcp_claims_nothing_else(request_: Request) -> None:
    assert not MCP.claims(request_)


def test_a_call_and_its_result_are_turns() -> None:
    exchange = Example("mcp/stateless-stream").exchanges()[0]
    view = View(exchange, MCP)
    assert view.history[0].parts == (ToolCall("3", "get_weather", {"latitude": 37.57, "longitude": 126.98}, "/params"),)
    assert view.replies[0].parts == (ToolResult("3", None, {"temperature": 14.2}, False, "event/1/result"),)


def files(corpus: Path) -> list[Path]:
    return [path for path in sorted((corpus / "vcr_raw").rglob("*")) if path.is_file()]


_TRUE = {("mcp-capability-undeclared", '"notifications/message"'), ("mcp-meta-key-malformed", '"_fastmcp"')}


@pytest.mark.parametrize("complete", [False, True])
def test_real_recordings_show_only_the_habits_of_their_server(corpus: Path, *, complete: bool) -> None:
    found: list[Finding] = []
    count = 0
    for path in files(corpus):
        try:
            exchanges = list(read([str(path)]))
        except Exception:  # noqa: BLE001 - the folder holds more than recordings
            continue
        own = [replace(each, complete=complete, group=str(path)) for each in exchanges if MCP.claims(each.request)]
        count += len(own)
        found += judged(own)
    assert count == 17
    assert {(each.rule, each.actual) for each in found} == _TRUE
    with gzip.open(corpus / "mcp.jsonl.gz", "rt") as lines:
        found = judged([Exchange.of(json.loads(line), source="mcp") for line in lines])
        without = ("mcp-handshake-incomplete", "tools/list")  # this file has no exchanges with an empty answer
        assert {(each.rule, each.actual) for each in found} <= {*_TRUE, without}


def test_no_request_of_another_api_is_claimed(corpus: Path) -> None:
    for path in sorted(corpus.glob("*.jsonl.gz")):
        with gzip.open(path, "rt") as lines:
            claimed = [MCP.claims(Exchange.of(json.loads(line)).request) for line in lines]
        assert all(claimed) if path.name.startswith("mcp.") else not any(claimed), path.name


SESSION = Example("mcp/session").records()


def long_session(calls: int) -> list[Exchange]:
    opening, call = SESSION[:4], SESSION[4]
    records = list(opening)
    for number in range(calls):
        text = json.dumps(call).replace('"id": 3', f'"id": {number + 3}')
        records.append(json.loads(text))
    return [Exchange.of(record, source="long", complete=True, group="long") for record in records]


def test_a_long_run_remembers_its_handshake_and_its_tools() -> None:
    exchanges = long_session(150)
    assert judged(exchanges) == []
    last = replace(exchanges[-1].request, body=Body({**exchanges[-1].request.body.json, "id": 3}))
    found = judged([*exchanges, replace(exchanges[-1], request=last)])
    assert "mcp-request-id-reused" in {finding.rule for finding in found}


def test_two_servers_in_one_run_keep_apart() -> None:
    one = Example("mcp/session").exchanges()
    other = [
        replace(each, request=replace(each.request, url="https://other.example.com/mcp")) for each in long_session(1)
    ]
    mixed = [exchange for pair in zip(one, other, strict=False) for exchange in pair]
    assert judged([replace(each, group="mixed") for each in mixed]) == []


def test_two_sessions_with_one_server_keep_apart() -> None:
    one = Example("mcp/session").records()[:5]
    other = json.loads(json.dumps(one).replace("0b1f7a52c9d84e6fa3b0c1d2e3f40516", "another"))
    records = [record for pair in zip(one, other, strict=True) for record in pair]
    assert judged([Exchange.of(record, complete=True, group="two") for record in records]) == []


def test_a_foreign_recording_that_begins_in_the_middle_is_not_blamed_for_its_beginning() -> None:
    records = SESSION[4:]
    assert judged([Exchange.of(record, group="middle") for record in records]) == []


@pytest.mark.parametrize("header", ["mcp-protocol-version", "mcp-session-id", "accept"])
def test_headers_that_a_recorder_dropped_are_no_evidence(header: str) -> None:
    sent = [number for number, each in enumerate(SESSION) if header in each["request"]["headers"]]
    edits = tuple(drop(f"/{number}/request/headers/{header}") for number in sent)
    assert fired("mcp/session", *edits, complete=False) == set()
    assert fired("mcp/session", *edits) != set()


@pytest.mark.parametrize("header", ["mcp-protocol-version", "mcp-session-id", "accept"])
def test_headers_that_the_same_client_sent_before_are_missed(header: str) -> None:
    agents = tuple(put(f"/{number}/request/headers/user-agent", "one/1") for number in range(len(SESSION)))
    gone = drop(f"/4/request/headers/{header}")
    assert fired("mcp/session", *agents, gone, complete=False) != set()
    other = put("/4/request/headers/user-agent", "two/2")
    assert fired("mcp/session", *agents, other, gone, complete=False) == set()


@pytest.mark.parametrize("base", [f"mcp/{name}" for name in base_names("mcp")])
def test_members_that_nobody_knows_are_no_fault(base: str) -> None:
    records = Example(base).records()
    edits = []
    for number, record in enumerate(records):
        if isinstance(record["request"]["body"], dict):
            edits.append(put(f"/{number}/request/body/extra", {"a": [1]}))
        if isinstance(record["response"]["body"], dict) and "result" in record["response"]["body"]:
            edits.append(put(f"/{number}/response/body/result/extra", 1))
    assert fired(base, *edits) == set()


def test_up_to_2025_03_26_a_batch_is_legal() -> None:
    records = json.loads(json.dumps(SESSION[:2]).replace("2025-11-25", "2025-03-26"))
    batch = json.loads(json.dumps(SESSION[2]).replace("2025-11-25", "2025-03-26"))
    batch["request"]["body"] = [batch["request"]["body"], {"jsonrpc": "2.0", "id": 9, "method": "ping"}]
    pages = {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}
    batch["response"]["headers"]["content-type"] = "application/json"
    batch["response"]["body"] = json.dumps(
        [{"jsonrpc": "2.0", "id": 1, "result": pages}, {"jsonrpc": "2.0", "id": 9, "result": {}}]
    )
    exchanges = [Exchange.of(record, complete=True, group="old") for record in [*records, batch]]
    assert judged(exchanges) == []


_BY_SERVER = {"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "weather", "version": "1.0"}}}


def test_a_question_to_the_client_is_no_result_yet() -> None:
    question = {"message": "Where?", "requestedSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}
    requests = {"a": {"method": "elicitation/create", "params": question}}
    asks = {"resultType": "input_required", "inputRequests": requests, **_BY_SERVER}
    able = put("/3/request/body/params/_meta/io.modelcontextprotocol~1clientCapabilities", {"elicitation": {}})
    assert fired("mcp/stateless", able, put("/3/response/body/result", asks)) == set()


def test_a_failed_call_needs_no_structured_content() -> None:
    failed = {"resultType": "complete", "isError": True, "content": [{"type": "text", "text": "no"}], **_BY_SERVER}
    assert fired("mcp/stateless", put("/3/response/body/result", failed)) == set()


def test_an_error_of_an_authorisation_server_is_not_judged_as_a_message() -> None:
    refused = {"status": 401, "headers": {"content-type": "application/json"}, "body": {"error": "invalid_token"}}
    assert fired("mcp/stateless-call", put("/0/response", refused)) == set()


def test_a_list_that_changed_is_not_held_against_a_call() -> None:
    notice = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    able = put("/0/response/events/0/data/result/capabilities/tools/listChanged", True)
    records = Example("mcp/session-stream", (able,)).records()
    again = json.loads(json.dumps(records[4]).replace('"id": 3', '"id": 4').replace("get_weather", "new_tool"))
    again["response"]["body"] = records[4]["response"]["body"].replace('"id": 3', '"id": 4')
    records[4]["response"]["body"] = f"data: {json.dumps(notice)}\n\n" + records[4]["response"]["body"]
    exchanges = [Exchange.of(record, complete=True, group="changed") for record in [*records, again]]
    assert judged(exchanges) == []


CALL, ANSWER = "/4/request/body", "/4/response/body"


@pytest.mark.parametrize(
    "mutant",
    [
        example("mcp/session", drop("/1")),
        example("mcp/session", drop("/2")),
        example("mcp/session", drop("/3")),
        example("mcp/session", drop(f"{ANSWER}/result/content/0")),
        example("mcp/session", put(f"{ANSWER}/result/content/0/text", "{}")),
        example("mcp/session", put(f"{ANSWER}/id", 2)),
        example("mcp/session", put(f"{ANSWER}/id", None)),
        example("mcp/session", put(f"{CALL}/id", "3")),
        example("mcp/session", put(f"{CALL}/params/arguments", '{"latitude":37.57,"longitude":126.98}')),
        example("mcp/session", put(f"{CALL}/params/arguments/latitude", None)),
        example("mcp/session", put(f"{CALL}/params/name", "")),
        example("mcp/session", put(f"{CALL}/params/name", "Get_Weather")),
        example("mcp/session", put(f"{ANSWER}", '{"jsonrpc":"2.0","id":3,"result":{"cont')),
        example("mcp/session", put("/3/request/body/params/cursor", "")),
        example("mcp/session-stream", drop("/4/response/events/1")),
        example("mcp/session-stream", put("/4/response/events/1/data/result", None)),
        example("mcp/stateless", put("/3/request/body/params/name", "clock.now")),
        example("mcp/stateless", put("/0/response/body/result", [])),
        example("mcp/stateless", drop("/1/response/body/result/tools/0/inputSchema/properties")),
        example("mcp/stateless", put("/1/response/body/result/nextCursor", "\u0000")),
    ],
    ids=lambda mutant: f"{mutant.edits[0].action} {mutant.edits[0].pointer} {str(mutant.edits[0].value)[:20]}",
)
def test_a_fault_put_in_is_found(mutant: Example) -> None:
    assert judged(mutant.exchanges()) != []


def test_the_reference_server_answers_an_mcp_client_with_an_error_that_it_can_read() -> None:
    request = Example("mcp/stateless-call").exchanges()[0].request
    rendered = part_of("mcp", "render").failure(404, "no tools here", request, IdFactory(""))
    assert rendered.status == 404
    assert json.loads(rendered.body)["id"] == 3


def test_a_line_has_no_status_that_could_be_wrong() -> None:
    error = {"jsonrpc": "2.0", "id": 3, "error": {"code": -32601, "message": "Unknown method"}}
    sent, *_ = Example("mcp/stateless-call", (put("/0/response/body", error),)).exchanges()
    assert {each.rule for each in judged([sent])} == {"mcp-error-status-wrong"}
    assert judged([replace(sent, lacks=frozenset({"status", "headers"}))]) == []
