"""The endpoint beside the chat that a model answers: the completion of a prompt, in one body or in lines.

From the published API (docs/api.md, Generate a completion) and the types of the official SDK (`GenerateRequest`,
`GenerateResponse`).
"""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.ollama_chat.contract import CHUNK, REPLY, REQUEST
from conformance.dialects.ollama_chat.contract.reply import FAILED_LINE, GENERATED
from conformance.dialects.ollama_chat.contract.request import HEAD, SETTINGS

_TEXT = may(text(), type=cite(refused=400))
_PROMPT = obj(
    prompt=_TEXT,
    suffix=_TEXT,
    system=_TEXT,
    template=_TEXT,
    context=may(array(integer(0))),
    raw=may(boolean, type=cite(refused=400)),
    images=may(array(text(1)), type=cite(refused=400)),
    width=may(integer(0)),
    height=may(integer(0)),
    steps=may(integer(0)),
)
CONTRACTS = {
    "generate": (
        REQUEST.beside(obj(HEAD, _PROMPT, SETTINGS)),
        REPLY.beside(GENERATED),
        CHUNK.beside(cases(FAILED_LINE, otherwise=GENERATED)),
    ),
}
"""By the names in `Dialect.endpoints`: the contracts of the request, of the reply, and of a line of a stream."""
