"""The contract of Converse: request, reply, event of a stream, and error.

Rows are from the service model `bedrock-runtime` of botocore 1.44, which all of Amazon's SDKs are made from; where
recorded traffic is laxer, the row notes it.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.bedrock_converse.contract.reply import EVENT, FAILURE
from conformance.dialects.bedrock_converse.contract.reply import REPLY as _REPLY
from conformance.dialects.bedrock_converse.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_NAME = "bedrock-converse"
_OFFICIAL = ("bedrock",)

REQUEST = Contract("converse", "request", _REQUEST, "request", "BRC-Q-001", _OFFICIAL, _NAME, home=__name__)
REPLY = Contract("converse", "reply", _REPLY, "reply", "BRC-R-001", _OFFICIAL, _NAME, home=__name__)
CHUNK = Contract("converse", "event", EVENT, "reply", "BRC-S-006", _OFFICIAL, _NAME, home=__name__)
ERROR = Contract("converse", "error", FAILURE, "reply", "BRC-R-009", _OFFICIAL, _NAME, home=__name__)
