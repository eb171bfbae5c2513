"""Reasoning that a client sends back. docs/contract/bedrock-converse.md, BRC-C-002."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.continuation import displaced_reasoning
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.transcript import Reasoning


@rule("converse-reasoning-changed", scope="conversation", cites="BRC-C-002", about="continuation")
def reasoning_changed(view: View) -> Iterator[Hit]:
    """Reasoning that is sent back must have its text together with its signature, both unmodified, at its place.

    The signature is that of the text: the server refuses another one, or the model goes on without its plan. It also
    refuses a turn of Claude's whose reasoning follows a call.
    """
    found = view.continues_in_dialect
    if found is None:
        return
    received = [part for part in found.reply.parts if isinstance(part, Reasoning) and part.text and part.signature]
    texts = {part.signature: part.text for part in received}
    signed = {part.text for part in received}
    for part in found.echo.parts:
        if not isinstance(part, Reasoning):
            continue
        if part.signature is None and part.text in signed:
            yield Hit(part.pointer, "the reasoning has lost its signature", "the signature of the reply")
        elif part.text != texts.get(part.signature, part.text):
            yield Hit(part.pointer, "the text differs from the one in the reply", "the text of the reply")
    yield from displaced_reasoning(found.reply, found.echo)
