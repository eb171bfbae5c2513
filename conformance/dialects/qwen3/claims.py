"""Which requests are Qwen3's: a raw prompt in its frames, or a plain chat whose system message declares tools so."""

from __future__ import annotations

import re
from typing import Any

from conformance.dialects.text.raw import instructions, native_tools
from conformance.model.values import objects_in

HOST = "openai-completions"
START = "<|im_start|>"
_CODER = "<tools>\n<function>\n<name>"
"""What the template of Qwen3-Coder declares tools with, whose calls have another form."""
_LIST = re.compile(r"<tools>\s{0,40}(?=[{\[])")


def prompt_of(body: Any) -> str:
    """The prompt, if it is one text."""
    prompt = body.get("prompt") if isinstance(body, dict) else None
    return prompt if isinstance(prompt, str) else ""


def is_chat(body: Any) -> bool:
    """Whether the system message of a plain chat lists tools between the tags, and asks for calls in others."""
    if native_tools(body) or not any(_declares(text) for text, _ in instructions(body, "system", "developer")):
        return False
    return not any(message.get("tool_calls") or START in str(message) for message, _ in objects_in(body, "messages"))


def _declares(text: str) -> bool:
    begun = _LIST.search(text)
    end = text.find("</tools>", begun.end()) if begun else -1
    return end >= 0 and "<tool_call>" in text[end:]


def announced(body: Any) -> bool:
    """Whether the prompt has a frame, or the chat declares tools as the template does."""
    prompt = prompt_of(body)
    return (START in prompt and _CODER not in prompt) or is_chat(body)
