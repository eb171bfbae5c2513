"""The reference server's side of ReAct: a model that follows its prompt, as text of the host dialect."""

from __future__ import annotations

from dataclasses import replace

from conformance.dialects.react.claims import HOST
from conformance.dialects.react.parse import THOUGHT
from conformance.dialects.react.prompt import spoken
from conformance.dialects.text.content import text_of
from conformance.dialects.text.raw import raw_prompt
from conformance.dialects.text.render import HostRenderer
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Ask, Reasoning, Turn

_HOST = HostRenderer(HOST)
failure = _HOST.failure
stream_failure = _HOST.stream_failure


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as text in a plain reply. It begins with a thought, whose label may be in the prompt already."""
    if not (turn.calls and turn.text) and not any(isinstance(part, Reasoning) for part in turn.parts):
        thought = f"I need {turn.calls[0].name} for this." if turn.calls else "Now I know the answer."
        turn = replace(turn, parts=(Reasoning(thought), *turn.parts))
    text = spoken(turn)
    if _open(request):
        text = text.removeprefix(f"{THOUGHT}: ")
    return _HOST.text(text, turn, ask, request, ids)


def _open(request: Request) -> bool:
    """Whether the prompt ends with the label of a thought."""
    body = request.body.json
    messages = body.get("messages") if isinstance(body, dict) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    text, _ = raw_prompt(body) or (text_of(last.get("content")) if isinstance(last, dict) else "", "")
    return text.rstrip().endswith(f"{THOUGHT}:")
