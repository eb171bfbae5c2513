"""Content blocks, which requests, replies and streams share: wire to neutral. A block is an object with one member."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.pointer import join
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult, Unknown
from conformance.model.values import get, list_of, text_of

SERVER = "server_tool_use"
"""The type of a call of a tool that Bedrock runs itself."""


def read_content(content: Any, pointer: str, *, of_model: bool) -> Iterator[Part]:
    """The parts of a message's content; a cache point is none."""
    for number, block in enumerate(list_of(content)):
        if get(block, "cachePoint") is None:
            yield read_block(block, join(pointer, number), of_model=of_model)


def read_block(block: Any, pointer: str, *, of_model: bool, wire: str | None = None) -> Part:
    """One block. `wire` is the text of a streamed call's input. A result in a turn of the model is of its server."""
    kind = next(iter(block), None) if isinstance(block, dict) else None
    if kind is None:
        return Unknown(None, block, pointer)
    value, at = block[kind], join(pointer, kind)
    if kind == "toolUse" and isinstance(value, dict):
        return ToolCall(
            id=text_of(value.get("toolUseId")),
            name=text_of(value.get("name")),
            arguments=jsontext.parse(wire) if wire else value.get("input"),
            pointer=at,
            wire=wire,
            kind="server" if value.get("type") == SERVER else "function",
        )
    if kind == "toolResult" and isinstance(value, dict):
        failed = {"error": True, "success": False}.get(str(value.get("status")))
        call_id = text_of(value.get("toolUseId"))
        return ToolResult(call_id, None, _returned(value), failed, at, "server" if of_model else "function")
    if kind == "reasoningContent":
        shown = text_of(get(value, "reasoningText", "text"))
        seal = get(value, "reasoningText", "signature") or get(value, "redactedContent")
        return Reasoning(shown, text_of(seal), at)
    text = {"text": value, "guardContent": get(value, "text", "text"), "citationsContent": _cited(value)}.get(kind)
    return Text(text, at) if isinstance(text, str) else Unknown(kind, value, at)


def _returned(result: dict[str, Any]) -> Any:
    """What a tool returned: the value or the text of its only block, else all blocks."""
    content = result.get("content")
    only = content[0] if isinstance(content, list) and len(content) == 1 else None
    return next((only[key] for key in ("json", "text") if key in only), content) if isinstance(only, dict) else content


def _cited(value: Any) -> str:
    """The text of a block with citations."""
    return "".join(filter(None, (text_of(get(each, "text")) for each in list_of(get(value, "content")))))
