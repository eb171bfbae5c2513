"""Paths of Messages: Anthropic's own, also on gateways, and those of Vertex and Bedrock."""

from __future__ import annotations

import re
from typing import Any, Literal

from conformance.model.exchange import Request

Hosting = Literal["direct", "vertex", "bedrock"]

_VERTEX = re.compile(r"/publishers/[^/]+/models/(?P<model>[^/:]+):(?:streamR|r)awPredict$")
_BEDROCK = re.compile(r"/model/(?P<model>.+)/invoke(?:-with-response-stream)?$")


def hosting_of(request: Request) -> Hosting:
    """The host of the dialect: the two clouds have the model in the path and the version in the body."""
    if _VERTEX.search(request.path):
        return "vertex"
    return "bedrock" if _BEDROCK.search(request.path) else "direct"


def model_in_path(request: Request) -> str | None:
    """The model that a cloud's path names."""
    match = _VERTEX.search(request.path) or _BEDROCK.search(request.path)
    return match["model"] if match else None


def at_anthropic(request: Request) -> bool:
    """Whether a request is for Anthropic's API, by its host or the header that each of its requests has."""
    return request.host == "api.anthropic.com" or "anthropic-version" in request.headers


def claims(request: Request) -> bool:
    """Whether a request is a Messages request, by its path, then by the keys of its body."""
    if request.method != "POST":
        return False
    body = request.body.json
    keys = body if isinstance(body, dict) else {}
    model = model_in_path(request)
    if model is not None:
        known = "anthropic_version" in keys or "anthropic" in request.path or "claude" in model
        return known and "prompt" not in keys and ("messages" in keys or "max_tokens" in keys)
    path = request.path.rstrip("/")
    if not path.endswith("/messages") or "/threads/" in path:
        return False
    return at_anthropic(request) or "messages" in keys or "max_tokens" in keys


def asks_for_stream(request: Request, body: Any) -> bool:
    """Whether the request asks for a stream, in its body or by the verb of a cloud's path."""
    if request.path.endswith((":streamRawPredict", "/invoke-with-response-stream")):
        return True
    return isinstance(body, dict) and body.get("stream") is True
