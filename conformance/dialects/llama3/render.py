"""The reference server's side: the turn as Llama writes it, as text of the host dialect.

As with vLLM, special tokens are kept only if the request asks for them, and so is the one that ends the text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from conformance.dialects.llama3.claims import prompt_in
from conformance.dialects.llama3.definitions import form_of
from conformance.dialects.llama3.names import HOST
from conformance.dialects.llama3.tokens import NUMBERS, SPECIAL, end_of
from conformance.dialects.llama3.writing import write_reply
from conformance.dialects.text.render import HostRenderer
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Ask, Turn

_HOST = HostRenderer(HOST)
failure = _HOST.failure
stream_failure = _HOST.stream_failure


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as text in a plain completion, in the form that the prompt asks for."""
    text = write_reply(form_of(prompt_in(request.body.json) or "") or "json", turn)
    end = end_of(text)
    number = NUMBERS.get(end) if end else None
    shown = _shown(text, end, request.body.json)
    return _HOST.text(shown, replace(turn, stop_wire=number), ask, request, ids)


def _shown(text: str, end: str | None, body: Any) -> str:
    options = body if isinstance(body, dict) else {}
    if end and options.get("include_stop_str_in_output") is not True:
        text = text.removesuffix(end)
    if options.get("skip_special_tokens") is not False:
        for token in SPECIAL:
            text = text.replace(token, "")
    return text
