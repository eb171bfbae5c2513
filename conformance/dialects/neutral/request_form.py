"""The form of a request, apart from its content: it has a body."""

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
