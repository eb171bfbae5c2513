"""The reference server's side of Qwen3: the turn as the model would write it, as text of the host dialect."""

from __future__ import annotations

from dataclasses import replace

from conformance.dialects.qwen3.claims import HOST
from conformance.dialects.qwen3.prompt import spoken
from conformance.dialects.text.render import HostRenderer
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Ask, Reasoning, Turn

_HOST = HostRenderer(HOST)
failure = _HOST.failure
stream_failure = _HOST.stream_failure


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as one text. It begins with a think block, unless the prompt turns thinking off."""
    thoughts = [part for part in turn.parts if isinstance(part, Reasoning)]
    if ask.extra.get("thinking") and not thoughts:
        turn = replace(turn, parts=(Reasoning(""), *turn.parts))
    text = spoken(turn, thoughts=bool(ask.extra.get("thinking")))
    return _HOST.text(text, turn, ask, request, ids)
