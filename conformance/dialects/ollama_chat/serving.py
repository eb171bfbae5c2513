"""What the reference server answers on Ollama's paths besides chat: its version and its models."""

from __future__ import annotations

from typing import Any

from conformance.model.document import Document
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered

_MODELS = ("qwen3:8b", "llama3.2:latest")
_JSON = (("content-type", "application/json; charset=utf-8"),)


def other(request: Request, _: Any, _ids: IdFactory) -> Rendered | None:
    """`GET /api/version` and `GET /api/tags`; None for any other request."""
    path = request.path.rstrip("/")
    if request.method != "GET" or not path.endswith(("/api/version", "/api/tags")):
        return None
    listed = [{"name": each, "model": each, "modified_at": "2026-09-21T12:26:40Z", "size": 1} for each in _MODELS]
    return Rendered(200, _JSON, (Document({"version": "0.18.0"} if path.endswith("version") else {"models": listed}),))
