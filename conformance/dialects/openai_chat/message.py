"""A Chat message's parts, which requests and replies share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.chat_content import read_content
from conformance.dialects.wire_readers import arguments_of
from conformance.model.pointer import join
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, Unknown
from conformance.model.values import list_of, text_of


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
        arguments=arguments_of(wire),
        pointer=pointer,
        wire=text_of(wire),
    )


def legacy_call(message: dict[str, Any]) -> dict[str, Any] | None:
    """The deprecated `function_call` of a message or delta: one call without an id, paired by name.

    Some servers write every field of their types: an empty name with empty arguments is not a call.
    """
    call = message.get("function_call")
    return call if isinstance(call, dict) and (call.get("name") or call.get("arguments")) else None


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
    for number, call in enumerate(list_of(calls)):
        yield read_call(call, join(pointer, "tool_calls", number))
    legacy = None if calls else legacy_call(message)  # beside `tool_calls` it is the same call in the deprecated form
    if legacy is not None:
        yield read_call(legacy, join(pointer, "function_call"))
