"""The form of a request, apart from its content: it has a body and a credential."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "request-body-missing",
    scope="exchange",
    side="request",
    cites="ANY-102",
    needs_complete=True,
)
def request_body_missing(view: View) -> Iterator[Hit]:
    """A POST request must have a body.

    Without one, the server returns 400.
    """
    request = view.exchange.request
    if view.endpoint is None and request.method == "POST" and request.body.empty and request.body.note is None:
        yield Hit(None, "the POST has no body", "a JSON body", "nothing", side="request")


@rule(
    "credential-missing",
    scope="request",
    cites="ANY-116",
    needs_complete=True,
    opt_in=True,
)
def credential_missing(view: View) -> Iterator[Hit]:
    """A request must have a credential in a form that its endpoint reads: a bearer token or the provider's key.

    The server rejects the request, in most dialects with a 401.
    """
    request = view.exchange.request
    own = any(name in request.headers for name in ("x-api-key", "api-key", "x-goog-api-key")) or "key" in request.query
    given = request.headers.get("authorization")
    if own:
        return
    if given is None:
        yield Hit(None, "the request has no credential", "a bearer, or the provider's key", "neither")
    elif not given.lower().startswith(("bearer ", "aws4-")):
        yield Hit(None, "the credential is not a bearer token", "authorization: Bearer ...", "another scheme")
