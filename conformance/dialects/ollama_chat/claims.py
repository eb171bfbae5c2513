"""Which requests are Ollama's."""

from __future__ import annotations

from conformance.model.exchange import Request
from conformance.model.transcript import Malformed


def claims(request: Request) -> bool:
    """Whether a request is a chat with Ollama: web frameworks have an `/api/chat` of their own, without a model."""
    body = request.body.json
    if request.method != "POST" or not request.path.rstrip("/").endswith("/api/chat"):
        return False
    return '"model"' in body.text if isinstance(body, Malformed) else isinstance(body, dict) and "model" in body
