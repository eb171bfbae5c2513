"""A recording of which a sanitiser left nothing is not judged, and that is no success."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.commands import app

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
