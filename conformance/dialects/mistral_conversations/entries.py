"""Entries, which requests and replies share: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.chat_content import read_content
from conformance.dialects.wire_readers import arguments_of
from conformance.model.pointer import join
from conformance.model.transcript import Part, Role, Stop, ToolCall, ToolResult, Turn, Unknown
from conformance.model.values import get, list_of, text_of

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}


def kind_of(entry: Any) -> str:
    """The type of an entry, which may be left out; empty if it has none."""
    kind = text_of(get(entry, "type"))
    if kind is None and isinstance(entry, dict):
        kind = "function.result" if "result" in entry else "message.input" if "role" in entry else None
    return kind or ""


def role_of(entry: Any) -> Role:
    """Whose entry it is: results are those of the client's tools, all others but inputs the model's."""
    kind = kind_of(entry)
    if kind == "message.input":
        return _ROLES.get(text_of(get(entry, "role")) or "", "unknown")
    return {"": "unknown", "function.result": "tool"}.get(kind, "assistant")  # type: ignore[return-value]


def read_entry(entry: Any, pointer: str) -> Iterator[Part]:
    """The parts of one entry. A tool that the server runs has its call and its result in one."""
    kind = kind_of(entry)
    name, arguments = text_of(get(entry, "name")), get(entry, "arguments")
    if kind in ("message.input", "message.output"):
        yield from read_content(entry.get("content"), join(pointer, "content"))
    elif kind == "function.call":
        # What the user has to confirm, the server runs.
        whose = "server" if entry.get("confirmation_status") is not None else "function"
        known = text_of(entry.get("tool_call_id"))
        yield ToolCall(known, name, arguments_of(arguments), pointer, text_of(arguments), whose)
    elif kind == "function.result":
        yield ToolResult(text_of(entry.get("tool_call_id")), None, entry.get("result"), pointer=pointer)
    elif kind == "tool.execution":
        known = text_of(entry.get("id"))
        yield ToolCall(known, name, arguments_of(arguments), pointer, text_of(arguments), kind="server")
        yield ToolResult(known, name, entry.get("info"), pointer=pointer, kind="server")
    else:
        yield Unknown(kind or None, entry, pointer)


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn of a response, which names the conversation that it is kept in."""
    if not isinstance(body, dict) or "outputs" not in body:
        return ()
    placed = ((entry, join("/outputs", number)) for number, entry in enumerate(list_of(body["outputs"])))
    parts = tuple(part for entry, at in placed for part in read_entry(entry, at))
    return (turn_of(parts, body.get("conversation_id")),)


def turn_of(parts: tuple[Part, ...], conversation: Any, stop: Stop | None = "end", stopped_at: str = "") -> Turn:
    """The model's turn. No reply has a stop reason: one with calls waits for their results."""
    calls = any(isinstance(part, ToolCall) and part.kind != "server" for part in parts)
    stop = "tool-calls" if calls and stop == "end" else stop
    return Turn("assistant", parts, "", stop, None, stopped_at, text_of(conversation) or None)
