"""The reference server's side: the turn as Llama writes it, in the carrier's envelope.

As with vLLM, special tokens are kept only where the request says so, and so is the one that ends the text.
"""

from __future__ import annotations

from typing import Any

from conformance.dialects import part_of
from conformance.dialects.riding import CUT
from conformance.exchange import Request
from conformance.reference.rendered import Mint, Rendered
from conformance.textforms.llama.dialect import CARRIER
from conformance.textforms.llama.tokens import NUMBERS, SPECIAL, end_of
from conformance.textforms.llama.writing import Asked, write_reply
from conformance.transcript import Ask, Text, Turn


def answer(form: Asked, turn: Turn, ask: Ask, request: Request, mint: Mint) -> Rendered:
    """The turn as text in a plain completion."""
    text = write_reply(form, turn)
    end = end_of(text)
    number = NUMBERS.get(end) if end else None
    shown = _shown(text, end, request.body.json)
    plain = Turn("assistant", (Text(shown),), stop=turn.stop if turn.stop in CUT else "end", stop_wire=number)
    rendered: Rendered = part_of(CARRIER, "render").answer(plain, ask, request, mint)
    return rendered


def _shown(text: str, end: str | None, body: Any) -> str:
    options = body if isinstance(body, dict) else {}
    if end and options.get("include_stop_str_in_output") is not True:
        text = text.removesuffix(end)
    if options.get("skip_special_tokens") is not False:
        for token in SPECIAL:
            text = text.replace(token, "")
    return text


def failure(status: int, message: str, request: Request, mint: Mint) -> Rendered:
    """The carrier's error body for a status."""
    rendered: Rendered = part_of(CARRIER, "render").failure(status, message, request, mint)
    return rendered


def stream_failure(status: int, message: str, sent: int) -> bytes:
    """What the carrier's stream ends with when it fails in the middle."""
    last: bytes = part_of(CARRIER, "render").stream_failure(status, message, sent)
    return last
