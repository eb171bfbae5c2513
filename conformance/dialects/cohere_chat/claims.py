"""Which requests are Cohere's."""

from __future__ import annotations

from conformance.model.exchange import Request
from conformance.model.transcript import Malformed


def claims(request: Request) -> bool:
    """Whether a request is a chat of version 2; those of version 1 have one `message` and another path."""
    body = request.body.json
    if request.method != "POST" or not request.path.rstrip("/").endswith("/v2/chat"):
        return False
    if isinstance(body, Malformed):
        return '"messages"' in body.text or '"model"' in body.text
    return isinstance(body, dict) and "messages" in body
