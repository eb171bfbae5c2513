"""Whole Messages requests, docs/contract/anthropic-messages.md, ANT-Q."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.claims import hosting_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_VERSIONS = ("2023-01-01", "2023-06-01", "2026-10-21")


@rule(
    "messages-request-header-missing",
    scope="request",
    needs_complete=True,
    cites="ANT-Q-002",
)
def request_header_missing(view: View) -> Iterator[Hit]:
    """A request must have the API version and a credential in its headers.

    Without the version the server returns 400, without the credential 401.
    """
    request = view.exchange.request
    if hosting_of(request) != "direct":
        return
    version = request.headers.get("anthropic-version")
    if version is None:
        yield Hit(None, "header anthropic-version is missing", "a version", "no such header")
    elif version not in (*_VERSIONS, "REDACTED"):
        known = ", ".join(_VERSIONS)
        yield Hit(None, "header anthropic-version has an unknown version", known, version, severity=Severity.WARNING)
    bearer = (request.headers.get("authorization") or "").strip()
    if not bearer and not request.headers.get("x-api-key") and not request.headers.get("api-key"):
        yield Hit(None, "no credential was sent", "x-api-key, or authorization with a bearer", "neither header")
