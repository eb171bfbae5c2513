"""A message of either side, and the model's turn: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.wire_readers import arguments_of, content_of, stop_of
from conformance.model.pointer import join
from conformance.model.transcript import Part, Reasoning, Stop, Text, ToolCall, Turn, Unknown
from conformance.model.values import get, list_of, text_of

STOPS: dict[str, Stop] = {
    "COMPLETE": "end",
    "STOP_SEQUENCE": "end",
    "MAX_TOKENS": "length",
    "TOOL_CALL": "tool-calls",
    "ERROR": "error",
    "TIMEOUT": "error",
}


def parts_of(message: dict[str, Any], pointer: str) -> Iterator[Part]:
    """The parts of a message. The plan is what the model thinks about its calls, before it makes them."""
    if message.get("tool_plan"):
        yield Reasoning(text_of(message["tool_plan"]), pointer=join(pointer, "tool_plan"))
    yield from content_of(message.get("content"), join(pointer, "content"), read_block)
    for number, call in enumerate(list_of(message.get("tool_calls"))):
        yield read_call(call, join(pointer, "tool_calls", number))


def read_block(block: Any, pointer: str) -> Part:
    """A block of content: text, thinking, or what only a user sends."""
    kind = text_of(get(block, "type"))
    if kind == "text" and isinstance(block.get("text"), str):
        return Text(block["text"], pointer)
    if kind == "thinking" and isinstance(block.get("thinking"), str):
        return Reasoning(block["thinking"], pointer=pointer)
    return Unknown(kind, block, pointer)


def read_call(call: Any, pointer: str) -> ToolCall | Unknown:
    """A call, whose arguments are JSON text."""
    function = get(call, "function")
    if not isinstance(function, dict):
        return Unknown("tool_call", call, pointer)
    name, wire = text_of(function.get("name")), function.get("arguments")
    return ToolCall(text_of(call.get("id")), name, arguments_of(wire), pointer, text_of(wire))


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn of a reply; the `message` of a failure is a text."""
    message = get(body, "message")
    if not isinstance(message, dict):
        return ()
    reason = body.get("finish_reason")
    parts = tuple(parts_of(message, "/message"))
    return (Turn("assistant", parts, "/message", stop_of(reason, STOPS), reason, "/finish_reason"),)
