"""Which requests are prompted: a plain chat whose system turn mentions the tags, or a raw prompt with the form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.prompted.tags import OPEN
from conformance.dialects.text.raw import instructions, is_raw, native_tools, raw_prompt

HOST = "openai-chat"


def system_texts(body: Any) -> Iterator[tuple[str, str]]:
    """The texts of the system messages, or the raw prompt, that mention the tags, each with its pointer."""
    yield from (each for each in instructions(body, "system", "developer") if OPEN in each[0])
    raw = raw_prompt(body)
    if raw is not None and OPEN in raw[0]:
        yield raw


def announced(body: Any) -> bool:
    """Whether the text explains how to write calls in tags.

    If the request has native tools, or is a raw prompt, the form must be there: a mention of the tag is not enough.
    """
    texts = [text for text, _ in system_texts(body)]
    if not texts or not (native_tools(body) or is_raw(body)):
        return bool(texts)
    from conformance.dialects.prompted.parse import shown_format

    return any(map(shown_format, texts))
