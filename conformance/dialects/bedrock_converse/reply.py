"""Converse replies: wire to neutral."""

from __future__ import annotations

from typing import Any

from conformance.dialects.bedrock_converse.blocks import read_content
from conformance.dialects.wire_readers import stop_of
from conformance.model.transcript import Stop, Turn
from conformance.model.values import get

STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "tool_use": "tool-calls",
    "max_tokens": "length",
    "stop_sequence": "end",
    "guardrail_intervened": "filter",
    "content_filtered": "filter",
    "malformed_model_output": "error",
    "malformed_tool_use": "error",
    "model_context_window_exceeded": "length",
}
"""Every stop reason of the service model."""


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn of a reply."""
    content, at = get(body, "output", "message", "content"), "/output/message"
    if not isinstance(get(body, "output"), dict) and get(body, "stopReason") is None:
        return ()
    parts = tuple(read_content(content, f"{at}/content", of_model=True))
    reason = get(body, "stopReason")
    return (Turn("assistant", parts, at, stop_of(reason, STOPS), reason, "/stopReason"),)
