"""The contract of conversations: request, response, event of a stream, and error.

Rows are from the types of mistralai 3.7 and the descriptions of its fields.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.mistral_conversations.contract.reply import EVENT, FAILURE
from conformance.dialects.mistral_conversations.contract.reply import REPLY as _REPLY
from conformance.dialects.mistral_conversations.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_NAME = "conversations"
_OFFICIAL = ("mistral",)

REQUEST = Contract(_NAME, "request", _REQUEST, "request", "MIC-Q-001", _OFFICIAL, home=__name__)
REPLY = Contract(_NAME, "reply", _REPLY, "reply", "MIC-R-001", _OFFICIAL, home=__name__)
CHUNK = Contract(_NAME, "event", EVENT, "reply", "MIC-S-001", _OFFICIAL, home=__name__)
ERROR = Contract(_NAME, "error", FAILURE, "reply", "MIC-R-006", _OFFICIAL, home=__name__)
