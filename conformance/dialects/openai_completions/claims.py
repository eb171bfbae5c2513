"""Which requests are raw prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.model.dialect import Bodies
from conformance.model.exchange import Request

_OTHERS = ("/chat/completions", "/fim/completions")
"""Endpoints with the same end of the path but other bodies: chat, and Mistral's fill-in-the-middle."""


def claims(request: Request) -> bool:
    """Whether a request is a raw prompt; a body with `messages` instead of `prompt` is a chat, whatever the path."""
    path, body = request.path.rstrip("/"), request.body.json
    chat = isinstance(body, dict) and "messages" in body and "prompt" not in body
    return request.method == "POST" and path.endswith("/completions") and not path.endswith(_OTHERS) and not chat


def _is_request(body: Mapping[str, Any]) -> bool:
    return body.keys() >= {"prompt", "model"}


def _is_reply(value: Mapping[str, Any]) -> bool:
    return value.get("object") == "text_completion"


BODIES = Bodies("/v1/completions", _is_request, _is_reply)
