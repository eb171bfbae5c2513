"""What recordings taught against the numbered statements, each as an exchange that was accepted."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.judge.checker import check
from conformance.judge.proofs.example import Edit, Example, base_names, change, drop, example, insert, put, swap
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.model.registry import all_dialects

BASES = [f"{dialect}/{name}" for dialect in all_dialects() for name in base_names(dialect)]
BODY, ANSWER, EVENTS = "/0/request/body", "/0/response/body", "/0/response/events"
NEXT = "/1/request/body"
AZURE = put("/0/request/url", "https://a.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21")
VERTEX = put(
    "/0/request/url",
    "https://us-central1-aiplatform.googleapis.com/v1beta1/projects/p/locations/us-central1/publishers/google/models/"
    "gemini-3-flash-preview:generateContent",
)
FILTERED = {"choices": [], "created": 0, "id": "", "model": "", "object": "", "prompt_filter_results": []}


def running_code() -> Edit:
    """A chunk with code that the server runs, which says STOP before the words come."""
    [exchange] = example("gemini/stream-answer").exchanges()
    chunk = exchange.response.events[0].json
    part = {"executableCode": {"language": "PYTHON", "code": "print(1)"}}
    candidate = {"content": {"parts": [part], "role": "model"}, "finishReason": "STOP", "index": 0}
    return insert(f"{EVENTS}/0", {"data": {**chunk, "candidates": [candidate]}})


def reference(number: int) -> Edit:
    """The call of an earlier response, referred to instead of repeated."""
    call = Example("openai-responses/run").records()[1]["request"]["body"]["input"][number]
    return put(f"{NEXT}/input/{number}", {"type": "item_reference", "id": call["id"]})


def without_reasoning() -> tuple[Edit, ...]:
    """The second request of a run without the reasoning item, and without the ids of the items that it led to."""
    records = Example("openai-responses/reasoning-run").records()
    items = [item for item in records[1]["request"]["body"]["input"] if item.get("type") != "reasoning"]
    bare = [{key: value for key, value in item.items() if key != "id"} for item in items]
    assert len(bare) < len(records[1]["request"]["body"]["input"])
    assert bare != items
    return (
        put(f"{BODY}/store", False),
        put(f"{ANSWER}/store", False),
        put(f"{NEXT}/store", False),
        put("/1/response/body/store", False),
        put(f"{NEXT}/input", bare),
    )


FINAL = f"{EVENTS}/{len(Example('openai-responses/stream-call').exchanges()[0].response.events) - 1}/data/response"
CALLS, RESULTS = f"{NEXT}/contents/1/parts", f"{NEXT}/contents/2/parts"

ACCEPTED: dict[str, tuple[str, tuple[Edit, ...], Severity | None]] = {
    "GEM-C-003 other names in another order, without ids": (
        "gemini/legacy-run",
        (
            put(f"{ANSWER}/candidates/0/content/parts/1/functionCall/name", "get_time"),
            put(f"{CALLS}/1/functionCall/name", "get_time"),
            put(f"{RESULTS}/1/functionResponse/name", "get_time"),
            swap(f"{RESULTS}/0", f"{RESULTS}/1"),
        ),
        Severity.WARNING,
    ),
    "GEM-S-002 STOP beside executable code, and again at the end": (
        "gemini/stream-answer",
        (
            put(f"{BODY}/tools/0/codeExecution", {}),
            put(f"{BODY}/toolConfig", {"includeServerSideToolInvocations": True}),
            running_code(),
        ),
        None,
    ),
    "GEM-Q-012 a function response without a response": (
        "gemini/answer",
        (drop(f"{BODY}/contents/2/parts/0/functionResponse/response"),),
        Severity.WARNING,
    ),
    "GEM-R-002 a malformed call without content": (
        "gemini/answer",
        (put(f"{ANSWER}/candidates/0", {"finishReason": "MALFORMED_FUNCTION_CALL", "index": 0}),),
        None,
    ),
    "OAR-C-002 calls by reference": ("openai-responses/run", (reference(1), reference(2)), None),
    "OAR-C-004 a call with its id, of a response that did not reason": ("openai-responses/run", (), None),
    "OAC-R-003 a filtered choice without a message": (
        "openai-chat/answer",
        (AZURE, drop(f"{ANSWER}/choices/0/message"), put(f"{ANSWER}/choices/0/finish_reason", "content_filter")),
        None,
    ),
    "OAC-S-003 a first chunk with nothing but the filter's verdict": (
        "openai-chat/stream-answer",
        (AZURE, insert(f"{EVENTS}/0", {"data": FILTERED})),
        None,
    ),
    "OAC-S-013 a stream that was to end with its usage, and does not": (
        "openai-chat/stream-answer",
        (drop(f"{EVENTS}/4"),),
        Severity.WARNING,
    ),
    "ANT-Q-017 ANT-C-011 a history that starts with a call, without tools": (
        "anthropic-messages/answer",
        (drop(f"{BODY}/messages/0"), drop(f"{BODY}/tools")),
        Severity.WARNING,
    ),
    "gemini ids: Gemini 3 on Vertex, a call without an id": (
        "gemini/call",
        (
            VERTEX,
            drop(f"{ANSWER}/candidates/0/content/parts/0/functionCall/id"),
            drop(f"{ANSWER}/candidates/0/content/parts/1/functionCall/id"),
        ),
        None,
    ),
    "GEM-C-007 a signature in base64url": (
        "gemini/run",
        (change(f"{CALLS}/0/thoughtSignature", "/", "_"), change(f"{CALLS}/0/thoughtSignature", "+", "-")),
        None,
    ),
    "GEM-C-004 ids dropped from calls and responses alike": (
        "gemini/run",
        tuple(
            drop(f"{at}/{number}/{kind}/id")
            for at, kind in ((CALLS, "functionCall"), (RESULTS, "functionResponse"))
            for number in (0, 1)
        ),
        Severity.WARNING,
    ),
    "GEM-Q-008 an object without properties": (
        "gemini/answer",
        (put(f"{BODY}/tools/0/functionDeclarations/0/parameters", {"type": "OBJECT", "properties": {}}),),
        Severity.INFO,
    ),
    "OAR-S-011 the endpoint of Codex repeats no output at the end": (
        "openai-responses/stream-call",
        (put("/0/request/url", "https://chatgpt.com/backend-api/codex/responses"), put(f"{FINAL}/output", [])),
        Severity.INFO,
    ),
    "OAR-Q-013 reasoning and item ids both left out": ("openai-responses/reasoning-run", without_reasoning(), None),
    "ANT-R-008 a forced server tool": (
        "anthropic-messages/stream-server-tool",
        (put(f"{BODY}/tool_choice", {"type": "tool", "name": "web_search"}),),
        None,
    ),
}


@pytest.mark.statement(
    "OAC-C-005",
    "OAC-R-003",
    "OAC-S-003",
    "OAC-S-013",
    "OAR-Q-013",
    "OAR-C-002",
    "OAR-C-004",
    "OAR-S-011",
    "ANT-Q-017",
    "ANT-C-011",
    "ANT-R-008",
    "GEM-Q-008",
    "GEM-Q-012",
    "GEM-C-003",
    "GEM-C-004",
    "GEM-C-007",
    "GEM-R-002",
    "GEM-S-002",
)
@pytest.mark.parametrize(("base", "edits", "worst"), ACCEPTED.values(), ids=ACCEPTED)
def test_what_was_accepted_is_no_error(base: str, edits: tuple[Edit, ...], worst: Severity | None) -> None:
    found = check(example(base, *edits).exchanges())
    assert max((finding.severity for finding in found), default=None) == worst, found


@pytest.mark.statement("OAR-S-011")
def test_nobody_else_may_end_a_stream_without_its_output() -> None:
    """OAR-S-011: the correction is of one endpoint."""
    found = check(example("openai-responses/stream-call", put(f"{FINAL}/output", [])).exchanges())
    assert Severity.ERROR in {
        finding.severity for finding in found if finding.rule == "responses-final-output-mismatch"
    }


@pytest.mark.statement("GEM-Q-012")
def test_a_bare_value_is_still_wrong() -> None:
    """GEM-Q-012: what was accepted is a function response without a response."""
    bare = put(f"{BODY}/contents/2/parts/0/functionResponse/response", "14.2")
    found = check(example("gemini/answer", bare).exchanges())
    assert ("gemini-result-wrong-type", Severity.ERROR) in {(finding.rule, finding.severity) for finding in found}


def without_headers(base: str) -> list[Finding]:
    """The findings of a foreign recording that holds no header at all."""
    records: list[dict[str, Any]] = Example(base).records()
    for record in records:
        record["request"].pop("headers", None)
        record["response"].pop("headers", None)
    return check(Exchange.of(record, group="foreign") for record in records)


@pytest.mark.statement("0.3.7")
@pytest.mark.parametrize("base", [base for base in BASES if base.partition("/")[0] != "mcp"])
def test_a_header_that_a_recorder_dropped_is_no_evidence(base: str) -> None:
    assert without_headers(base) == []
