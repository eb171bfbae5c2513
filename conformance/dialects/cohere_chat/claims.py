"""Which requests are Cohere's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.model.dialect import Bodies
from conformance.model.exchange import Request
from conformance.model.transcript import Malformed


def claims(request: Request) -> bool:
    """Whether a request is a chat of version 2; those of version 1 have one `message` and another path."""
    body = request.body.json
    if request.method != "POST" or not request.path.rstrip("/").endswith("/v2/chat"):
        return False
    if request.of_reply:
        return True
    if isinstance(body, Malformed):
        return '"messages"' in body.text or '"model"' in body.text
    return isinstance(body, dict) and "messages" in body


_OPTIONS = ("safety_mode", "citation_options", "strict_tools")
_EVENTS = ("message-start", "tool-plan-delta", "content-start", "content-delta", "tool-call-start", "citation-start")


def _is_request(body: Mapping[str, Any]) -> bool:
    return isinstance(body.get("messages"), list) and not body.keys().isdisjoint(_OPTIONS)


def _is_reply(value: Mapping[str, Any]) -> bool:
    is_own = value.keys() >= {"id", "finish_reason", "message"} and isinstance(value["message"], dict)
    return is_own or value.get("type") in _EVENTS


BODIES = Bodies("/v2/chat", _is_request, _is_reply)
