"""The contract of Chat Completions: request, reply, chunk of a stream, and error.

Rows are from OpenAI's published OpenAPI document and the types of its SDK, with WIRE sections 0.3, 1, 15 and 16
added: where recorded traffic is laxer than the document, the row notes it.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.openai_chat.contract.chunk import EVENT
from conformance.dialects.openai_chat.contract.reply import COMPLETION, ERROR_BODY
from conformance.dialects.openai_chat.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_NAME = "openai-chat"
_OFFICIAL = ("openai", "azure-openai")

REQUEST = Contract("chat", "request", _REQUEST, "request", "OAC-Q-001", _OFFICIAL, _NAME, home=__name__)
REPLY = Contract("chat", "reply", COMPLETION, "reply", "OAC-R-001", _OFFICIAL, _NAME, home=__name__)
CHUNK = Contract("chat", "chunk", EVENT, "reply", "OAC-S-005", _OFFICIAL, _NAME, home=__name__)
ERROR = Contract("chat", "error", ERROR_BODY, "reply", "OAC-R-017", _OFFICIAL, _NAME, home=__name__)
