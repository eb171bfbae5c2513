"""Chat replies that were not streamed: wire to neutral."""

from __future__ import annotations

from typing import Any

from conformance.dialects.openai_chat.message import read_parts
from conformance.model.pointer import join
from conformance.model.transcript import Stop, Turn

STOPS: dict[str, Stop] = {
    "stop": "end",
    "length": "length",
    "tool_calls": "tool-calls",
    "function_call": "tool-calls",
    "content_filter": "filter",
}


def read_stop(reason: Any) -> Stop | None:
    """The neutral stop reason; None for null, `other` for a value that the dialect does not have."""
    if reason is None:
        return None
    return STOPS.get(reason, "other") if isinstance(reason, str) else "other"


def read_reply(body: Any) -> tuple[Turn, ...]:
    """One turn for each choice."""
    choices = body.get("choices") if isinstance(body, dict) else None
    return tuple(
        _turn(choice, join("/choices", number))
        for number, choice in enumerate(choices if isinstance(choices, list) else ())
        if isinstance(choice, dict)
    )


def _turn(choice: dict[str, Any], pointer: str) -> Turn:
    message = choice.get("message")
    parts = read_parts(message, join(pointer, "message")) if isinstance(message, dict) else ()
    reason = choice.get("finish_reason")
    return Turn("assistant", tuple(parts), pointer, read_stop(reason), reason, join(pointer, "finish_reason"))
