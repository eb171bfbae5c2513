"""A prompt of one of the dialects from neutral turns."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.dialects.llama3.names import FORMS
from conformance.dialects.llama3.writing import write_prompt
from conformance.model.transcript import Text, ToolDefinition, Turn


def render(system: str | None, tools: Sequence[ToolDefinition], history: Sequence[Turn], *, dialect: str) -> str:
    """The whole prompt, up to the header of the model's open message."""
    return write_prompt(FORMS[dialect], system, tools, history)


def echo(text: str) -> Turn:
    """A reply as it is sent back: unchanged, with its tag and its end token."""
    return Turn("assistant", (Text(text),))
