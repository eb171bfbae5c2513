"""The contract of Completions: request, reply, chunk of a stream, and error.

Rows are from OpenAI's published OpenAPI document and the types of its SDK; additions of inference servers are from
the sources of vLLM and llama.cpp.
"""

from __future__ import annotations

from conformance.dialects.openai_completions.contract.reply import COMPLETION, ERROR_BODY, EVENT
from conformance.dialects.openai_completions.contract.request import REQUEST as _REQUEST
from conformance.dialects.openai_completions.contract.statements import STATEMENTS
from conformance.judge.contract import Contract

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST", "STATEMENTS"]

_NAME = "openai-completions"
_OFFICIAL = ("openai", "azure-openai")
_DOCUMENT = "openai/openai-openapi openapi.json#/components/schemas"

REQUEST = Contract(
    "completions",
    "request",
    _REQUEST,
    "request",
    f"OAT-Q-001 {_DOCUMENT}/CreateCompletionRequest",
    _OFFICIAL,
    _NAME,
)
REPLY = Contract(
    "completions",
    "reply",
    COMPLETION,
    "reply",
    f"OAT-R-001 {_DOCUMENT}/CreateCompletionResponse",
    _OFFICIAL,
    _NAME,
)
CHUNK = Contract(
    "completions",
    "chunk",
    EVENT,
    "reply",
    f"OAT-S-004 {_DOCUMENT}/CreateCompletionResponse",
    _OFFICIAL,
    _NAME,
)
ERROR = Contract(
    "completions",
    "error",
    ERROR_BODY,
    "reply",
    f"OAT-R-006 {_DOCUMENT}/ErrorResponse",
    _OFFICIAL,
    _NAME,
)
