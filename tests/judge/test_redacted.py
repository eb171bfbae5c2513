"""A recording of which a sanitiser left nothing is not judged, and that is no success."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conformance import check
from conformance.commands import app
from conformance.judge.placeholders import is_placeholder
from conformance.model.exchange import Exchange

ASKED: dict[str, Any] = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Hi."}]}
HIDDEN = {"model": "gpt-4o", "messages": "[REDACTED]", "tools": "[REDACTED]"}
ANSWER = {"id": "[REDACTED]", "object": "chat.completion", "created": 1, "model": "gpt-4o", "choices": "***"}


@pytest.mark.parametrize(
    ("request_body", "response_body", "judged"),
    [("[REDACTED]", "[REDACTED]", False), (HIDDEN, ANSWER, False), (ASKED, "[REDACTED]", True), (HIDDEN, {}, True)],
    ids=["both bodies", "their members", "only the answer", "only the request"],
)
def test_only_what_is_wholly_redacted_is_left_out(
    request_body: Any, response_body: Any, *, judged: bool, tmp_path: Path
) -> None:
    headers = {"content-type": "application/json"}
    url = "https://api.openai.com/v1/chat/completions"
    exchange = {
        "request": {"method": "POST", "url": url, "headers": headers, "body": request_body},
        "response": {"status": 200, "headers": headers, "body": response_body},
    }
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(exchange) + "\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(path)])
    assert ("its content is redacted" not in done.output) is judged
    assert (done.exit_code != 2) is judged


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("<GOOGLE_THOUGHT_SIGNATURE>", True),
        ("<huge prompt body redacted>", True),
        ("call_REDACTED_1", True),
        ("***", True),
        ("<div>", False),
        ("<b>", False),
        ("it was redacted by the press", False),
        ("CAISxgE=", False),
    ],
)
def test_a_placeholder_is_a_value_that_only_names_what_it_stands_for(value: str, wanted: bool) -> None:  # noqa: FBT001
    assert is_placeholder(value) is wanted


def test_a_body_that_is_a_placeholder_has_no_fault() -> None:
    asked = {"method": "POST", "url": "https://api.openai.com/v1/chat/completions", "headers": {}}
    answer = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4o", "choices": []}
    record = {
        "request": {**asked, "body": "<huge prompt body redacted>"},
        "response": {"status": 200, "headers": {}, "body": answer},
    }
    found = check([Exchange.of(record, source="a", complete=False)])
    assert not [each for each in found if each.side == "request"]


def _rules(
    answer: dict[str, Any], *, asked: dict[str, Any] = ASKED, url: str = "openai.com/v1/chat/completions"
) -> set[str]:
    record = {
        "request": {"method": "POST", "url": f"https://api.{url}", "headers": {}, "body": asked},
        "response": {"status": 200, "headers": {}, "body": answer},
    }
    return {each.rule for each in check([Exchange.of(record, source="a", complete=False)])}


@pytest.mark.parametrize(("id_", "judged"), [("chatcmpl-REDACTED_1", False), ("chatcmpl-1", True)])
def test_a_time_of_zero_is_a_placeholder_beside_placeholders(id_: str, *, judged: bool) -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi.", "refusal": None}, "finish_reason": "stop"}
    answer = {"id": id_, "object": "chat.completion", "created": 0, "model": "gpt-4o", "choices": [choice]}
    assert ("chat-reply-value-out-of-range" in _rules(answer)) is judged


@pytest.mark.parametrize(
    ("call", "result", "found"),
    [
        ("srvtoolu_01", "toolu_REDACTED_1", set()),
        ("toolu_REDACTED_2", "toolu_REDACTED_1", {"server-result-orphaned", "server-call-result-missing"}),
        ("srvtoolu_01", "srvtoolu_02", {"server-result-orphaned", "server-call-result-missing"}),
    ],
    ids=["one replaced", "both replaced", "both kept"],
)
def test_a_placeholder_is_not_compared_with_an_id_that_the_sanitiser_kept(
    call: str, result: str, found: set[str]
) -> None:
    content = [
        {"type": "server_tool_use", "id": call, "name": "web_search", "input": {"query": "sky"}},
        {"type": "web_search_tool_result", "tool_use_id": result, "content": []},
        {"type": "text", "text": "It is blue."},
    ]
    answer = {
        "id": "msg_REDACTED_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-6",
        "content": content,
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 9},
    }
    tool = {"type": "web_search_20250305", "name": "web_search"}
    asked = {**ASKED, "model": "claude-sonnet-4-6", "max_tokens": 99, "tools": [tool]}
    about = {"server-result-orphaned", "server-call-result-missing"}
    assert _rules(answer, asked=asked, url="anthropic.com/v1/messages") & about == found


@pytest.mark.parametrize(("first", "second", "found"), [("req_REDACTED_1", "b2", False), ("req_1", "b2", True)])
def test_a_change_from_a_placeholder_is_not_known(first: str, second: str, *, found: bool) -> None:
    chunks = [
        {"id": id_, "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o", "choices": [choice]}
        for id_, choice in (
            (first, {"index": 0, "delta": {"role": "assistant", "content": "Hi."}, "finish_reason": None}),
            (second, {"index": 0, "delta": {}, "finish_reason": "stop"}),
        )
    ]
    events = [*(json.dumps(each) for each in chunks), "[DONE]"]
    record = {
        "request": {
            "method": "POST",
            "url": "https://api.openai.com/v1/chat/completions",
            "headers": {},
            "body": {**ASKED, "stream": True},
        },
        "response": {
            "status": 200,
            "headers": {"content-type": "text/event-stream"},
            "body": "".join(f"data: {each}\n\n" for each in events),
        },
    }
    rules = {each.rule for each in check([Exchange.of(record, source="a", complete=False)])}
    assert ("chat-chunk-identity-changed" in rules) is found
