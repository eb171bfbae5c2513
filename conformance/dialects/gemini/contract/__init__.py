"""The contract of Gemini: request, reply, chunk of a stream, and error.

Rows are from the types of google-genai 2.34, the discovery document of Vertex AI of November 2026 and the types of
google-ai-generativelanguage 0.12, of which the union is the list of known fields, with WIRE sections 4, 15 and 16 on
top: where recorded traffic is laxer, the row says so. Fields that one platform alone has are refused at the other.
"""

from __future__ import annotations

from conformance.dialects.gemini.contract.reply import CHUNK as _CHUNK
from conformance.dialects.gemini.contract.reply import ERROR as _ERROR
from conformance.dialects.gemini.contract.reply import REPLY as _REPLY
from conformance.dialects.gemini.contract.request import REQUEST as _REQUEST
from conformance.dialects.gemini.contract.statements import STATEMENTS
from conformance.judge.contract import Contract

__all__ = ["CHUNK", "ERROR", "REPLY", "REQUEST", "STATEMENTS"]

_OFFICIAL = ("google", "vertex")
_DOCUMENT = "google-genai 2.34 google/genai/types.py"
_ERRORS = "google-genai 2.34 google/genai/errors.py"

REQUEST = Contract("gemini", "request", _REQUEST, "request", f"GEM-Q-002 {_DOCUMENT}", (), _OFFICIAL)
REPLY = Contract("gemini", "reply", _REPLY, "reply", f"GEM-R-001 {_DOCUMENT} GenerateContentResponse", (), _OFFICIAL)
CHUNK = Contract("gemini", "reply", _CHUNK, "reply", f"GEM-S-001 {_DOCUMENT} GenerateContentResponse", (), _OFFICIAL)
ERROR = Contract("gemini", "error", _ERROR, "reply", f"GEM-R-011 {_ERRORS}", (), _OFFICIAL)
"""A chunk has the form of a reply, so both are reported under the same ids."""
