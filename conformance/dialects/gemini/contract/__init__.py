"""The contract of Gemini: request, reply, chunk of a stream, and error.

Rows are from the types of google-genai 3.6, the discovery document of Vertex AI of November 2026 and the types of
google-ai-generativelanguage 0.12, of which the union is the list of known fields, with WIRE sections 4, 15 and 16 on
top: where recorded traffic is laxer, the row notes it. Fields that one platform alone has are refused at the other.
"""

from __future__ import annotations

from conformance.contract import Contract
from conformance.dialects.gemini.contract.reply import CHUNK as _CHUNK
from conformance.dialects.gemini.contract.reply import ERROR as _ERROR
from conformance.dialects.gemini.contract.reply import REPLY as _REPLY
from conformance.dialects.gemini.contract.request import REQUEST as _REQUEST

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST"]

_NAME = "gemini"
_OFFICIAL = ("google", "vertex")

REQUEST = Contract("gemini", "request", _REQUEST, "request", "GEM-Q-002", _OFFICIAL, _NAME, home=__name__)
REPLY = Contract("gemini", "reply", _REPLY, "reply", "GEM-R-001", _OFFICIAL, _NAME, home=__name__)
CHUNK = Contract("gemini", "reply", _CHUNK, "reply", "GEM-S-001", _OFFICIAL, _NAME, home=__name__)
ERROR = Contract("gemini", "error", _ERROR, "reply", "GEM-R-011", _OFFICIAL, _NAME, home=__name__)
"""A chunk has the form of a reply, so the findings on both have the same ids."""
