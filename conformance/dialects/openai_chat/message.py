"""A Chat message's parts, which requests and replies share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.pointer import join
from conformance.model.transcript import Malformed, Part, Reasoning, Text, ToolCall, Unknown
from conformance.model.values import text_of


def read_arguments(wire: Any) -> Any:
    """The JSON value of a call's arguments text; a value that is not text is kept unchanged."""
    if not isinstance(wire, str):
        return Malformed("", "no arguments") if wire is None else wire
    return jsontext.parse(wire)


def read_call(call: Any, pointer: str) -> ToolCall | Unknown:
    """One entry of `tool_calls`, a function call or a custom tool's call."""
    if not isinstance(call, dict):
        return Unknown(None, call, pointer)
    if call.get("type") == "custom" and isinstance(call.get("custom"), dict):
        custom = call["custom"]
        text = text_of(custom.get("input"))
        return ToolCall(text_of(call.get("id")), text_of(custom.get("name")), text, pointer, text, kind="custom")
    nested = call.get("function")
    function = nested if isinstance(nested, dict) else call
    wire = function.get("arguments")
    return ToolCall(
        id=text_of(call.get("id")),
        name=text_of(function.get("name")),
        arguments=read_arguments(wire),
        pointer=pointer,
        wire=text_of(wire),
    )


def legacy_call(message: dict[str, Any]) -> dict[str, Any] | None:
    """The deprecated `function_call` of a message or delta: one call without an id, paired by name.

    Some servers write every field of their types: an empty name with empty arguments is not a call.
    """
    call = message.get("function_call")
    return call if isinstance(call, dict) and (call.get("name") or call.get("arguments")) else None


def read_content(content: Any, pointer: str) -> Iterator[Part]:
    """The parts of a message's `content`: a string, an array of typed parts, or nothing."""
    if isinstance(content, str):
        if content:
            yield Text(content, pointer)
    elif isinstance(content, list):
        for number, part in enumerate(content):
            at = join(pointer, number)
            if isinstance(part, dict) and part.get("type") in ("text", "refusal"):
                text = part.get("text", part.get("refusal"))
                yield Text(text, at) if isinstance(text, str) else Unknown(part["type"], part, at)
            else:
                yield Unknown(part.get("type") if isinstance(part, dict) else None, part, at)
    elif content is not None:
        yield Unknown(None, content, pointer)


def read_parts(message: dict[str, Any], pointer: str) -> Iterator[Part]:
    """All parts of an assistant message: reasoning if the provider shows it, text, refusal, calls."""
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and message[key]:
            yield Reasoning(message[key], pointer=join(pointer, key))
            break
    yield from read_content(message.get("content"), join(pointer, "content"))
    if isinstance(message.get("refusal"), str):
        yield Text(message["refusal"], join(pointer, "refusal"))
    calls = message.get("tool_calls")
    for number, call in enumerate(calls if isinstance(calls, list) else ()):
        yield read_call(call, join(pointer, "tool_calls", number))
    legacy = None if calls else legacy_call(message)  # beside `tool_calls` it is the same call in the deprecated form
    if legacy is not None:
        yield read_call(legacy, join(pointer, "function_call"))
