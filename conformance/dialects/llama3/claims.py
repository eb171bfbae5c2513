"""Which raw prompts are Llama's, which plain chats have its instructions in their text, and in which of its forms."""

from __future__ import annotations

import re
from typing import Any

from conformance.dialects.llama3.names import Asked
from conformance.dialects.llama3.tokens import HEADER
from conformance.dialects.text.raw import instructions, native_tools

_CHAT_FORMS: tuple[tuple[Asked, re.Pattern[str]], ...] = (
    ("custom", re.compile(r"<function=[^<>\s]{0,200}>\s{0,40}\{")),
    ("builtin", re.compile(r"^[ \t]*Environment:[ \t]*ipython[ \t]*$", re.MULTILINE)),
    ("json", re.compile(r'Respond in the format \{"name":|\[func_name1\(params_name1=')),
)
"""What Meta's instructions for each form of calls have in them; agents have other tags that only begin so."""


def prompt_in(body: Any) -> str | None:
    """The prompt of a request body, if it is one text."""
    prompt = body.get("prompt") if isinstance(body, dict) else None
    return prompt if isinstance(prompt, str) else None


def texts_of(body: Any) -> tuple[str, str]:
    """The system text and the first text of the user in a plain chat."""
    user = next((text for text, _ in instructions(body, "user")), "")
    return "\n".join(text for text, _ in instructions(body, "system", "developer")), user


def chat_form(body: Any) -> Asked | None:
    """The form of calls for which the text of a plain chat asks in Meta's words; None if it does not."""
    if prompt_in(body) is not None or native_tools(body):
        return None
    head = "\n".join(texts_of(body))
    return next((form for form, pattern in _CHAT_FORMS if pattern.search(head)), None)


def announces(body: Any, form: str) -> bool:
    """Whether the prompt, or the text of a chat, asks for calls in this form."""
    prompt = prompt_in(body)
    if prompt is None:
        return chat_form(body) == form
    if HEADER not in prompt:
        return False
    from conformance.dialects.llama3.definitions import form_of

    return form_of(prompt) == form
