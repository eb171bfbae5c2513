"""The reference server's side of prompted calls: a model that does as its prompt says, in the carrier's envelope."""

from __future__ import annotations

from dataclasses import replace

from conformance.dialects import part_of
from conformance.dialects.prompted.prompt import spoken
from conformance.dialects.prompted.request import CARRIER
from conformance.dialects.riding import CUT
from conformance.exchange import Request
from conformance.reference.rendered import Mint, Rendered
from conformance.transcript import Ask, Text, Turn


def answer(turn: Turn, ask: Ask, request: Request, mint: Mint) -> Rendered:
    """The turn as text in a plain reply. The prompt forbids words around a call: a turn with calls has none."""
    text = spoken(replace(turn, parts=turn.calls) if turn.calls else turn)
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
