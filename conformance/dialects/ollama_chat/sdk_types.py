"""The SDK types that the contract is compared with."""

from __future__ import annotations

from ollama import ChatResponse
from ollama._types import ChatRequest

from conformance.contract.sdk_types import Field, Source

SDK_TYPES = {
    "request": Source((ChatRequest,)),
    "response": Source((ChatResponse,)),
    "event": Source((ChatResponse,)),
    "error": Source(fields={"error": Field((str,), required=True)}),
}
