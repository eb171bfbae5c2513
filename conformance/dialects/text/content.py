"""The text of a message's content in a plain chat."""

from __future__ import annotations

from typing import Any


def text_of(value: Any) -> str:
    """The text of a message's content: a string, or text parts one after the other."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str))
    return ""
