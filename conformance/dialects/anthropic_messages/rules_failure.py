"""Messages failures, docs/contract/anthropic-messages.md and ANT-R-011."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join

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
    scope="failure",
    cites="ANT-R-011",
    severity=Severity.WARNING,
    because="the statement is about the form; clients read one of the two",
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
