"""Thoughts that a client without state sends back. docs/contract/gemini-interactions.md, GIN-C-003."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.printable import count
from conformance.model.transcript import Reasoning, Turn
from conformance.model.values import get


@rule("interactions-thought-dropped", scope="conversation", cites="GIN-C-003", about="continuation")
def thought_dropped(view: View) -> Iterator[Hit]:
    """A request that repeats a reply must repeat its thoughts, with their signatures.

    The server refuses the call that followed the thought, or the model thinks again.
    """
    found = view.continues_in_dialect
    if found is None or get(view.request, "previous_interaction_id") is not None:
        return  # the server has kept the steps
    lost = _signed(found.reply) - _signed(found.echo)
    if lost > 0:
        yield Hit(found.echo.pointer, f"missing of the reply: {count(lost, 'thought')}", "all thoughts of the reply")


def _signed(turn: Turn) -> int:
    return sum(isinstance(part, Reasoning) and bool(part.signature) for part in turn.parts)
