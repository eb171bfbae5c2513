"""Items, which a request's `input` and a reply's `output` share: wire to neutral.

An item is a message, a call, a call's output, reasoning, or an item of a hosted tool. The wire has
separate items for the parts of one turn: `side` is the side of an item.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.pointer import join
from conformance.model.transcript import Malformed, Part, Reasoning, Role, Text, ToolCall, ToolResult, Unknown
from conformance.model.values import list_of, text_of

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
        role = item.get("role")
        return _ROLES.get(role, "unknown") if isinstance(role, str) else "unknown"
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
        yield from _content(item.get("content"), join(pointer, "content"))
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


def _content(content: Any, pointer: str) -> Iterator[Part]:
    if isinstance(content, str):
        if content:
            yield Text(content, pointer)
    elif isinstance(content, list):
        for number, part in enumerate(content):
            at = join(pointer, number)
            kind = part.get("type") if isinstance(part, dict) else None
            text = part.get("refusal" if kind == "refusal" else "text") if kind in TEXTS else None
            if isinstance(text, str):
                yield Text(text, at)
            else:
                yield Unknown(text_of(kind), part, at)
    elif content is not None:
        yield Unknown(None, content, pointer)


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
        arguments=text_of(wire) if custom else read_arguments(wire),
        pointer=pointer,
        wire=text_of(wire),
        kind="custom" if custom else "function",
    )


def _provider_call(item: dict[str, Any], kind: str, pointer: str) -> ToolCall:
    """A call of a hosted tool (`web_search_call`), which the client does not answer."""
    name = text_of(item.get("name")) or kind.removesuffix("_call")
    call_id = text_of(item.get("call_id")) or text_of(item.get("id"))
    return ToolCall(call_id, name, item.get("action", item.get("arguments")), pointer, kind="server")


def read_arguments(wire: Any) -> Any:
    """The JSON value of a call's arguments text; a value that is not text is kept unchanged."""
    if not isinstance(wire, str):
        return Malformed("", "no arguments") if wire is None else wire
    return jsontext.parse(wire)
