"""Which raw prompts are Qwen3's."""

from __future__ import annotations

from typing import Any

HOST = "openai-completions"
START = "<|im_start|>"


def prompt_of(body: Any) -> str:
    """The prompt, if it is one text."""
    prompt = body.get("prompt") if isinstance(body, dict) else None
    return prompt if isinstance(prompt, str) else ""


def announced(body: Any) -> bool:
    """Whether the prompt has a frame."""
    return START in prompt_of(body)
