"""Chat replies that were not streamed: wire to neutral."""

from __future__ import annotations

from typing import Any

from conformance.dialects.openai_chat.message import read_parts
from conformance.dialects.wire_readers import stop_of
from conformance.model.pointer import join
from conformance.model.transcript import Stop, Turn
from conformance.model.values import objects_in

STOPS: dict[str, Stop] = {
    "stop": "end",
    "length": "length",
    "tool_calls": "tool-calls",
    "function_call": "tool-calls",
    "content_filter": "filter",
}


def read_reply(body: Any) -> tuple[Turn, ...]:
    """One turn for each choice."""
    return tuple(_turn(choice, pointer) for choice, pointer in objects_in(body, "choices"))


def _turn(choice: dict[str, Any], pointer: str) -> Turn:
    message = choice.get("message")
    parts = read_parts(message, join(pointer, "message")) if isinstance(message, dict) else ()
    reason = choice.get("finish_reason")
    return Turn("assistant", tuple(parts), pointer, stop_of(reason, STOPS), reason, join(pointer, "finish_reason"))
