"""The contract of Responses: request, reply, event of a stream, and error.

Rows are from OpenAI's published OpenAPI document and the types of its SDK, with WIRE sections 0.3, 2, 15 and 16 on
top: where recorded traffic is laxer than the document, the row notes it.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.openai_responses.contract.chunk import EVENT
from conformance.dialects.openai_responses.contract.reply import ERROR_BODY
from conformance.dialects.openai_responses.contract.reply import REPLY as _REPLY
from conformance.dialects.openai_responses.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_NAME = "openai-responses"
_OFFICIAL = ("openai", "azure-openai")

REQUEST = Contract("responses", "request", _REQUEST, "request", "OAR-Q-006", _OFFICIAL, _NAME, home=__name__)
REPLY = Contract("responses", "reply", _REPLY, "reply", "OAR-R-001", _OFFICIAL, _NAME, home=__name__)
CHUNK = Contract("responses", "event", EVENT, "reply", "OAR-S-007", _OFFICIAL, _NAME, home=__name__)
ERROR = Contract("responses", "error", ERROR_BODY, "reply", "OAR-R-012", _OFFICIAL, _NAME, home=__name__)
