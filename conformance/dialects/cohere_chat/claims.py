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


_EVENTS = ("message-start", "tool-plan-delta", "content-start", "content-delta", "tool-call-start", "citation-start")


def _of_request(body: Mapping[str, Any]) -> str | None:
    is_own = isinstance(body.get("messages"), list) and body.keys() & {
        "safety_mode",
        "citation_options",
        "strict_tools",
    }
    return "/v2/chat" if is_own else None


def _of_reply(value: Mapping[str, Any]) -> str | None:
    is_own = value.keys() >= {"id", "finish_reason", "message"} and isinstance(value["message"], dict)
    return "/v2/chat" if is_own or value.get("type") in _EVENTS else None


BODIES = Bodies(_of_request, _of_reply)
