"""Messages failures, docs/contract/anthropic-messages.md and ANT-R-011."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.endpoint import hosting_of
from conformance.dialects.anthropic_messages.shape import misshapen
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.transcript import Malformed

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
    "messages-error-malformed",
    scope="failure",
    basis="documented",
    cites=["ANT-R-011 anthropic 2.11 types/shared/error_response.py", "ANT-R-011 recorded traffic 8/8"],
    conforming=[example(_FAILURE), example(_LIMIT), example(_FAILURE, drop(f"{_BODY}/request_id"))],
    violating=[
        example(_FAILURE, drop(f"{_BODY}/type")),
        example(_FAILURE, put(f"{_BODY}/type", "message")),
        example(_FAILURE, drop(f"{_BODY}/error/type")),
        example(_FAILURE, put(f"{_BODY}/error", "invalid x-api-key")),
        example(_FAILURE, put(_BODY, "Unauthorized")),
    ],
)
def error_malformed(view: View) -> Iterator[Hit]:
    """The body of an error response must have type `error`, and an error with a type and a message.

    SDKs choose the exception by it; the error of another dialect becomes an unknown one. (The clouds' own
    errors are not checked.)
    """
    if hosting_of(view.exchange.request) != "direct" or view.exchange.response.body.note is not None:
        return
    body = view.response
    if not isinstance(body, dict):
        what = brief(body) if isinstance(body, Malformed) and body.text else "no object"
        # A proxy in between answers for a server that is down: its page is not the server's word.
        severity = Severity.WARNING if view.exchange.response.status >= 502 else None
        yield Hit(None, "the body of the error response is not an error object", "an object", what, severity=severity)
        return
    for hit in misshapen(body, {"type": "string", "error": "object", "request_id": "?string|null"}, ""):
        yield Hit(hit.pointer or None, hit.message, hit.expected, hit.actual)
    if isinstance(body.get("type"), str) and body["type"] != "error":
        yield Hit("/type", "the type of the error response is not `error`", "error", brief(body["type"]))
    if isinstance(body.get("error"), dict):
        yield from misshapen(body["error"], {"type": "string+", "message": "string+"}, "/error")


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
