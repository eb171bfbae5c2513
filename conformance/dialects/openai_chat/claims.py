"""Paths of Chat: OpenAI's, Azure's, Writer's, and Bedrock's for models whose native API is Chat."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from conformance.model.dialect import Bodies
from conformance.model.exchange import Request
from conformance.model.transcript import Malformed

_AZURE = re.compile(r"/openai/deployments/(?P<model>[^/]+)/")
_BEDROCK = re.compile(r"/model/(?P<model>.+)/invoke(?:-with-response-stream)?$")
_MAKERS = re.compile(r"(?:^|\.)(?:openai|mistral)\.|(?:^|\.)ai21\.jamba")
"""Models on Bedrock whose native API is Chat."""
_OTHERS = re.compile(r"gigachat\.[^/]+/api/v2/")
"""An API that has a path of Chat, but other requests and replies."""


def model_in_path(path: str) -> str | None:
    """The model, if a cloud's path names it instead of the body."""
    match = _AZURE.search(path) or _BEDROCK.search(path)
    return match["model"] if match else None


def claims(request: Request) -> bool:
    """Whether a request is a Chat request, by its path, then by the keys of its body.

    `/v1/chat` is Writer's, and also Cohere's old one, whose bodies have one `message` and no `messages`.
    """
    if request.method != "POST":
        return False
    path = request.path.rstrip("/")
    if path.endswith("/chat/completions"):
        return _OTHERS.search(f"{request.host}{path}") is None
    if path.endswith("/completions"):  # Mistral's agents
        body = request.body.json
        return isinstance(body, dict) and "messages" in body and "prompt" not in body
    bedrock = _BEDROCK.search(path)
    if bedrock is None and not path.endswith("/v1/chat"):
        return False
    return _has_messages(request.body.json) and (bedrock is None or _MAKERS.search(bedrock["model"]) is not None)


def _has_messages(body: Any) -> bool:
    """Whether a body has `messages`; a body that does not parse is searched for the key."""
    if isinstance(body, Malformed):
        return '"messages"' in body.text
    return isinstance(body, dict) and isinstance(body.get("messages"), list)


def asks_for_stream(request: Request) -> bool:
    """Whether the request asks for a stream, in its body or by the verb of Bedrock's path."""
    body = request.body.json
    asked = isinstance(body, dict) and body.get("stream") is True
    return asked or request.path.endswith("/invoke-with-response-stream")


def _is_request(body: Mapping[str, Any]) -> bool:
    return isinstance(body.get("messages"), list)


def _is_reply(value: Mapping[str, Any]) -> bool:
    return value.get("object") in ("chat.completion", "chat.completion.chunk")


BODIES = Bodies("/v1/chat/completions", _is_request, _is_reply, shared=True)
