"""Requests of a batch, and their results, are judged as if each had been sent alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding

_TOOL = {"name": "forecast", "description": "The weather.", "input_schema": {"type": "object", "properties": {}}}
_FUNCTION = {"type": "function", "name": "forecast", "parameters": {"type": "object", "properties": {}}}
_DECLARED = {"name": "forecast", "description": "The weather."}
Traffic = list[Exchange]


def _exchange(url: str, sent: Any, answer: Any, method: str = "POST", *, kind: str = "application/json") -> Exchange:
    request = {"method": method, "url": url, "headers": {"content-type": kind}, "body": sent}
    lined = "application/x-jsonl" if isinstance(answer, str) else "application/json"
    response = {"status": 200, "headers": {"content-type": lined}, "body": answer}
    return Exchange.of({"conversation": "1", "request": request, "response": response}, source="log.jsonl:1")


def _of_anthropic(params: Any, message: Any) -> Traffic:
    url = "https://api.anthropic.com/v1/messages/batches"
    batch = {
        "id": "msgbatch_1",
        "type": "message_batch",
        "processing_status": "in_progress",
        "request_counts": {"processing": 1, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0},
        "created_at": "2026-09-21T12:00:00Z",
        "expires_at": "2026-09-22T12:00:00Z",
        **dict.fromkeys(("ended_at", "archived_at", "cancel_initiated_at", "results_url")),
    }
    result = json.dumps({"custom_id": "a", "result": {"type": "succeeded", "message": message}})
    return [
        _exchange(url, {"requests": [{"custom_id": "a", "params": params}]}, batch),
        _exchange(f"{url}/msgbatch_1/results", "", f"{result}\n", "GET"),
    ]


def _of_gemini(request: Any, response: Any) -> Traffic:
    root = "https://generativelanguage.googleapis.com/v1beta"
    sent = {"batch": {"inputConfig": {"requests": {"requests": [{"request": request}]}}}}
    done = {"name": "batches/b1", "done": True, "response": {"inlinedResponses": {"inlinedResponses": [response]}}}
    return [
        _exchange(f"{root}/models/gemini-2.5-flash:batchGenerateContent", sent, {"name": "batches/b1"}),
        _exchange(f"{root}/batches/b1", "", done, "GET"),
    ]


def _of_openai(url: str, body: Any, reply: Any) -> Traffic:
    root = "https://api.openai.com/v1"
    line = json.dumps({"custom_id": "a", "method": "POST", "url": url, "body": body})
    parts: tuple[str, ...] = ("--b", 'Content-Disposition: form-data; name="purpose"', "", "batch", "--b")
    parts = (*parts, 'Content-Disposition: form-data; name="file"; filename="in.jsonl"', "", line, "--b--", "")
    file = {"id": "file-in", "object": "file", "bytes": 1, "created_at": 1, "filename": "in.jsonl", "purpose": "batch"}
    batch = {
        "id": "batch_1",
        "object": "batch",
        "endpoint": url,
        "input_file_id": "file-in",
        "completion_window": "24h",
        "status": "completed",
        "created_at": 1,
        "completed_at": 2,
        "output_file_id": "file-out",
        "request_counts": {"total": 1, "completed": 1, "failed": 0},
    }
    result = {"id": "r", "custom_id": "a", "response": {"status_code": 200, "body": reply}, "error": None}
    return [
        _exchange(
            f"{root}/files", "\r\n".join(parts), {**file, "status": "processed"}, kind="multipart/form-data; boundary=b"
        ),
        _exchange(f"{root}/batches/batch_1", "", batch, "GET"),
        _exchange(f"{root}/files/file-out/content", "", f"{json.dumps(result)}\n", "GET"),
    ]


def _message(**more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 300, "output_tokens": 30}
    message = {"id": "msg_01AbCdEfGhIjKlMnOpQrStUv", "type": "message", "role": "assistant", "usage": usage}
    call = {"type": "tool_use", "id": "toolu_01AbCdEfGhIjKlMnOpQrStUv", "name": "forecast", "input": {}}
    return (
        message
        | {"model": "claude-sonnet-4-5", "content": [call], "stop_reason": "tool_use", "stop_sequence": None}
        | more
    )


def _params(**more: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": "Will it rain?"}]
    return {"model": "claude-sonnet-4-5", "max_tokens": 200, "messages": messages, "tools": [_TOOL]} | more


def _content(**more: Any) -> dict[str, Any]:
    tools = [{"functionDeclarations": [_DECLARED]}]
    return {"contents": [{"role": "user", "parts": [{"text": "Will it rain?"}]}], "tools": tools} | more


def _candidate(name: str) -> dict[str, Any]:
    part = {"functionCall": {"name": name, "args": {}}, "thoughtSignature": "c2lnbmF0dXJl"}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 30, "candidatesTokenCount": 10, "totalTokenCount": 40}
    return {"response": {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-2.5-flash"}}


def _completion(name: str) -> dict[str, Any]:
    call = {"id": "call_AbCdEfGhIjKlMnOpQrStUvWx", "type": "function", "function": {"name": name, "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call], "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "tool_calls"}
    usage = {"prompt_tokens": 40, "completion_tokens": 10, "total_tokens": 50}
    head = {"id": "chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012", "object": "chat.completion", "created": 1790000000}
    return head | {"model": "gpt-4o-mini", "choices": [choice], "usage": usage}


def _chat(**more: Any) -> dict[str, Any]:
    tool = {"type": "function", "function": {key: each for key, each in _FUNCTION.items() if key != "type"}}
    return {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Rain?"}], "tools": [tool]} | more


def _found(traffic: Sequence[Exchange], *rules: str) -> list[tuple[Any, ...]]:
    checker = Checker()
    found: list[Finding] = [finding for each in traffic for finding in checker.feed(each)]
    assert checker.summary.exchanges == len(traffic)
    assert not checker.summary.harness_errors
    return [(each.rule, each.exchange, each.side, each.pointer) for each in found if each.rule in rules]


_UNDECLARED = [
    (_of_anthropic(_params(), _message()), None),
    (
        _of_anthropic(_params(tools=[{**_TOOL, "name": "tides"}]), _message()),
        ("tool-call-undeclared", 1, "response", "event/0/result/message/content/0"),
    ),
    (_of_gemini(_content(), _candidate("forecast")), None),
    (
        _of_gemini(_content(), _candidate("tides")),
        (
            *("tool-call-undeclared", 1, "response"),
            "/response/inlinedResponses/inlinedResponses/0/response/candidates/0/content/parts/0/functionCall",
        ),
    ),
    (_of_openai("/v1/chat/completions", _chat(), _completion("forecast")), None),
    (
        _of_openai("/v1/chat/completions", _chat(), _completion("tides")),
        ("tool-call-undeclared", 2, "response", "/lines/0/response/body/choices/0/message/tool_calls/0"),
    ),
]


@pytest.mark.parametrize(("traffic", "wanted"), _UNDECLARED)
def test_a_result_of_a_batch_is_judged_with_its_request(traffic: Traffic, wanted: tuple[Any, ...] | None) -> None:
    assert _found(traffic, "tool-call-undeclared") == ([] if wanted is None else [wanted])


def test_a_request_of_a_batch_is_judged_where_the_batch_is_created() -> None:
    orphan = {"type": "tool_result", "tool_use_id": "toolu_01ZbCdEfGhIjKlMnOpQrStUv", "content": "rain"}
    messages = [{"role": "user", "content": [orphan]}]
    [created, _] = _of_anthropic(_params(messages=messages), _message())
    wanted = ("tool-result-orphaned", 0, "request", "/requests/0/params/messages/0/content/0")
    assert _found([created], "tool-result-orphaned") == [wanted]


def test_a_result_without_its_request_is_judged_alone() -> None:
    [_, results] = _of_anthropic(_params(), _message(content=2 * _message()["content"]))
    [found] = _found([results], "tool-call-id-duplicate")
    assert found[1:] == (0, "response", "event/0/result/message/content/1")


def test_what_the_contract_of_the_endpoint_reports_is_not_reported_again() -> None:
    traffic = _of_anthropic(_params(max_tokens="many"), _message())
    found = _found(traffic, "messages-request-field-wrong-type")
    assert found == [("messages-request-field-wrong-type", 0, "request", "/requests/0/params/max_tokens")]
