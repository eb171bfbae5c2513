"""Replies taken apart, chunk by chunk or as a whole: the grammar is that of all Llama 3 prompts."""

from __future__ import annotations

from conformance.dialects.llama3.reader import ReplyReader, parse

Reader = ReplyReader

__all__ = ["Reader", "parse"]
