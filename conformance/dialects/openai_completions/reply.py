"""Completions that were not streamed: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model.pointer import join
from conformance.model.transcript import Stop, Text, Turn

STOPS: dict[str, Stop] = {"stop": "end", "length": "length", "content_filter": "filter"}


def read_stop(reason: Any) -> Stop | None:
    """The neutral stop reason; None for null, `other` for a value that the dialect does not have."""
    if reason is None:
        return None
    return STOPS.get(reason, "other") if isinstance(reason, str) else "other"


def choices_of(body: Any, pointer: str = "") -> Iterator[tuple[dict[str, Any], str]]:
    """The choices of a body or of a chunk, each with its pointer."""
    choices = body.get("choices") if isinstance(body, dict) else None
    for number, choice in enumerate(choices if isinstance(choices, list) else ()):
        if isinstance(choice, dict):
            yield choice, join(pointer, "choices", number)


def read_reply(body: Any) -> tuple[Turn, ...]:
    """One turn for each choice."""
    return tuple(_turn(choice, pointer) for choice, pointer in choices_of(body))


def _turn(choice: dict[str, Any], pointer: str) -> Turn:
    text, reason = choice.get("text"), choice.get("finish_reason")
    parts = (Text(text, join(pointer, "text")),) if isinstance(text, str) and text else ()
    return Turn("assistant", parts, pointer, read_stop(reason), reason, join(pointer, "finish_reason"))
