"""The reference server's side of ReAct: a model that does as its prompt says, in the carrier's envelope."""

from __future__ import annotations

from dataclasses import replace

from conformance.dialects import part_of
from conformance.dialects.react.parse import THOUGHT
from conformance.dialects.react.prompt import spoken
from conformance.dialects.react.request import CARRIER
from conformance.dialects.riding import CUT, text_of
from conformance.exchange import Request
from conformance.reference.rendered import Mint, Rendered
from conformance.transcript import Ask, Reasoning, Text, Turn


def answer(turn: Turn, ask: Ask, request: Request, mint: Mint) -> Rendered:
    """The turn as text in a plain reply. It begins with a thought, whose label the prompt may have written already."""
    if not (turn.calls and turn.text) and not any(isinstance(part, Reasoning) for part in turn.parts):
        thought = f"I need {turn.calls[0].name} for this." if turn.calls else "Now I know the answer."
        turn = replace(turn, parts=(Reasoning(thought), *turn.parts))
    text = spoken(turn)
    if _open(request):
        text = text.removeprefix(f"{THOUGHT}: ")
    plain = Turn("assistant", (Text(text),), stop=turn.stop if turn.stop in CUT else "end")
    rendered: Rendered = part_of(CARRIER, "render").answer(plain, ask, request, mint)
    return rendered


def _open(request: Request) -> bool:
    """Whether the prompt ends with the label of a thought."""
    body = request.body.json
    messages = body.get("messages") if isinstance(body, dict) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    return isinstance(last, dict) and text_of(last.get("content")).rstrip().endswith(f"{THOUGHT}:")


def failure(status: int, message: str, request: Request, mint: Mint) -> Rendered:
    """The carrier's error body for a status."""
    rendered: Rendered = part_of(CARRIER, "render").failure(status, message, request, mint)
    return rendered


def stream_failure(status: int, message: str, sent: int) -> bytes:
    """What the carrier's stream ends with when it fails in the middle."""
    last: bytes = part_of(CARRIER, "render").stream_failure(status, message, sent)
    return last
