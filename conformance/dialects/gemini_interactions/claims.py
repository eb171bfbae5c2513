"""Which requests create an interaction."""

from __future__ import annotations

from conformance.model.exchange import Request, is_broken

_KEYS = ("model", "agent")


def claims(request: Request) -> bool:
    """Whether a request creates an interaction, by its path, then by the keys of its body."""
    path = request.path.rstrip("/")
    if request.method != "POST" or not path.endswith("/interactions"):
        return False
    body = request.body.json
    if is_broken(body):
        return path.endswith(("/v1beta/interactions", "/v1beta1/interactions"))
    return isinstance(body, dict) and any(key in body for key in _KEYS)
