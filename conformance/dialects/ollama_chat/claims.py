"""Which requests are Ollama's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.model.dialect import Bodies
from conformance.model.exchange import Request
from conformance.model.transcript import Malformed


def claims(request: Request) -> bool:
    """Whether a request is a chat with Ollama: web frameworks have an `/api/chat` of their own, without a model."""
    return request.method == "POST" and request.path.rstrip("/").endswith("/api/chat") and names_model(request)


def names_model(request: Request) -> bool:
    """Whether the body of a request names a model, or is unknown."""
    body = request.body.json
    if request.of_reply:
        return True
    return '"model"' in body.text if isinstance(body, Malformed) else isinstance(body, dict) and "model" in body


_OPTIONS = ("options", "keep_alive", "think")


def _is_request(body: Mapping[str, Any]) -> bool:
    return isinstance(body.get("messages"), list) and not body.keys().isdisjoint(_OPTIONS)


def _is_reply(value: Mapping[str, Any]) -> bool:
    return value.keys() >= {"model", "created_at", "message"} and isinstance(value.get("done"), bool)


BODIES = Bodies("/api/chat", _is_request, _is_reply)
