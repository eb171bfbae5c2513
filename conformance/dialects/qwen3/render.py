"""The reference server's side of Qwen3: the turn as the model would write it, in the carrier's envelope."""

from __future__ import annotations

from dataclasses import replace

from conformance.dialects import part_of
from conformance.dialects.qwen3.prompt import spoken
from conformance.dialects.qwen3.request import CARRIER
from conformance.dialects.riding import CUT
from conformance.exchange import Request
from conformance.reference.rendered import Mint, Rendered
from conformance.transcript import Ask, Reasoning, Text, Turn


def answer(turn: Turn, ask: Ask, request: Request, mint: Mint) -> Rendered:
    """The turn as one text. It begins with a think block, unless the prompt has switched thinking off."""
    thoughts = [part for part in turn.parts if isinstance(part, Reasoning)]
    if ask.extra.get("thinking") and not thoughts:
        turn = replace(turn, parts=(Reasoning(""), *turn.parts))
    text = spoken(turn, thoughts=bool(ask.extra.get("thinking")))
    plain = Turn("assistant", (Text(text),), stop=turn.stop if turn.stop in CUT else "end")
    rendered: Rendered = part_of(CARRIER, "render").answer(plain, ask, request, mint)
    return rendered


def failure(status: int, message: str, request: Request, mint: Mint) -> Rendered:
    """The carrier's error body for a status."""
    rendered: Rendered = part_of(CARRIER, "render").failure(status, message, request, mint)
    return rendered


def stream_failure(status: int, message: str, sent: int) -> bytes:
    """What the carrier's stream ends with when it fails in the middle."""
    last: bytes = part_of(CARRIER, "render").stream_failure(status, message, sent)
    return last
