"""Which requests are Responses requests."""

from __future__ import annotations

from conformance.model.exchange import Request, is_broken

_KEYS = ("input", "previous_response_id", "conversation", "prompt", "model")


def claims(request: Request) -> bool:
    """Whether a request is a Responses request, by its path, then by the keys of its body."""
    path = request.path.rstrip("/")
    if request.method != "POST" or not path.endswith("/responses"):
        return False
    body = request.body.json
    if is_broken(body):
        return path.endswith("/v1/responses")
    return isinstance(body, dict) and any(key in body for key in _KEYS)
