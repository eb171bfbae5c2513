"""Gemini's errors: their code and status name compared with the HTTP status. docs/contract/gemini.md, GEM-R-011."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.chunks import is_error
from conformance.dialects.gemini.wire import whole
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_WORDS = {
    400: ("INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE"),
    401: ("UNAUTHENTICATED",),
    403: ("PERMISSION_DENIED",),
    404: ("NOT_FOUND",),
    409: ("ABORTED", "ALREADY_EXISTS"),
    429: ("RESOURCE_EXHAUSTED",),
    499: ("CANCELLED",),
    500: ("INTERNAL", "UNKNOWN", "DATA_LOSS"),
    501: ("UNIMPLEMENTED",),
    503: ("UNAVAILABLE",),
    504: ("DEADLINE_EXCEEDED",),
}


@rule(
    "gemini-error-malformed",
    scope="failure",
    cites="GEM-R-011",
)
def error_malformed(view: View) -> Iterator[Hit]:
    """The body of an error response must be `{"error": {code, message, status}}`, with the HTTP status as code.

    Clients tell a bad key (400 with a reason), a quota (429) and an overload (503) apart by these fields.
    """
    body: Any = view.response
    base = ""
    if isinstance(body, list) and is_error(body):
        body, base = body[0], "/0"
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return
    status, where = view.exchange.response.status, join(base, "error")
    code, word = whole(error.get("code")), error.get("status")
    if code is not None and code != status:
        yield Hit(join(where, "code"), "the error's code is not the HTTP status", str(status), brief(code))
    if isinstance(word, str) and word and word not in _WORDS.get(status, (word,)):
        message = f"the error's status does not match HTTP status {status}"
        yield Hit(join(where, "status"), message, _WORDS[status][0], word, Severity.WARNING)
