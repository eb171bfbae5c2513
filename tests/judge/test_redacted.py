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
