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


def _of_request(body: Mapping[str, Any]) -> str | None:
    return "/v1/completions" if body.keys() >= {"prompt", "model"} else None


def _of_reply(value: Mapping[str, Any]) -> str | None:
    return "/v1/completions" if value.get("object") == "text_completion" else None


BODIES = Bodies(_of_request, _of_reply)
