"""The contract of Ollama's chat: request, reply, line of a stream, and error.

Rows are from the published OpenAPI document and the server's own types (`api/types.go`), which decide what it accepts.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.ollama_chat.contract.reply import ERROR_BODY, LINE
from conformance.dialects.ollama_chat.contract.reply import REPLY as _REPLY
from conformance.dialects.ollama_chat.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_OFFICIAL = ("ollama",)

REQUEST = Contract("ollama", "request", _REQUEST, "request", "OLC-Q-001", _OFFICIAL, home=__name__)
REPLY = Contract("ollama", "reply", _REPLY, "reply", "OLC-R-001", _OFFICIAL, home=__name__)
CHUNK = Contract("ollama", "line", LINE, "reply", "OLC-S-002", _OFFICIAL, home=__name__)
ERROR = Contract("ollama", "error", ERROR_BODY, "reply", "OLC-R-007", _OFFICIAL, home=__name__)
