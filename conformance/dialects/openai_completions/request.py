"""Raw prompts: wire to neutral."""

from __future__ import annotations

from typing import Any

from conformance.model.transcript import Ask, Part, Text, Turn, Unknown
from conformance.model.values import text_of

PROMPT = "/prompt"


def read_request(body: Any) -> Ask:
    """The neutral request: the prompt is one turn of the user. Empty if the body is not an object."""
    if not isinstance(body, dict):
        return Ask()
    return Ask(
        model=text_of(body.get("model")),
        history=_turns(body.get("prompt")),
        stream=body.get("stream") is True,
    )


def _turns(prompt: Any) -> tuple[Turn, ...]:
    """A prompt that is not text (token numbers, several prompts at once) is kept unchanged."""
    if prompt is None:
        return ()
    at = PROMPT
    if isinstance(prompt, list) and len(prompt) == 1 and isinstance(prompt[0], str):
        prompt, at = prompt[0], f"{PROMPT}/0"
    part: Part = Text(prompt, at) if isinstance(prompt, str) else Unknown(None, prompt, PROMPT)
    return (Turn("user", (part,), PROMPT),)
