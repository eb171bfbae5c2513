"""Which requests start, continue or restart a conversation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from conformance.model.dialect import Bodies
from conformance.model.exchange import Request
from conformance.model.transcript import Malformed

PATH = re.compile(r"/conversations(?:/(?P<id>[^/]+?)(?P<restart>/restart)?)?/?$")
_HOST = "mistral.ai"
_KEYS = ("inputs", "from_entry_id", "tool_confirmations", "completion_args", "handoff_execution")
"""What OpenAI's conversations, at the same path, do not have."""


def at_mistral(request: Request) -> bool:
    """Whether a request is for Mistral's API, by its host: OpenAI's conversations are at the same path."""
    return request.host == _HOST or request.host.endswith(f".{_HOST}")


def claims(request: Request) -> bool:
    """Whether a request runs a conversation, by its path and the keys of its body."""
    if request.method != "POST" or PATH.search(request.path) is None:
        return False
    if request.body.empty:
        return at_mistral(request) or request.of_reply
    body = request.body.json
    if isinstance(body, Malformed):
        return any(f'"{key}"' in body.text for key in _KEYS)
    return isinstance(body, dict) and any(key in body for key in _KEYS)


def continued(path: str) -> str | None:
    """The id of the conversation that a request continues; None for one that starts it."""
    found = PATH.search(path)
    return found and found["id"]


def _is_request(body: Mapping[str, Any]) -> bool:
    return "inputs" in body and ("model" in body or "agent_id" in body)


def _is_reply(value: Mapping[str, Any]) -> bool:
    is_event = str(value.get("type")).startswith("conversation.response.")
    return is_event or value.get("object") == "conversation.response"


BODIES = Bodies("/v1/conversations", _is_request, _is_reply)
