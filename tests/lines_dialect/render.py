"""The reference server's side is Ollama's."""

from conformance.dialects.ollama_chat.render import answer, failure, stream_failure

__all__ = ["answer", "failure", "stream_failure"]
