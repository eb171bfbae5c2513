"""The content of messages in the format of Chat Completions, which Mistral's conversations share: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.wire_readers import content_of
from conformance.model.transcript import Part, Reasoning, Text, Unknown
from conformance.model.values import get, text_of


def read_content(content: Any, pointer: str) -> Iterator[Part]:
    """The parts of a message's `content`: a string, an array of typed parts, or nothing."""
    return content_of(content, pointer, _part)


def _part(part: Any, pointer: str) -> Part:
    if (thought := thought_of(part)) is not None:
        return Reasoning(thought, text_of(part.get("signature")), pointer)
    kind = get(part, "type")
    text = text_of(part.get("text", part.get("refusal"))) if kind in ("text", "refusal") else None
    return Unknown(kind, part, pointer) if text is None else Text(text, pointer)


def thought_of(part: Any) -> str | None:
    """The text of a part with the model's thoughts, as Mistral sends them; None for another part."""
    thoughts = get(part, "thinking")
    if get(part, "type") != "thinking" or not isinstance(thoughts, list):
        return None
    return "".join(each["text"] for each in thoughts if isinstance(get(each, "text"), str))
