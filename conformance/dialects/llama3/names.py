"""The names of the dialects that share the grammar of Llama 3."""

from __future__ import annotations

HOST = "openai-completions"
LLAMA = ("llama3-builtin", "llama3-custom", "llama3-json")
"""They differ in the form of calls that the prompt asks for."""
