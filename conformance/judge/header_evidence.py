"""Headers of requests in recordings of other tools, whose recorders drop some of them."""

from __future__ import annotations

from conformance.judge.view import View
from conformance.model.exchange import Headers


def is_evidence(view: View, name: str) -> bool:
    """Whether a header's value, or its absence, is from the client.

    A present value is. The absence of a header is in complete recordings; in others only if the same client sent the
    header to the same host before, in a request of the same method that has all the other headers as well. It never is
    if the source has no headers.
    """
    request = view.exchange.request
    if "headers" in view.exchange.lacks and name not in request.headers:
        return False
    if view.complete or name in request.headers:
        return True
    sender = (request.host, request.method, request.headers.get("user-agent"))
    names = _names(request.headers) | {name}
    return any(
        (before.host, before.method, before.headers.get("user-agent")) == sender and _names(before.headers) == names
        for before in (earlier.exchange.request for earlier in view.earlier)
    )


def _names(headers: Headers) -> set[str]:
    return {name.lower() for name, _ in headers}
