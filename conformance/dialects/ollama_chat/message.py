"""A message of either side, and the model's turn: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model.pointer import join
from conformance.model.transcript import Part, Reasoning, Stop, Text, ToolCall, Turn, Unknown
from conformance.model.values import list_of, text_of

STOPS: dict[str, Stop] = {"stop": "end", "length": "length"}


def parts_of(message: dict[str, Any], pointer: str) -> Iterator[Part]:
    """The parts of a message. The arguments of a call are an object on the wire, not text."""
    if message.get("thinking"):
        yield Reasoning(text_of(message["thinking"]), pointer=join(pointer, "thinking"))
    content = message.get("content")
    if isinstance(content, str) and content:
        yield Text(content, join(pointer, "content"))
    elif content:
        yield Unknown(None, content, join(pointer, "content"))
    for number, image in enumerate(list_of(message.get("images"))):
        yield Unknown("image", image, join(pointer, "images", number))
    for number, call in enumerate(list_of(message.get("tool_calls"))):
        at = join(pointer, "tool_calls", number)
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield ToolCall(
                text_of(call.get("id")) or None, text_of(function.get("name")), function.get("arguments"), at
            )
        else:
            yield Unknown("tool_call", call, at)


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn of a reply."""
    message = body.get("message") if isinstance(body, dict) else None
    if not isinstance(message, dict):
        return ()
    return (model_turn(tuple(parts_of(message, "/message")), "/message", body.get("done_reason"), "/done_reason"),)


def model_turn(parts: tuple[Part, ...], pointer: str, reason: Any, reason_at: str) -> Turn:
    """A turn of the model. The wire has one reason for a normal end and for calls: `stop`."""
    stop: Stop | None = None
    if reason:
        stop = STOPS.get(reason, "other") if isinstance(reason, str) else "other"
    if stop == "end" and any(isinstance(part, ToolCall) for part in parts):
        stop = "tool-calls"
    return Turn("assistant", parts, pointer, stop, reason, reason_at)
