"""Headers of requests in recordings of other tools, whose recorders drop some of them."""

from __future__ import annotations

from conformance.judge.view import View


def is_evidence(view: View, name: str) -> bool:
    """Whether a header's value, or its absence, is the client's doing.

    A value that is there is. A missing header is in complete recordings; in others only where the same client sent it
    to the same host before, in a request of the same method.
    """
    request = view.exchange.request
    if view.complete or name in request.headers:
        return True
    agent = request.headers.get("user-agent")
    return any(
        name in before.headers
        and (before.host, before.method, before.headers.get("user-agent")) == (request.host, request.method, agent)
        for before in (earlier.exchange.request for earlier in view.earlier)
    )
