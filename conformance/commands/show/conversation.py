"""A cassette as a readable conversation."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.cassette.load import Cassette
from conformance.commands.show.exchanges import exchange_lines
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.dialect import Dialect
from conformance.model.exchange import Exchange
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult, Turn


def conversation(cassette: Cassette, *, wire: bool = False) -> Iterator[str]:
    """The lines of a cassette's conversation: what each exchange adds to it."""
    earlier: list[View] = []

    def added(exchange: Exchange, dialect: Dialect) -> Iterator[str]:
        view = View(exchange, dialect, tuple(earlier))
        known = len(earlier[-1].history) + 1 if earlier else 0
        for turn in view.history[known if known <= len(view.history) else 0 :]:
            yield from _turn(turn)
        for turn in view.replies:
            yield from _turn(turn)
        if not view.ok:
            yield f"   refused  {jsontext.brief(view.response, 400)}"
        earlier.append(view)

    return exchange_lines(cassette, added, wire=wire)


def _turn(turn: Turn) -> Iterator[str]:
    for part in turn.parts:
        yield f"   {turn.role:10} {_part(part)}"
    if turn.stop is not None:
        yield f"   {'':10} (stops: {turn.stop_wire})"


def _part(part: Part) -> str:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, Reasoning):
        return f"thinks: {part.text or '(not shown)'}"
    if isinstance(part, ToolCall):
        return f"calls {part.name}({jsontext.brief(part.arguments, 400)}) as {part.id or '(no id)'}"
    if isinstance(part, ToolResult):
        failed = " failed" if part.is_error else ""
        return f"result of {part.call_id or part.name or '(no id)'}{failed}: {jsontext.brief(part.content, 400)}"
    return f"{part.kind or 'unknown part'}: {jsontext.brief(part.value, 200)}"
