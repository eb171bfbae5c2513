"""Messages replies that were not streamed: wire to neutral."""

from __future__ import annotations

from typing import Any

from conformance.dialects.anthropic_messages.block import after_fallback, read_content
from conformance.dialects.wire_readers import stop_of
from conformance.model.transcript import Stop, Turn

STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool-calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "pause",
    "refusal": "filter",
}
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""The error type of each status."""


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn; empty if the body is not a message."""
    if not isinstance(body, dict) or not ("content" in body or "stop_reason" in body):
        return ()
    parts = after_fallback(read_content(body.get("content"), "/content"))
    reason = body.get("stop_reason")
    return (Turn("assistant", parts, "/content", stop_of(reason, STOPS), reason, "/stop_reason"),)
