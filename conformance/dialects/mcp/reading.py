"""MCP messages to neutral turns: a call of a tool is the model's, its result is the tool's.

Tool lists, handshakes and notifications are not part of a conversation: the rules of the dialect read them from
the messages themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.model.pointer import join
from conformance.model.sse import Event
from conformance.model.transcript import Ask, ToolCall, ToolResult, Turn


def read_request(body: Any) -> Ask:
    """The neutral request: its calls, as a turn of the model."""
    calls = tuple(_calls(body))
    return Ask(history=(Turn("assistant", calls, calls[0].pointer),) if calls else ())


def _calls(body: Any) -> Iterator[ToolCall]:
    for message, pointer in _messages(body):
        params = message.get("params")
        if message.get("method") != "tools/call" or not isinstance(params, dict):
            continue
        name = params.get("name")
        if isinstance(name, str) and name:
            arguments = params.get("arguments", {})
            yield ToolCall(_id(message), name, arguments, join(pointer, "params"))


def read_reply(body: Any, base: str = "") -> Iterator[Turn]:
    """The result of a call; other results have no `content`."""
    for message, pointer in _messages(body, base):
        result = message.get("result")
        if not isinstance(result, dict) or "content" not in result:
            continue
        value = result["structuredContent"] if "structuredContent" in result else result["content"]
        failed = result.get("isError")
        at = join(pointer, "result")
        part = ToolResult(_id(message), None, value, failed if isinstance(failed, bool) else None, at)
        yield Turn("tool", (part,), at)


def read_stream(events: Sequence[Event]) -> Iterator[Turn]:
    """The result of a call in a stream."""
    for event in events:
        yield from read_reply(event.json, event.pointer)


def _messages(body: Any, base: str = "") -> Iterator[tuple[dict[str, Any], str]]:
    if isinstance(body, dict):
        yield body, base
    for number, each in enumerate(body if isinstance(body, list) else ()):
        if isinstance(each, dict):
            yield each, join(base, number)


def _id(message: dict[str, Any]) -> str | None:
    value = message.get("id")
    return None if value is None else str(value)
