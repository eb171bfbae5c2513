"""The readers of lines-chat are Ollama's."""

from conformance.dialects.ollama_chat.readers import READERS

__all__ = ["READERS"]
