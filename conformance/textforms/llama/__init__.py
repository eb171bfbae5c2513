"""Llama 3's prompts and replies as text: the frame of messages, the function definitions, the forms of calls."""

from __future__ import annotations

LLAMA = ("llama3-builtin", "llama3-custom", "llama3-json")
"""The dialects of this grammar. Each is a way in which the prompt asks for calls."""
