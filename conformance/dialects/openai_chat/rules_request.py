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
