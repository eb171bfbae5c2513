"""The readers of llama3-custom: those of all Llama 3 prompts."""

from __future__ import annotations

from conformance.dialects.llama3.readers import READERS

__all__ = ["READERS"]
