"""Which raw prompts are Llama's, and in which of its forms."""

from __future__ import annotations

from typing import Any

from conformance.dialects.llama3.tokens import HEADER


def prompt_in(body: Any) -> str | None:
    """The prompt of a request body, if it is one text."""
    prompt = body.get("prompt") if isinstance(body, dict) else None
    return prompt if isinstance(prompt, str) else None


def announces(body: Any, form: str) -> bool:
    """Whether the prompt asks for calls in this form."""
    prompt = prompt_in(body)
    if prompt is None or HEADER not in prompt:
        return False
    from conformance.dialects.llama3.definitions import form_of

    return form_of(prompt) == form
