"""No SDK at all: requests built by hand, and answers read by code that shares nothing with the dialects.

The control of the matrix. If an SDK and this driver disagree about the same bytes, the SDK or the dialect is at
fault; if both agree and our reading differs, the dialect is.
"""

from __future__ import annotations

from conformance.drivers.raw_http.chat import Chat
from conformance.drivers.raw_http.gemini import Gemini
from conformance.drivers.raw_http.messages import Messages
from conformance.drivers.raw_http.responses import Responses

DRIVERS = (Chat(), Responses(), Messages(), Gemini())
