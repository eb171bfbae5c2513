"""The parts of a Messages answer, in the same form whether it was streamed or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.anthropic_messages.stream import gather, typed
from conformance.judge.view import View
from conformance.model.pointer import join


def message_of(view: View) -> tuple[dict[str, Any], str] | None:
    """The message object of the answer, with its pointer; in a stream that of `message_start`."""
    if view.events is None:
        return (view.response, "") if isinstance(view.response, dict) else None
    for wire, data, event in typed(view.events):
        if wire == "message_start" and isinstance(data.get("message"), dict):
            return data["message"], join(event.pointer, "message")
    return None


def blocks_of(view: View) -> Iterator[tuple[Any, str]]:
    """The blocks of the answer, each with its pointer; in a stream the blocks of their start events."""
    if view.events is not None:
        yield from ((block.start, block.pointer) for block in gather(view.events))
        return
    content = view.response.get("content") if isinstance(view.response, dict) else None
    for number, block in enumerate(content if isinstance(content, list) else ()):
        yield block, join("/content", number)


def endings(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The objects with the answer's stop reason, each with its pointer: the message, or its deltas."""
    if view.events is None:
        found = message_of(view)
        if found is not None:
            yield found
        return
    for wire, data, event in typed(view.events):
        if wire == "message_delta" and isinstance(data.get("delta"), dict):
            yield data["delta"], join(event.pointer, "delta")
