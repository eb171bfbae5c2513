"""A message of either side, and the model's turn: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.wire_readers import stop_of
from conformance.model.pointer import join
from conformance.model.transcript import Part, Reasoning, Stop, Text, ToolCall, Turn, Unknown
from conformance.model.values import get, list_of, text_of

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
        function = get(call, "function")
        if isinstance(function, dict):
            name, call_id = text_of(function.get("name")), text_of(call.get("id")) or None
            yield ToolCall(call_id, name, function.get("arguments"), at)
        else:
            yield Unknown("tool_call", call, at)


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn of a reply."""
    message = get(body, "message")
    if not isinstance(message, dict):
        return ()
    return (model_turn(tuple(parts_of(message, "/message")), "/message", body.get("done_reason"), "/done_reason"),)


def model_turn(parts: tuple[Part, ...], pointer: str, reason: Any, reason_at: str) -> Turn:
    """A turn of the model. The wire has one reason for a normal end and for calls: `stop`."""
    stop = stop_of(reason or None, STOPS)
    if stop == "end" and any(isinstance(part, ToolCall) for part in parts):
        stop = "tool-calls"
    return Turn("assistant", parts, pointer, stop, reason, reason_at)
