"""The contract of Responses: request, reply, event of a stream, and error.

Rows are from OpenAI's published OpenAPI document and the types of its SDK, with WIRE sections 0.3, 2, 15 and 16 on
top: where recorded traffic is laxer than the document, the row says so.
"""

from __future__ import annotations

from conformance.dialects.openai_responses.contract.chunk import EVENT
from conformance.dialects.openai_responses.contract.reply import ERROR_BODY
from conformance.dialects.openai_responses.contract.reply import REPLY as _REPLY
from conformance.dialects.openai_responses.contract.request import REQUEST as _REQUEST
from conformance.dialects.openai_responses.contract.statements import STATEMENTS
from conformance.judge.contract import Contract

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST", "STATEMENTS"]

_NAME = "openai-responses"
_OFFICIAL = ("openai", "azure-openai")
_DOCUMENT = "openai/openai-openapi openapi.json#/components/schemas"

REQUEST = Contract(
    "responses", "request", _REQUEST, "request", f"OAR-Q-006 {_DOCUMENT}/CreateResponse", _OFFICIAL, _NAME
)
REPLY = Contract("responses", "reply", _REPLY, "reply", f"OAR-R-001 {_DOCUMENT}/Response", _OFFICIAL, _NAME)
CHUNK = Contract("responses", "event", EVENT, "reply", f"OAR-S-007 {_DOCUMENT}/ResponseStreamEvent", _OFFICIAL, _NAME)
ERROR = Contract("responses", "error", ERROR_BODY, "reply", f"OAR-R-012 {_DOCUMENT}/ErrorResponse", _OFFICIAL, _NAME)
