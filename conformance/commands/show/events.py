"""`conformance show --events`: what each stream event adds, in the same form for every dialect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from conformance.commands.show.exchanges import exchange_lines
from conformance.judge.view import View
from conformance.model.dialect import Dialect
from conformance.model.exchange import Exchange
from conformance.model.printable import visible
from conformance.model.stream_events import of_turns
from conformance.model.transcript import StreamEvent


def moments_of(exchange: Exchange, dialect: Dialect) -> tuple[bool, list[StreamEvent]]:
    """Whether the response was streamed, and its stream events; without a stream, every part is one event."""
    view = View(exchange, dialect)
    if view.events is None:
        return False, list(of_turns(view.replies))
    return True, list(dialect.readers.stream_events(view.events))


def narration(exchanges: Sequence[Exchange], *, wire: bool = False) -> Iterator[str]:
    """The lines of a recording: one for each stream event."""

    def events(exchange: Exchange, dialect: Dialect) -> Iterator[str]:
        streamed, moments = moments_of(exchange, dialect)
        yield f"   {dialect.name}, {'streamed' if streamed else 'not streamed: each part is complete'}"
        yield from table(moments)
        if not moments:
            yield "   empty response" if exchange.response.ok else "   error response"

    return exchange_lines(exchanges, events, wire=wire)


def table(moments: Iterable[StreamEvent]) -> Iterator[str]:
    """One aligned line for each stream event: its position, kind, tool call and content."""
    rows = [tuple(map(visible, (each.pointer, _kind(each), _whose(each), _content(each)))) for each in moments]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row in rows:
        cells = [f"{cell:{width}}" for cell, width in zip(row[:3], widths, strict=True)]
        yield "   " + "  ".join([*cells, row[3]]).rstrip()


def _kind(moment: StreamEvent) -> str:
    return moment.kind if moment.choice == 0 else f"{moment.kind} (choice {moment.choice})"


def _whose(moment: StreamEvent) -> str:
    if moment.call is None:
        return ""
    return f"{moment.tool_call_id or '(no id)'} {moment.tool_call_name or '(no name)'}"


def _content(moment: StreamEvent) -> str:
    """Text in quotes, to show its spaces; arguments unchanged."""
    if moment.kind in ("text", "reasoning"):
        return json.dumps(moment.text, ensure_ascii=False)
    if moment.kind == "stop":
        return f"{moment.stop} ({moment.stop_wire})"
    return (moment.arguments_complete if moment.kind == "tool_call_end" else moment.arguments_chunk) or ""
