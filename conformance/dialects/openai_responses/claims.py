"""Which requests are Responses requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.model.dialect import Bodies
from conformance.model.exchange import Request, is_broken

CREATE = "response.create"
"""The type of the frame that asks for a response over a WebSocket."""
STEER = "response.steer"
"""The type of the frame with input for a response that is under way."""
_KEYS = ("input", "previous_response_id", "conversation", "prompt", "model")


def at_openai(request: Request) -> bool:
    """Whether a request is for OpenAI's API, by its host: other providers have endpoints at the same paths."""
    return request.host == "api.openai.com" or request.host.endswith((".api.openai.com", ".openai.azure.com"))


def claims(request: Request) -> bool:
    """Whether a request is a Responses request, by its path, then by the keys of its body."""
    path = request.path.rstrip("/")
    if request.method != ("GET" if request.in_frame else "POST") or not path.endswith("/responses"):
        return False
    body = request.body.json
    if is_broken(body):
        return path.endswith("/v1/responses") and not (request.in_frame and request.body.empty)
    if request.in_frame:
        return isinstance(body, dict) and (body.get("type") == CREATE or ("type" not in body and _asks(body)))
    return isinstance(body, dict) and _asks(body)


def _asks(body: dict[str, Any]) -> bool:
    return any(key in body for key in _KEYS)


def _is_request(body: Mapping[str, Any]) -> bool:
    """Whether it has what a response begins with; a list of texts is what is embedded."""
    given = body.get("input")
    texts = isinstance(given, list) and given != [] and all(isinstance(each, str) for each in given)
    return "model" in body and not texts and ("input" in body or "previous_response_id" in body)


def _is_reply(value: Mapping[str, Any]) -> bool:
    return value.get("object") == "response" or str(value.get("type")).startswith("response.")


BODIES = Bodies("/v1/responses", _is_request, _is_reply)
