"""The reference server's side of prompted calls: a model that follows its prompt, as text of the host dialect."""

from __future__ import annotations

from dataclasses import replace

from conformance.dialects.prompted.claims import HOST
from conformance.dialects.prompted.prompt import spoken
from conformance.dialects.text.render import HostRenderer
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Ask, Turn

_HOST = HostRenderer(HOST)
failure = _HOST.failure
stream_failure = _HOST.stream_failure


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as text in a plain reply. The prompt forbids text beside calls: a turn with calls has none."""
    text = spoken(replace(turn, parts=turn.calls) if turn.calls else turn)
    return _HOST.text(text, turn, ask, request, ids)
