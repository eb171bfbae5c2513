"""Gemini replies that were not streamed: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.dialects.gemini.content import read_parts, served
from conformance.dialects.gemini.wire import at, candidates, get
from conformance.model.pointer import MISSING
from conformance.model.transcript import Part, Stop, ToolCall, Turn

STOPS: dict[str, Stop] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "SAFETY": "filter",
    "RECITATION": "filter",
    "LANGUAGE": "other",
    "OTHER": "other",
    "BLOCKLIST": "filter",
    "PROHIBITED_CONTENT": "filter",
    "SPII": "filter",
    "MALFORMED_FUNCTION_CALL": "error",
    "UNEXPECTED_TOOL_CALL": "error",
    "TOO_MANY_TOOL_CALLS": "error",
    "MALFORMED_RESPONSE": "error",
    "MISSING_THOUGHT_SIGNATURE": "error",
    "IMAGE_SAFETY": "filter",
    "IMAGE_PROHIBITED_CONTENT": "filter",
    "IMAGE_RECITATION": "filter",
    "IMAGE_OTHER": "other",
    "NO_IMAGE": "other",
    "ESCALATION": "other",
    "PUP_LIMITED_DISABLED": "other",
    "CONTINUATION": "pause",
    "MODEL_ARMOR": "filter",
    "FINISH_REASON_UNSPECIFIED": "other",
    "JAILBREAK": "filter",
    "BLOCKED_REASON_UNSPECIFIED": "filter",
}
"""Every finish reason and block reason that the SDK knows."""
NUMBERS = ("FINISH_REASON_UNSPECIFIED", "STOP", "MAX_TOKENS", "SAFETY", "RECITATION")
"""In the order of their numbers; past 4 the Gemini API and Vertex number them differently."""


def reason_name(reason: Any) -> str | None:
    """The finish reason by its name, also in the integer encoding; None if the name is unknown."""
    if isinstance(reason, int) and not isinstance(reason, bool) and 0 <= reason < len(NUMBERS):
        return NUMBERS[reason]
    return reason if isinstance(reason, str) and reason in STOPS else None


def read_stop(reason: Any, parts: Iterable[Part]) -> Stop | None:
    """The neutral stop reason: STOP ends a turn with calls just as it ends one with text."""
    if reason is MISSING or reason is None:
        return None
    stop = STOPS.get(reason_name(reason) or "", "other")
    calls = any(isinstance(part, ToolCall) and part.kind != "server" for part in parts)
    return "tool-calls" if stop == "end" and calls else stop


def read_reply(body: Any) -> tuple[Turn, ...]:
    """One turn for each candidate; an empty, filtered one if the prompt was blocked."""
    found = tuple(_turn(candidate, pointer) for candidate, pointer in candidates(body, ""))
    return found or tuple(read_block(body, ""))


def read_block(body: Any, pointer: str) -> Iterator[Turn]:
    """The empty turn of a blocked prompt, with the reason."""
    feedback, where = get(body, "promptFeedback"), at(body, "promptFeedback", pointer)
    reason = get(feedback, "blockReason")
    if reason is not MISSING and reason is not None:
        yield Turn("assistant", (), where, "filter", reason, at(feedback, "blockReason", where))


def _turn(candidate: dict[str, Any], pointer: str) -> Turn:
    reason = get(candidate, "finishReason")
    parts = served(tuple(read_parts(get(candidate, "content"), at(candidate, "content", pointer))))
    return Turn(
        role="assistant",
        parts=parts,
        pointer=pointer,
        stop=read_stop(reason, parts),
        stop_wire=None if reason is MISSING else reason,
        stop_pointer=at(candidate, "finishReason", pointer),
    )
