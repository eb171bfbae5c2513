"""Messages failures, docs/contract/anthropic-messages.md and ANT-R-011."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join

_FAILURE, _LIMIT = "anthropic-messages/failure", "anthropic-messages/rate-limit"
_BODY = "/0/response/body"

ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""The error type of each status."""


@rule(
    "messages-error-type-mismatch",
    severity=Severity.WARNING,
    scope="failure",
    basis="documented",
    cites=["ANT-R-011 platform.claude.com/docs/en/api/errors.md"],
    violating=[
        example(_FAILURE, put(f"{_BODY}/error/type", "rate_limit_error")),
        example(_LIMIT, put("/0/response/status", 400), at="0 response /error/type"),
    ],
)
def error_type_mismatch(view: View) -> Iterator[Hit]:
    """The type of an error must match its status.

    Clients that retry by type and clients that retry by status behave differently.
    """
    error = view.response.get("error") if isinstance(view.response, dict) else None
    wire = error.get("type") if isinstance(error, dict) else None
    expected = ERRORS.get(view.exchange.response.status)
    if isinstance(wire, str) and wire and expected is not None and wire != expected:
        yield Hit(
            join("/error", "type"), f"status {view.exchange.response.status} with error type {wire}", expected, wire
        )
