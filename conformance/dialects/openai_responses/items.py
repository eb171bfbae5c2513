"""Items, which a request's `input` and a reply's `output` share: wire to neutral.

An item is a message, a call, a call's output, reasoning, or an item of a hosted tool. The wire has
separate items for the parts of one turn: `side` is the side of an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.wire_readers import arguments_of, content_of, role_of
from conformance.model.pointer import join
from conformance.model.transcript import Part, Reasoning, Role, Text, ToolCall, ToolResult, Unknown
from conformance.model.values import get, list_of, text_of

CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
"""The items that the client has to answer, each with the field of the model's text."""


OUTPUTS = {"function_call_output": "function", "custom_tool_call_output": "custom"}
"""The items that answer them."""

TEXTS = ("output_text", "input_text", "text", "refusal", "summary_text", "reasoning_text")

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}


def type_of(item: Any) -> str | None:
    """An item's type; without one, an object with a role is a message, and one with nothing but an id a reference."""
    if not isinstance(item, dict):
        return None
    kind = item.get("type")
    if kind is None and "role" in item:
        return "message"
    if kind is None and item.get("id") and item.keys() <= {"id", "type"}:
        return "item_reference"
    return text_of(kind)


def side(item: Any) -> Role:
    """The side of an item. Items of hosted tools belong to the model's turn."""
    kind = type_of(item)
    if kind is None:
        return "unknown"
    if kind == "message":
        return role_of(item, _ROLES)
    if kind == "tool_search_output":
        return "tool" if item.get("execution") == "client" else "assistant"
    if kind.endswith("_call_output") or kind == "mcp_approval_response":
        return "tool"
    return "assistant"


def read_item(item: Any, pointer: str) -> Iterator[Part]:
    """The parts of one item."""
    kind = type_of(item)
    if kind is None:
        yield Unknown(None, item, pointer)
    elif kind == "message":
        yield from content_of(item.get("content"), join(pointer, "content"), _content)
    elif kind == "reasoning":
        yield _reasoning(item, pointer)
    elif kind in CALLS:
        yield _call(item, kind, pointer)
    elif kind in OUTPUTS:
        yield ToolResult(
            text_of(item.get("call_id")), text_of(item.get("name")), item.get("output"), None, pointer, OUTPUTS[kind]
        )
    elif kind.endswith("_call"):
        yield _provider_call(item, kind, pointer)
    elif kind.endswith("_call_output") or kind == "tool_search_output":
        # The output of a local shell has the id of its call in `id`.
        call_id = text_of(item.get("call_id" if kind != "local_shell_call_output" else "id"))
        yield ToolResult(call_id, None, item.get("output"), None, pointer, "server")
    else:
        yield Unknown(kind, item, pointer)


def _content(part: Any, pointer: str) -> Part:
    kind = get(part, "type")
    text = text_of(part.get("refusal" if kind == "refusal" else "text")) if kind in TEXTS else None
    return Unknown(text_of(kind), part, pointer) if text is None else Text(text, pointer)


def _reasoning(item: dict[str, Any], pointer: str) -> Reasoning:
    shown = [
        part["text"]
        for key in ("summary", "content")
        for part in list_of(item.get(key))
        if isinstance(part, dict) and isinstance(part.get("text"), str)
    ]
    return Reasoning("\n\n".join(shown) or None, text_of(item.get("encrypted_content")), pointer)


def _call(item: dict[str, Any], kind: str, pointer: str) -> ToolCall:
    """A call. Its neutral id is the `call_id`, which the output refers to; the item's own `id` stays here."""
    wire = item.get(CALLS[kind])
    custom = kind == "custom_tool_call"
    return ToolCall(
        id=text_of(item.get("call_id")),
        name=text_of(item.get("name")),
        arguments=text_of(wire) if custom else arguments_of(wire),
        pointer=pointer,
        wire=text_of(wire),
        kind="custom" if custom else "function",
        namespace=text_of(item.get("namespace")),
        later=item.get("async") is True,
    )


def _provider_call(item: dict[str, Any], kind: str, pointer: str) -> ToolCall:
    """A call of a hosted tool (`web_search_call`), which the client does not answer."""
    name = text_of(item.get("name")) or kind.removesuffix("_call")
    call_id = text_of(item.get("call_id")) or text_of(item.get("id"))
    return ToolCall(call_id, name, item.get("action", item.get("arguments")), pointer, kind="server")
