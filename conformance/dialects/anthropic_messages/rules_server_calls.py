"""Calls of server tools that a Messages request sends back, ANT-C-012."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.transcript import Part, Reasoning, ToolCall, ToolResult, Turn


@rule(
    "messages-server-call-dropped",
    scope="conversation",
    cites="ANT-C-012",
)
def server_call_dropped(view: View) -> Iterator[Hit]:
    """A server tool's call and its result must be sent back while the thinking or the calls of their turn are.

    The thinking refers to the result: the server may refuse the turn, and the model does not know the result.
    """
    found = view.continues_in_dialect
    if found is None:
        return
    sent = {_name(part) for part in _of_server(found.echo)}
    lost = [part for part in _of_server(found.reply) if _name(part) not in sent]
    kept = any(
        isinstance(part, Reasoning) or (isinstance(part, ToolCall) and part.kind != "server")
        for part in found.echo.parts
    )
    if lost and kept:
        what = ", ".join(
            dict.fromkeys(
                f"{'the call' if isinstance(each, ToolCall) else 'the result'} {_name(each)[1]}" for each in lost
            )
        )
        yield Hit(
            found.echo.pointer, f"{what} of a server tool is missing", "the blocks of the reply", "the rest of the turn"
        )


def _of_server(turn: Turn) -> list[ToolCall | ToolResult]:
    return [part for part in turn.parts if isinstance(part, (ToolCall, ToolResult)) and part.kind == "server"]


def _name(part: Part) -> tuple[bool, str | None]:
    """Whether it is a call, and its id."""
    return isinstance(part, ToolCall), part.id if isinstance(part, ToolCall) else getattr(part, "call_id", None)
