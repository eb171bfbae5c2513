"""The names of the dialects that share the grammar of Llama 3."""

from __future__ import annotations

HOST = "openai-completions"
