"""cohere-chat: the second version of Cohere's chat, `POST /v2/chat`."""

from __future__ import annotations

from conformance.dialects.cohere_chat.claims import claims
from conformance.model.dialect import Dialect

DIALECT = Dialect(
    name="cohere-chat",
    prefix="COH",
    package=__name__,
    path="/v2/chat",
    claims=claims,
    answers_last_call=True,
)
