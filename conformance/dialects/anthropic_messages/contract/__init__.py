"""The contract of Messages: request, reply, event of a stream, and error.

Rows are from the types of Anthropic's SDK (2.11, stable and beta) and a public OpenAPI form of the API reference of
August 2026, with WIRE sections 0.3, 3, 15 and 16 on top: where recorded traffic is laxer, the row notes it.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.anthropic_messages.contract.event import EVENT
from conformance.dialects.anthropic_messages.contract.reply import FAILURE, MESSAGE
from conformance.dialects.anthropic_messages.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_NAME = "anthropic-messages"
_OFFICIAL = ("anthropic", "bedrock", "vertex", "azure-ai")

REQUEST = Contract("messages", "request", _REQUEST, "request", "ANT-Q-001", _OFFICIAL, _NAME, home=__name__)
REPLY = Contract("messages", "reply", MESSAGE, "reply", "ANT-R-001", _OFFICIAL, _NAME, home=__name__)
CHUNK = Contract("messages", "event", EVENT, "reply", "ANT-S-004", _OFFICIAL, _NAME, home=__name__)
ERROR = Contract("messages", "error", FAILURE, "reply", "ANT-R-011", _OFFICIAL, _NAME, home=__name__)
