"""Chat replies and errors, docs/contract/openai-chat.md, OAC-R: what the neutral rules do not cover."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.relations.scan import scan_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Reasoning


@rule(
    "chat-reply-empty",
    scope="reply",
    cites="OAC-R-003",
    severity=Severity.WARNING,
    because="an empty text is a string; found in 3 recorded replies with status 2xx",
)
def reply_empty(view: View) -> Iterator[Hit]:
    """A reply with the finish reason `stop` must have text or calls.

    The model's output is in a field that no client reads, or was lost on the way.
    """
    for turn in view.replies:
        if turn.stop != "end" or any(not isinstance(part, Reasoning) for part in turn.parts):
            continue
        if not scan_of(view).first("response /choices/*/message/audio/data | event /choices/*/delta/audio/data"):
            yield Hit(turn.pointer, "the reply ended without text or calls", "text or tool calls", "neither")


@rule(
    "chat-error-code-mismatch",
    scope="failure",
    cites="OAC-R-043",
)
def error_code_mismatch(view: View) -> Iterator[Hit]:
    """The code of an error of OpenRouter must be the HTTP status.

    Clients retry or give up by one of the two.
    """
    if view.provider != "openrouter":
        return
    error = view.response.get("error") if isinstance(view.response, dict) else None
    code, status = error.get("code") if isinstance(error, dict) else None, view.exchange.response.status
    if type(code) is int and code != status:
        yield Hit("/error/code", "the error's code is not the HTTP status", str(status), str(code))
