"""Converse's errors: their name, compared with the HTTP status. docs/contract/bedrock-converse.md, BRC-R-012."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit

STATUSES = {
    "AccessDeniedException": 403,
    "InternalServerException": 500,
    "ModelErrorException": 424,
    "ModelNotReadyException": 429,
    "ModelTimeoutException": 408,
    "ResourceNotFoundException": 404,
    "ServiceUnavailableException": 503,
    "ThrottlingException": 429,
    "ValidationException": 400,
}
"""The status of each error of the service model. Other services in front of it have errors of their own."""


@rule("converse-error-status-mismatch", scope="failure", cites="BRC-R-012")
def error_status_mismatch(view: View) -> Iterator[Hit]:
    """The name of an error must belong to its HTTP status.

    SDKs raise by the name and retry by the status: one of them does the wrong thing.
    """
    name = (view.exchange.response.headers.get("x-amzn-errortype") or "").partition(":")[0]
    status = view.exchange.response.status
    if STATUSES.get(name, status) != status:
        yield Hit(None, f"{name} comes with the HTTP status {status}", str(STATUSES[name]), str(status))
