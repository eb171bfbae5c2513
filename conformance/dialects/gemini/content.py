"""A content's parts, which requests and replies share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from conformance.dialects.gemini.partial import merge_pieces
from conformance.dialects.gemini.wire import at, get, parts
from conformance.model.pointer import MISSING
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult, Unknown
from conformance.model.values import text_of

DATA_FIELDS = (
    "text",
    "functionCall",
    "functionResponse",
    "inlineData",
    "fileData",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
)
"""The fields of a part of which exactly one is set."""


def read_parts(content: Any, pointer: str) -> Iterator[Part]:
    """All parts of a content, in order."""
    for part, where in parts(content, pointer):
        yield from read_part(part, where)


def served(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts of one turn of the model: what the turn itself answers are calls of an MCP server by the service."""
    answered = {part.name for part in parts if isinstance(part, ToolResult) and part.kind == "function"}
    if not answered:
        return tuple(parts)
    return tuple(
        replace(part, kind="server") if isinstance(part, ToolCall | ToolResult) and part.name in answered else part
        for part in parts
    )


def read_part(part: dict[str, Any], pointer: str) -> Iterator[Part]:
    """The neutral parts of one part: mostly one, none for empty text, two for text with a thinking signature."""
    signature = text_of(get(part, "thoughtSignature"))
    kind = next((name for name in DATA_FIELDS if get(part, name) is not MISSING), None)
    value, where = (None, pointer) if kind is None else (get(part, kind), at(part, kind, pointer))
    if kind == "text" and isinstance(value, str):
        yield from _read_text(value, where, signature, thought=get(part, "thought") is True)
    elif kind == "functionCall" and isinstance(value, dict):
        yield read_call(value, where, signature)
    elif kind == "functionResponse" and isinstance(value, dict):
        yield read_result(value, where)
    elif kind in ("executableCode", "toolCall") and isinstance(value, dict):
        yield _server_call(kind, value, where, signature)
    elif kind in ("codeExecutionResult", "toolResponse") and isinstance(value, dict):
        yield _server_result(kind, value, where)
    elif kind is None and signature is not None:
        yield Reasoning(None, signature, pointer)
    else:
        yield Unknown(kind or next(iter(part), None), part, pointer)


def _read_text(text: str, pointer: str, signature: str | None, *, thought: bool) -> Iterator[Part]:
    if thought:
        yield Reasoning(text, signature, pointer)
        return
    if text:
        yield Text(text, pointer)
    if signature is not None:
        yield Reasoning(None, signature, pointer)


def read_call(call: dict[str, Any], pointer: str, signature: str | None) -> ToolCall:
    """A `functionCall`; missing arguments are those of its pieces, or an empty object, which protobuf JSON omits."""
    args = get(call, "args")
    if args is MISSING or args is None:
        args = merge_pieces({}, call)
    return ToolCall(
        id=text_of(get(call, "id")) or None,
        name=text_of(get(call, "name")),
        arguments=args,
        pointer=pointer,
        signature=signature,
    )


def read_result(result: dict[str, Any], pointer: str) -> ToolResult:
    """A `functionResponse`; by convention a response with only `error` means that the tool failed."""
    response = get(result, "response")
    return ToolResult(
        call_id=text_of(get(result, "id")) or None,
        name=text_of(get(result, "name")),
        content=None if response is MISSING else response,
        is_error=True if isinstance(response, dict) and set(response) == {"error"} else None,
        pointer=pointer,
    )


def _server_call(kind: str, call: dict[str, Any], pointer: str, signature: str | None) -> ToolCall:
    """A tool that Google runs itself: code execution, or a search that the reply shows on request."""
    if kind == "executableCode":
        name: str | None = "code_execution"
        arguments: Any = {"language": call.get("language"), "code": call.get("code")}
    else:
        name, arguments = text_of(get(call, "toolType")), call.get("args")
    return ToolCall(text_of(call.get("id")), name, arguments, pointer, kind="server", signature=signature)


def _server_result(kind: str, result: dict[str, Any], pointer: str) -> ToolResult:
    name = "code_execution" if kind == "codeExecutionResult" else text_of(get(result, "toolType"))
    content = result.get("output" if kind == "codeExecutionResult" else "response")
    return ToolResult(text_of(result.get("id")), name, content, pointer=pointer, kind="server")
