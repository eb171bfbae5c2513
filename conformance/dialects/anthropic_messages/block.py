"""Content blocks, which requests, replies and streams share: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.pointer import join
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult, Unknown
from conformance.model.values import get, objects_in, text_of


def kind_of(block: Any) -> str | None:
    """The `type` of a block, None if it has none."""
    return text_of(get(block, "type"))


def is_call(kind: str | None) -> bool:
    """Whether a block of this type is a tool call: `tool_use`, or one that the provider runs itself."""
    return kind is not None and (kind == "tool_use" or kind.endswith("_tool_use"))


def is_result(kind: str | None) -> bool:
    """Whether a block of this type is a tool result: `tool_result`, or one of a server tool."""
    return kind is not None and (kind == "tool_result" or kind.endswith("_tool_result"))


def read_content(content: Any, pointer: str) -> Iterator[Part]:
    """The parts of a message's `content`: a string, or an array of blocks."""
    if isinstance(content, str):
        yield Text(content, pointer)
    elif isinstance(content, list):
        for number, block in enumerate(content):
            yield read_block(block, join(pointer, number))
    elif content is not None:
        yield Unknown(None, content, pointer)


def after_fallback(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts that count of a turn: those of the last model, where one before it refused to go on (`fallback`)."""
    found = tuple(parts)
    marks = [number for number, part in enumerate(found) if isinstance(part, Unknown) and part.kind == "fallback"]
    return found[marks[-1] + 1 :] if marks else found


def read_block(block: Any, pointer: str, wire: str | None = None) -> Part:
    """One block. `wire` is the argument text of a streamed call, which replaces its `input`."""
    kind = kind_of(block)
    if kind is None:
        return Unknown(None, block, pointer)
    if kind == "text" and isinstance(block.get("text"), str):
        return Text(block["text"], pointer)
    if kind == "thinking":
        return Reasoning(text_of(block.get("thinking")), text_of(block.get("signature")), pointer)
    if kind == "redacted_thinking":
        return Reasoning(None, text_of(block.get("data")), pointer)
    if is_call(kind):
        return ToolCall(
            id=text_of(block.get("id")),
            name=text_of(block.get("name")),
            arguments=jsontext.parse(wire) if wire else block.get("input"),
            pointer=pointer,
            wire=wire,
            kind="function" if kind == "tool_use" else "server",
        )
    if is_result(kind):
        return _result(block, pointer, kind)
    return Unknown(kind, block, pointer)


def _result(block: dict[str, Any], pointer: str, kind: str) -> ToolResult:
    content = block.get("content")
    is_error = block.get("is_error")
    call_id = text_of(block.get("tool_use_id"))
    if call_id is None and kind != "tool_result":
        call_id = ""  # None would mean the call before it; here every result names its call
    if not isinstance(is_error, bool):
        # A server tool reports a failure by the type of its content.
        is_error = True if (kind_of(content) or "").endswith("_error") else None
    return ToolResult(
        call_id=call_id,
        name=None,
        content=content,
        is_error=is_error,
        pointer=pointer,
        kind="function" if kind == "tool_result" else "server",
    )


def messages(request: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """The messages that are objects, each with its pointer."""
    return objects_in(request, "messages")
