"""Raw prompts: a text dialect that is written in a plain chat may be in one, too."""

from __future__ import annotations

import re
from typing import Any

RAW_HOST = "openai-completions"
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


def is_raw(body: Any) -> bool:
    """Whether a request has a prompt and no messages."""
    return isinstance(body, dict) and "prompt" in body and "messages" not in body


def is_raw_reply(body: Any) -> bool:
    """Whether a choice of a reply, or of a chunk, is the text itself and no message."""
    choices = body.get("choices") if isinstance(body, dict) else None
    return any(
        isinstance(each, dict) and "text" in each and not each.keys() & {"message", "delta"}
        for each in (choices if isinstance(choices, list) else ())
    )
