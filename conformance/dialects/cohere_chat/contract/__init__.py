"""The contract of Cohere's chat: request, reply, event of a stream, and error.

Rows are from Cohere's OpenAPI document and the types of its SDK; where recorded traffic is laxer, the row notes it.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.cohere_chat.contract.reply import EVENT, FAILURE
from conformance.dialects.cohere_chat.contract.reply import REPLY as _REPLY
from conformance.dialects.cohere_chat.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_OFFICIAL = ("cohere",)

REQUEST = Contract("cohere", "request", _REQUEST, "request", "COH-Q-001", _OFFICIAL, home=__name__)
REPLY = Contract("cohere", "reply", _REPLY, "reply", "COH-R-001", _OFFICIAL, home=__name__)
CHUNK = Contract("cohere", "event", EVENT, "reply", "COH-S-001", _OFFICIAL, home=__name__)
ERROR = Contract("cohere", "error", FAILURE, "reply", "COH-R-006", _OFFICIAL, home=__name__)
