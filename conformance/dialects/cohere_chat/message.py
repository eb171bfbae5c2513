"""A message of either side, and the model's turn: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.pointer import join
from conformance.model.transcript import Malformed, Part, Reasoning, Stop, Text, ToolCall, Turn, Unknown
from conformance.model.values import list_of, text_of

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
    content, at = message.get("content"), join(pointer, "content")
    if isinstance(content, str):
        if content:
            yield Text(content, at)
    elif isinstance(content, list):
        yield from (read_block(block, join(at, number)) for number, block in enumerate(content))
    elif content is not None:
        yield Unknown(None, content, at)
    for number, call in enumerate(list_of(message.get("tool_calls"))):
        yield read_call(call, join(pointer, "tool_calls", number))


def read_block(block: Any, pointer: str) -> Part:
    """A block of content: text, thinking, or what only a user sends."""
    kind = text_of(block.get("type")) if isinstance(block, dict) else None
    if kind == "text" and isinstance(block.get("text"), str):
        return Text(block["text"], pointer)
    if kind == "thinking" and isinstance(block.get("thinking"), str):
        return Reasoning(block["thinking"], pointer=pointer)
    return Unknown(kind, block, pointer)


def read_call(call: Any, pointer: str) -> ToolCall | Unknown:
    """A call, whose arguments are JSON text."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return Unknown("tool_call", call, pointer)
    wire = function.get("arguments")
    value = jsontext.parse(wire) if isinstance(wire, str) else wire
    arguments = Malformed("", "no arguments") if wire is None else value
    return ToolCall(text_of(call.get("id")), text_of(function.get("name")), arguments, pointer, text_of(wire))


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn of a reply; the `message` of a failure is a text."""
    message = body.get("message") if isinstance(body, dict) else None
    if not isinstance(message, dict):
        return ()
    reason = body.get("finish_reason")
    return (
        Turn("assistant", tuple(parts_of(message, "/message")), "/message", stop_of(reason), reason, "/finish_reason"),
    )


def stop_of(reason: Any) -> Stop | None:
    """The neutral stop reason; None where there is none."""
    if reason is None:
        return None
    return STOPS.get(reason, "other") if isinstance(reason, str) else "other"
