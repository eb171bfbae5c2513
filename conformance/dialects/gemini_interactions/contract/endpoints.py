"""The endpoints beside creating an interaction: of one that the server keeps. From the types of google-genai 3.6."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.gemini_interactions.contract import CHUNK, REPLY

CONTRACTS = {
    "interaction retrieved": (None, REPLY, CHUNK),
    "interaction deleted": (None, REPLY.beside(obj())),
    "interaction canceled": (None, REPLY),
}
"""By the names in `Dialect.endpoints`: the contracts of the request, if it has a body, of the reply, and of events."""
