"""Chat replies and errors, docs/contract/openai-chat.md, OAC-R: what the neutral rules do not cover."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


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
