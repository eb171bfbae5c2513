"""The contract of Completions: request, reply, chunk of a stream, and error.

Rows are from OpenAI's published OpenAPI document and the types of its SDK; additions of inference servers are from
the sources of vLLM and llama.cpp.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.openai_completions.contract.reply import COMPLETION, ERROR_BODY, EVENT
from conformance.dialects.openai_completions.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_NAME = "openai-completions"
_OFFICIAL = ("openai", "azure-openai")

REQUEST = Contract(
    "completions",
    "request",
    _REQUEST,
    "request",
    "OAT-Q-001",
    _OFFICIAL,
    _NAME,
    home=__name__,
)
REPLY = Contract(
    "completions",
    "reply",
    COMPLETION,
    "reply",
    "OAT-R-001",
    _OFFICIAL,
    _NAME,
    home=__name__,
)
CHUNK = Contract(
    "completions",
    "chunk",
    EVENT,
    "reply",
    "OAT-S-004",
    _OFFICIAL,
    _NAME,
    home=__name__,
)
ERROR = Contract(
    "completions",
    "error",
    ERROR_BODY,
    "reply",
    "OAT-R-006",
    _OFFICIAL,
    _NAME,
    home=__name__,
)
