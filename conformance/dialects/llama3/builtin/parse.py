"""Reading replies, chunk by chunk or as a whole; all Llama 3 prompts share the grammar."""

from __future__ import annotations

from conformance.dialects.llama3.reader import ReplyReader, parse

Reader = ReplyReader

__all__ = ["Reader", "parse"]
