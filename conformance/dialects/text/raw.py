"""Where a text dialect may be written: in the messages of a plain chat without native tools, or in a raw prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.text.content import text_of
from conformance.model.values import objects_in

RAW_HOST, CHAT_HOST = "openai-completions", "openai-chat"
_TEMPLATE = re.compile(r"<\||\[INST\]|<start_of_turn>")
"""What frames the turns of a chat in a raw prompt."""


def raw_prompt(body: Any) -> tuple[str, str] | None:
    """The one prompt of a request, with its pointer; None if there is none, or one that a chat template wrote.

    With `echo`, the reply begins with the prompt: it is none either.
    """
    if not is_raw(body) or body.get("echo"):
        return None
    prompt, pointer = body["prompt"], "/prompt"
    if isinstance(prompt, list) and len(prompt) == 1:
        prompt, pointer = prompt[0], "/prompt/0"
    return (prompt, pointer) if isinstance(prompt, str) and not _TEMPLATE.search(prompt) else None


def instructions(body: Any, *roles: str) -> Iterator[tuple[str, str]]:
    """The texts of the messages with one of the roles, each with its pointer."""
    for message, at in objects_in(body, "messages"):
        if message.get("role") in roles:
            yield text_of(message.get("content")), f"{at}/content"


def native_tools(body: Any) -> bool:
    """Whether the request declares native tools of the host."""
    return isinstance(body, dict) and bool(body.get("tools") or body.get("functions"))


def is_raw(body: Any) -> bool:
    """Whether a request has a prompt and no messages."""
    return isinstance(body, dict) and "prompt" in body and "messages" not in body


def is_raw_reply(body: Any) -> bool:
    """Whether a choice of a reply, or of a chunk, is the text itself and no message."""
    return any("text" in each and not each.keys() & {"message", "delta"} for each, _ in objects_in(body, "choices"))
