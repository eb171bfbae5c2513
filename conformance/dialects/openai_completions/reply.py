"""Completions that were not streamed: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.wire_readers import stop_of
from conformance.model.pointer import join
from conformance.model.transcript import Stop, Text, Turn
from conformance.model.values import objects_in

STOPS: dict[str, Stop] = {"stop": "end", "length": "length", "content_filter": "filter"}


def choices_of(body: Any, pointer: str = "") -> Iterator[tuple[dict[str, Any], str]]:
    """The choices of a body or of a chunk, each with its pointer."""
    return objects_in(body, "choices", pointer)


def read_reply(body: Any) -> tuple[Turn, ...]:
    """One turn for each choice."""
    return tuple(_turn(choice, pointer) for choice, pointer in choices_of(body))


def _turn(choice: dict[str, Any], pointer: str) -> Turn:
    text, reason = choice.get("text"), choice.get("finish_reason")
    parts = (Text(text, join(pointer, "text")),) if isinstance(text, str) and text else ()
    return Turn("assistant", parts, pointer, stop_of(reason, STOPS), reason, join(pointer, "finish_reason"))
