"""The contract of Chat Completions: request, reply, chunk of a stream, and error.

Rows are from OpenAI's published OpenAPI document and the types of its SDK, with WIRE sections 0.3, 1, 15 and 16
added: where recorded traffic is laxer than the document, the row says so.
"""

from __future__ import annotations

from conformance.dialects.openai_chat.contract.chunk import EVENT
from conformance.dialects.openai_chat.contract.reply import COMPLETION, ERROR_BODY
from conformance.dialects.openai_chat.contract.request import REQUEST as _REQUEST
from conformance.dialects.openai_chat.contract.statements import STATEMENTS
from conformance.judge.contract import Contract

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST", "STATEMENTS"]

_NAME = "openai-chat"
_OFFICIAL = ("openai", "azure-openai")
_DOCUMENT = "openai/openai-openapi openapi.json#/components/schemas"

REQUEST = Contract(
    "chat", "request", _REQUEST, "request", f"OAC-Q-001 {_DOCUMENT}/CreateChatCompletionRequest", _OFFICIAL, _NAME
)
REPLY = Contract(
    "chat", "reply", COMPLETION, "reply", f"OAC-R-001 {_DOCUMENT}/CreateChatCompletionResponse", _OFFICIAL, _NAME
)
CHUNK = Contract(
    "chat", "chunk", EVENT, "reply", f"OAC-S-005 {_DOCUMENT}/CreateChatCompletionStreamResponse", _OFFICIAL, _NAME
)
ERROR = Contract("chat", "error", ERROR_BODY, "reply", f"OAC-R-017 {_DOCUMENT}/ErrorResponse", _OFFICIAL, _NAME)
