"""Mistral's headers and errors, which its Chat and its conversations share; errors have no member `error`."""

from __future__ import annotations

from typing import Any

from conformance.model.document import Document
from conformance.model.rendered import IdFactory, Rendered

HEXADECIMAL = "0123456789abcdef"
_ERRORS: dict[int, tuple[str, str | None]] = {
    400: ("invalid_request_invalid_args", "3051"),
    404: ("invalid_model", "1500"),
    422: ("invalid_request_error", None),
    429: ("rate_limited", "1300"),
}


def headers(kind: str, ids: IdFactory) -> tuple[tuple[str, str], ...]:
    """The header fields of an answer with this content type."""
    return (("content-type", kind), ("mistral-correlation-id", ids.id("", 32, HEXADECIMAL)))


def failure(status: int, message: str, ids: IdFactory) -> Rendered:
    """The provider's error body for a status: `detail` for a missing or wrong key."""
    kind, code = _ERRORS.get(status, ("internal_server_error", "1000"))
    body: dict[str, Any] = {
        "object": "error",
        "message": message,
        "type": kind,
        "param": None,
        "code": code,
        "raw_status_code": status,
    }
    return Rendered(
        status, headers("application/json", ids), (Document({"detail": message} if status == 401 else body),)
    )
