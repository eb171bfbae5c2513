"""A tool definition of any origin, before it is written in a provider's form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """One tool as its author defined it.

    `schema` is the JSON Schema of the arguments, converted where the form has a schema language of its own
    (Gemini's `Schema`, OpenAPI); None if the tool declares no parameters. `given` is the definition as it stood in
    the input, `form` the dialect whose form it has, or `openapi`, `python`, `json-schema`. `source` names the input
    (a file, a URL, a command) and `pointer` is the JSON pointer of the definition in it.
    """

    name: str
    description: str | None
    schema: Any
    form: str
    source: str
    pointer: str
    given: Any = None
    strict: bool | None = None
    """What the definition says of strict mode; None if it says nothing."""
