"""The names of the dialects that share the grammar of Llama 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

HOST = "openai-completions"
Asked = Literal["builtin", "custom", "json"]
"""The form of calls that a prompt asks for."""
FORMS: Mapping[str, Asked] = {"llama3-builtin": "builtin", "llama3-custom": "custom", "llama3-json": "json"}
"""The form of each dialect."""
