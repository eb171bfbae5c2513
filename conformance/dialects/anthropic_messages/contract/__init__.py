"""The contract of Messages: request, reply, event of a stream, and error.

Rows are from the types of Anthropic's SDK (2.11, stable and beta) and a public OpenAPI form of the API reference of
August 2026, with WIRE sections 0.3, 3, 15 and 16 on top: where recorded traffic is laxer, the row says so.
"""

from __future__ import annotations

from conformance.dialects.anthropic_messages.contract.event import EVENT
from conformance.dialects.anthropic_messages.contract.reply import FAILURE, MESSAGE
from conformance.dialects.anthropic_messages.contract.request import REQUEST as _REQUEST
from conformance.dialects.anthropic_messages.contract.statements import STATEMENTS
from conformance.judge.contract import Contract

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST", "STATEMENTS"]

_NAME = "anthropic-messages"
_OFFICIAL = ("anthropic", "bedrock", "vertex", "azure-ai")
_DOCUMENT = "anthropic 2.11 types"

REQUEST = Contract(
    "messages", "request", _REQUEST, "request", f"ANT-Q-001 {_DOCUMENT}/message_create_params.py", _OFFICIAL, _NAME
)
REPLY = Contract("messages", "reply", MESSAGE, "reply", f"ANT-R-001 {_DOCUMENT}/message.py", _OFFICIAL, _NAME)
CHUNK = Contract(
    "messages", "event", EVENT, "reply", f"ANT-S-004 {_DOCUMENT}/raw_message_stream_event.py", _OFFICIAL, _NAME
)
ERROR = Contract(
    "messages", "error", FAILURE, "reply", f"ANT-R-011 {_DOCUMENT}/shared/error_response.py", _OFFICIAL, _NAME
)
