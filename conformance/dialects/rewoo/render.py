"""The reference server's side of ReWOO: a model that follows its prompt, as text of the host dialect."""

from __future__ import annotations

from dataclasses import replace

from conformance.dialects.rewoo.claims import HOST
from conformance.dialects.rewoo.prompt import spoken
from conformance.dialects.text.render import HostRenderer
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Ask, Part, Reasoning, Text, ToolCall, Turn

_HOST = HostRenderer(HOST)
failure = _HOST.failure
stream_failure = _HOST.stream_failure


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as text in a plain reply. Each step has a plan before it."""
    return _HOST.text(spoken(_planned(turn)), turn, ask, request, ids)


def _planned(turn: Turn) -> Turn:
    parts: list[Part] = []
    for part in turn.parts:
        if isinstance(part, ToolCall) and not (parts and isinstance(parts[-1], (Reasoning, Text))):
            parts.append(Reasoning(f"I need {part.name} for this."))
        parts.append(part)
    return replace(turn, parts=tuple(parts))
