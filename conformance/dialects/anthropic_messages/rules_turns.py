"""The order of turns and blocks in a Messages request, and the thinking that is sent back, ANT-C."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.continuation import displaced_reasoning
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.printable import count
from conformance.model.transcript import Reasoning, Turn


@rule(
    "messages-thinking-changed",
    scope="conversation",
    cites="ANT-C-009",
)
def thinking_changed(view: View) -> Iterator[Hit]:
    """Thinking that belongs to a call must be sent back with the result, unmodified and in order.

    The server checks the signature and refuses the request, or the model goes on without its plan.
    """
    found = view.continues_in_dialect
    if found is None:
        return
    received, sent = _thinking(found.reply), _thinking(found.echo)
    for one, other in zip(received, sent, strict=False):
        lost_seal = bool(one.signature) and not other.signature
        if one.text != other.text or lost_seal or (one.signature != other.signature and _moved(other, received)):
            what = "signature" if lost_seal and one.text == other.text else "thinking"
            yield Hit(other.pointer, f"the {what} differs from the one in the reply", "the block of the reply")
            return
    if len(sent) > len(received):
        yield Hit(sent[len(received)].pointer, "the reply had no such thinking", "the blocks of the reply")
    elif len(sent) < len(received):
        yield from _left_out(view, found.reply, found.echo, len(received) - len(sent))
    else:
        yield from displaced_reasoning(found.reply, found.echo)


@rule(
    "messages-thinking-mode-changed",
    scope="conversation",
    cites="ANT-C-027",
    about="continuation",
)
def thinking_mode_changed(view: View) -> Iterator[Hit]:
    """Thinking must not be turned on within a turn of the model, which lasts until the results of its calls are used.

    The turn does not begin with thinking: the server refuses the request, or does not think and does not tell.
    """
    found = view.continues_in_dialect
    if found is None or not found.reply.calls or not view.history[-1].results:
        return
    if _thinks(view) and not _thinks(view.earlier[found.earlier]):
        yield Hit("/thinking", "thinking was off when the model made the calls", "thinking after the turn", "now")


def _thinks(view: View) -> bool:
    thinking = view.request.get("thinking") if isinstance(view.request, dict) else None
    return isinstance(thinking, dict) and thinking.get("type") != "disabled"


def _thinking(turn: Turn) -> list[Reasoning]:
    return [part for part in turn.parts if isinstance(part, Reasoning)]


def _moved(part: Reasoning, received: list[Reasoning]) -> bool:
    """Whether the block is another block of the reply; another rule reports an unknown signature."""
    return any(part.signature == each.signature for each in received)


def _left_out(view: View, reply: Turn, echo: Turn, dropped: int) -> Iterator[Hit]:
    """Thinking may be dropped after the final answer to its calls, or if thinking is turned off."""
    current = not any(turn.role == "assistant" for turn in view.ask.history[view.ask.history.index(echo) + 1 :])
    if reply.calls and _thinks(view) and current:
        yield Hit(
            echo.pointer, f"missing of the reply: {count(dropped, 'thinking block')}", "all thinking of the reply"
        )
