"""Which requests are ReAct's: a plain chat, or a raw prompt, whose text announces the labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.text.raw import instructions, native_tools, raw_prompt

HOST = "openai-chat"
BEGIN = "Begin!"
_ANNOUNCED = (re.compile(r"^[ \t]*Action:", re.MULTILINE), re.compile(r"^[ \t]*Action Input:", re.MULTILINE))


def prompts(body: Any) -> Iterator[tuple[str, str]]:
    """The texts that announce the form, each with its pointer, without the steps below it.

    A raw prompt must have a place where the steps begin: it may only quote a text with such labels.
    """
    for text, pointer in instructions(body, "system", "developer", "user"):
        if all(label.search(head(text)) for label in _ANNOUNCED):
            yield head(text), pointer
    raw = raw_prompt(body)
    if raw is not None and f"\n{BEGIN}" in raw[0] and all(label.search(head(raw[0])) for label in _ANNOUNCED):
        yield head(raw[0]), raw[1]


def head(text: str) -> str:
    """The prompt up to the first step."""
    return text.partition(f"\n{BEGIN}")[0]


def announced(body: Any) -> bool:
    """Whether the request has no native tools, and its text announces actions and their input."""
    return not native_tools(body) and next(prompts(body), None) is not None
