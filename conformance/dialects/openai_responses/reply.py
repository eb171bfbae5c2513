"""Responses replies that were not streamed, and the final response object of a stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from conformance.dialects.openai_responses.items import read_item
from conformance.model.pointer import join
from conformance.model.transcript import Part, Stop, ToolCall, Turn
from conformance.model.values import get, list_of, text_of

STATUSES = ("completed", "failed", "in_progress", "cancelled", "queued", "incomplete")
UNFINISHED = ("in_progress", "queued")


def read_reply(body: Any) -> tuple[Turn, ...]:
    """One turn; empty if the reply is not there yet (a queued background response)."""
    if not isinstance(body, dict):
        return (Turn("assistant", (), "/output"),)
    if body.get("status") in UNFINISHED and not body.get("output"):
        return ()
    return (turn_of(body, "", read_output(body.get("output"), "/output")),)


def read_output(output: Any, pointer: str) -> list[Part]:
    """The parts of all output items, in their order."""
    return [part for number, item in enumerate(list_of(output)) for part in read_item(item, join(pointer, number))]


def turn_of(response: dict[str, Any], pointer: str, parts: Iterable[Part]) -> Turn:
    """The turn of the response at the pointer: its parts and stop reason."""
    content = tuple(parts)
    called = any(isinstance(part, ToolCall) and part.kind != "server" for part in content)
    status = response.get("status")
    return Turn(
        "assistant",
        content,
        join(pointer, "output"),
        read_stop(response, called=called),
        status,
        join(pointer, "status"),
        text_of(response.get("id")),
    )


def read_stop(response: dict[str, Any], *, called: bool) -> Stop | None:
    """The neutral stop reason. The wire has none for tool calls: such a response is `completed` like any other."""
    status = response.get("status")
    if status is None:
        return None
    if status == "completed":
        return "tool-calls" if called else "end"
    if status == "failed":
        return "error"
    reason = get(response, "incomplete_details", "reason")
    if status == "incomplete":
        return {"max_output_tokens": "length", "content_filter": "filter"}.get(str(reason), "other")  # type: ignore[return-value]
    return "other"
