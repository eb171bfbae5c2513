"""The bodies of an answer: the one of a plain reply, or the chunks of a stream, which have the same shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.wire import candidates
from conformance.judge.view import View


def chunks(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """Each body that is an object, with its pointer."""
    if view.events is None:
        if isinstance(view.response, dict):
            yield view.response, ""
        return
    for event in view.events:
        if isinstance(event.json, dict):
            yield event.json, event.pointer


def is_error(body: Any) -> bool:
    """Whether a chunk is an error, also where a gateway wrapped it in an array."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    return isinstance(body, dict) and "error" in body


def entries(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The candidates of all chunks of a stream, each with its pointer."""
    for event in view.events or ():
        yield from candidates(event.json, event.pointer)


def broke_off(view: View) -> bool:
    """Whether a stream ended by an error of its own, or in the middle of an event."""
    return any(is_error(event.json) or not event.complete for event in view.events or ())


def is_blocked(view: View) -> bool:
    """Whether some chunk reports that the prompt was blocked."""
    feedback = [body.get("promptFeedback") for body, _ in chunks(view)]
    return any(isinstance(each, dict) and each.get("blockReason") for each in feedback)
