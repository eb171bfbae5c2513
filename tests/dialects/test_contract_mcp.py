"""What MCP's contract asks by revision, by the request that a result answers, and of messages in a batch."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.contract import Situation
from conformance.dialects.mcp.contract import REPLY, REQUEST, asked
from conformance.dialects.mcp.contract.results import OTHER
from conformance.judge.checker import check
from conformance.judge.proofs.example import Edit, Example, drop, insert, put
from conformance.judge.view import View
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects

LINK = {"type": "resource_link", "uri": "file:///a", "name": "a"}
AUDIO = {"type": "audio", "data": "eA==", "mimeType": "audio/wav"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def views(base: str, *edits: Edit) -> list[View]:
    found: list[View] = []
    for exchange in Example(f"mcp/{base}", edits).exchanges():
        found.append(View(exchange, all_dialects()["mcp"], tuple(found)))
    return found


def request(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, **({} if params is None else {"params": params})}


def result(value: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "result": value}


def at(revision: str | None, operation: str | None = None) -> Situation:
    return Situation(api_version=revision, operation=operation)


def of_server(value: Any, revision: str | None, operation: str | None = None) -> list[tuple[str, Severity]]:
    return [(each.pointer, each.severity) for each in REPLY.violations(result(value), at(revision, operation))]


@pytest.mark.parametrize(
    ("block", "since"), [(AUDIO, "2025-03-26"), (LINK, "2025-06-18"), ({"type": "text", "text": ""}, "2024-11-05")]
)
def test_content_blocks_by_revision(block: dict[str, Any], since: str) -> None:
    for revision in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", None):
        reported = of_server({"content": [block]}, revision, "tools/call")
        known = revision is None or revision >= since
        assert reported == ([] if known else [("/result/content/0/type", Severity.WARNING)])


def test_structured_content_is_an_object_up_to_2025_11_25() -> None:
    value = {"content": [], "structuredContent": [14.2], "resultType": "complete"}
    assert of_server(value, "2026-07-28", "tools/call") == []
    assert of_server(value, "2025-11-25", "tools/call") == [("/result/structuredContent", Severity.ERROR)]


def test_a_result_is_held_to_the_request_that_it_answers() -> None:
    assert of_server({"content": []}, "2025-11-25", "tools/list") == [("/result", Severity.ERROR)]
    assert of_server({"content": 7}, "2025-11-25", OTHER) == []
    assert of_server({"content": 7}, "2025-11-25") == [("/result/content", Severity.ERROR)]
    assert of_server({}, "2025-11-25") == []


def test_without_sessions_every_request_and_every_result_says_more() -> None:
    plain, whole = request("tools/list"), request("tools/list", {"_meta": META})
    assert list(REQUEST.violations(plain, at("2025-11-25"))) == []
    assert [each.rule for each in REQUEST.violations(plain, at("2026-07-28"))] == ["mcp-request-meta-incomplete"]
    assert list(REQUEST.violations(whole, at("2026-07-28"))) == []
    [reported] = REPLY.violations(result({"tools": []}), at("2026-07-28", "tools/list"))
    assert (reported.rule, reported.fields) == ("mcp-result-incomplete", ("resultType", "ttlMs", "cacheScope"))


def test_a_question_in_place_of_a_result_asks_something() -> None:
    asking = {"resultType": "input_required", "inputRequests": {"a": {"method": "roots/list"}}}
    assert of_server(asking, "2026-07-28", "tools/call") == []
    assert of_server({"resultType": "input_required"}, "2026-07-28", "tools/call") == [("/result", Severity.ERROR)]


def test_what_only_a_task_may_leave_out() -> None:
    notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}
    assert list(REQUEST.violations(notice, at("2025-11-25"))) == []
    assert [each.fields for each in REQUEST.violations(notice, at("2025-06-18"))] == [("requestId",)]


@pytest.mark.parametrize("place", ["cursor", "_meta"])
def test_null_is_not_the_same_as_absence(place: str) -> None:
    [reported] = REQUEST.violations(request("tools/list", {place: None}), at("2025-11-25"))
    assert (reported.pointer, reported.severity, reported.rule) == (
        f"/params/{place}",
        Severity.ERROR,
        "mcp-params-wrong-type",
    )


def test_methods_and_fields_of_extensions_are_not_reported() -> None:
    assert list(REQUEST.violations({**request("x/search", {"x": 7}), "trace": 7}, at("2025-11-25"))) == []
    assert [each.pointer for each in REQUEST.violations(request("x/search", {"_meta": 7}), at(None))] == [
        "/params/_meta"
    ]
    assert [each.pointer for each in REQUEST.violations(request(""), at(None))] == ["/method"]


def test_a_batch_is_asked_about_message_by_message() -> None:
    batch = [request("ping"), {"jsonrpc": "2.0", "method": "notifications/initialized"}, 7]
    [view] = views("stateless-call", put("/0/request/body", batch))
    assert [(each.pointer, each.value) for each in asked(view) if each.side == "request"] == [
        ("/0", batch[0]),
        ("/1", batch[1]),
        ("/2", 7),
    ]


def test_every_message_of_a_stream_has_its_situation() -> None:
    [*_, view] = views("session-stream")
    found = [(each.pointer, each.situation.api_version, each.situation.operation) for each in asked(view)]
    assert found == [("", "2025-11-25", None), ("event/0", "2025-11-25", None), ("event/1", "2025-11-25", "tools/call")]


def test_a_revision_between_two_is_held_to_the_older() -> None:
    hello = "/0/request/body/params/protocolVersion"
    welcome = "/0/response/events/0/data/result/protocolVersion"
    for named, held in (("2025-08-01", "2025-06-18"), ("2024-10-07", None), ("latest", "2026-07-28")):
        first = next(iter(views("session", put(hello, named), put(welcome, named))))
        versions = {each.situation.api_version for each in asked(first)}
        assert versions == {held} or named == "latest"


def test_the_answer_of_a_client_is_held_to_the_question() -> None:
    operations = [
        each.situation.operation for view in views("session-features")[-3:] for each in asked(view) if each.value
    ]
    assert operations == ["sampling/createMessage", "elicitation/create", "roots/list"]
    [reported] = REQUEST.violations(result({}), at("2025-11-25", "roots/list"))
    assert (reported.rule, reported.fields) == ("mcp-client-result-malformed", ("roots",))


def test_null_annotations_of_a_block_are_reported_with_their_statement() -> None:
    [reported] = REPLY.violations(
        result({"content": [{"type": "text", "text": "x", "annotations": None}]}), at("2025-11-25", "tools/call")
    )
    assert (reported.number, reported.severity, reported.rule) == (
        "MCP-A-031",
        Severity.ERROR,
        "mcp-call-result-malformed",
    )


def test_a_repeated_fault_of_a_stream_is_reported_once() -> None:
    broken = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "loud", "data": 1}}
    event = {"event": "message", "data": broken}
    [view] = views("stateless-stream", insert("/0/response/events/0", event), insert("/0/response/events/0", event))
    reported = [each for one in asked(view) for each in one.contract.violations(one.value, one.situation)]
    assert len(reported) == 2


@pytest.mark.parametrize(("revision", "severity"), [("2024-11-05", Severity.WARNING), ("2025-06-18", Severity.ERROR)])
def test_a_capability_that_was_not_declared_is_a_warning_in_the_oldest_revision(
    revision: str, severity: Severity
) -> None:
    edits = (
        put("/0/request/body/params/protocolVersion", revision),
        put("/0/response/body/result/protocolVersion", revision),
        drop("/0/request/body/params/capabilities/sampling"),
    )
    found = check(Example("mcp/session-features", edits).exchanges())
    assert {each.severity for each in found if each.rule == "mcp-client-capability-unsupported"} == {severity}
