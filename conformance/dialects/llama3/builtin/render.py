"""The reference server's side of this dialect."""

from __future__ import annotations

from conformance.dialects.llama3 import serving
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Ask, Turn

failure = serving.failure
stream_failure = serving.stream_failure


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as text in a plain completion."""
    return serving.answer("builtin", turn, ask, request, ids)
