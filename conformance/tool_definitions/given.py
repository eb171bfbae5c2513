"""A tool definition of any origin, as its author gave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from conformance.model.transcript import ToolDefinition


@dataclass(frozen=True, slots=True)
class GivenTool:
    """One tool of an input.

    `definition` is the neutral tool definition. Its `parameters` are JSON Schema, converted where the form has a
    schema language of its own (Gemini's `Schema`, OpenAPI 3.0), and its `pointer` leads to the definition within the
    input. `form` is the dialect whose form the definition has, or `openapi`, `python` or `json-schema`. `source` names
    the input: a file, a URL, a command. `given` is the definition in the form in which it stood there.
    """

    definition: ToolDefinition
    form: str
    source: str
    given: Any = None
