"""Which requests are prompted: a plain chat whose system turn mentions the tags, or a raw prompt with the form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.prompted.tags import OPEN
from conformance.dialects.text.content import text_of
from conformance.dialects.text.raw import is_raw, raw_prompt
from conformance.model.pointer import join

HOST = "openai-chat"


def system_texts(body: Any) -> Iterator[tuple[str, str]]:
    """The texts of the system messages, or the raw prompt, that mention the tags, each with its pointer."""
    messages = body.get("messages") if isinstance(body, dict) else None
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        if isinstance(message, dict) and message.get("role") in ("system", "developer"):
            text = text_of(message.get("content"))
            if OPEN in text:
                yield text, join("/messages", number, "content")
    raw = raw_prompt(body)
    if raw is not None and OPEN in raw[0]:
        yield raw


def native_tools(body: Any) -> bool:
    """Whether the request declares native tools of the host."""
    return isinstance(body, dict) and bool(body.get("tools") or body.get("functions"))


def announced(body: Any) -> bool:
    """Whether the text explains how to write calls in tags.

    If the request has native tools, or is a raw prompt, the form must be there: a mention of the tag is not enough.
    """
    texts = [text for text, _ in system_texts(body)]
    if not texts or not (native_tools(body) or is_raw(body)):
        return bool(texts)
    from conformance.dialects.prompted.parse import shown_format

    return any(map(shown_format, texts))
