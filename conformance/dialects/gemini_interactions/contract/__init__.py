"""The contract of Interactions: request, interaction, event of a stream, and error.

Rows are from the types of google-genai 3.6 and the published pages; where recorded traffic is laxer, the row notes it.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.gemini_interactions.contract.reply import EVENT, FAILURE
from conformance.dialects.gemini_interactions.contract.reply import REPLY as _REPLY
from conformance.dialects.gemini_interactions.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_NAME = "interactions"
_OFFICIAL = ("google", "vertex")

REQUEST = Contract(_NAME, "request", _REQUEST, "request", "GIN-Q-001", _OFFICIAL, home=__name__)
REPLY = Contract(_NAME, "reply", _REPLY, "reply", "GIN-R-001", _OFFICIAL, home=__name__)
CHUNK = Contract(_NAME, "event", EVENT, "reply", "GIN-S-001", _OFFICIAL, home=__name__)
ERROR = Contract(_NAME, "error", FAILURE, "reply", "GIN-R-007", _OFFICIAL, home=__name__)
