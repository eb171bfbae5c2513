"""`conformance show`: a cassette as a readable conversation."""

from __future__ import annotations

from collections.abc import Iterator

import click

from conformance.cassette.load import Cassette, load_cassette
from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.commands.show_events import narration
from conformance.commands.show_wire import wire_lines
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.printable import visible
from conformance.model.registry import claim
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult, Turn


def run(*, cassette: str, wire: bool, events: bool) -> int:
    """Prints the metadata, then what each exchange adds to the conversation, or each event to the turn."""
    loaded = load_cassette(cassette)
    redactor = Redactor(known_secrets())
    for key, value in loaded.metadata.items():
        click.echo(visible(redactor.text(f"{key:20} {value}")))
    for line in narration(loaded, wire=wire) if events else conversation(loaded, wire=wire):
        click.echo(visible(redactor.text(line)))
    return 0


def conversation(cassette: Cassette, *, wire: bool = False) -> Iterator[str]:
    """The lines of a cassette's conversation; with `wire`, also each request and response."""
    earlier: list[View] = []
    told = 0
    for number, exchange in enumerate(cassette.exchanges):
        yield ""
        yield f"── exchange {number}: {exchange.request.method} {exchange.request.path} → {exchange.response.status}"
        dialect = claim(exchange.request)
        if dialect is None:
            yield "   not recognised as a request of any dialect"
            continue
        view = View(exchange, dialect, tuple(earlier))
        told = told if told <= len(view.history) else 0
        for turn in view.history[told:]:
            yield from _turn(turn)
        for turn in view.replies:
            yield from _turn(turn)
        if not view.ok:
            yield f"   refused  {jsontext.brief(view.response, 400)}"
        told = len(view.history) + 1
        earlier.append(view)
        if wire:
            yield from wire_lines(exchange)


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
