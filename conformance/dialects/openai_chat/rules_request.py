"""Chat requests, docs/contract/openai-chat.md, OAC-Q: the body's fields and its messages."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "chat-credential-missing",
    scope="request",
    needs_complete=True,
    cites="OAC-Q-002",
)
def credential_missing(view: View) -> Iterator[Hit]:
    """A request must have a bearer credential, or Azure's `api-key`.

    Without one, the server answers 401.
    """
    headers = view.exchange.request.headers
    given = headers.get("authorization")
    if "api-key" in headers:
        return
    if given is None:
        yield Hit(None, "the request has no credential", "authorization: Bearer ...", "no such header")
    elif not given.lower().startswith("bearer "):
        yield Hit(None, "the credential is not a bearer token", "authorization: Bearer ...", "another scheme")


@rule(
    "chat-api-version-missing",
    scope="request",
    cites="OAC-Q-044",
)
def api_version_missing(view: View) -> Iterator[Hit]:
    """A request to a deployment on Azure must have the version of the API in its query.

    Without one, the server answers 404. Where it answered with 2xx, the recorder left the query out.
    """
    request, answered = view.exchange.request, view.exchange.response.status
    if view.provider != "azure-openai" or "/deployments/" not in request.path or 200 <= answered < 300:
        return
    if "api-version" not in request.query:
        yield Hit(None, "the query has no `api-version`", "api-version=2024-10-21", "no such parameter")
