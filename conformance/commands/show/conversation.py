"""A recording as a readable conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from conformance.commands.show.exchanges import exchange_lines
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.dialect import Dialect
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult, Turn
from conformance.report import html_messages
from conformance.report.excerpt import excerpt_of
from conformance.report.html_exchange import is_at
from conformance.report.text_block import wire as wire_lines

_LONGEST = 400


class Marked(NamedTuple):
    """A finding to mark, and its exchange."""

    exchange: Exchange
    finding: Finding

    def pointer(self, side: str) -> str | None:
        """The place of the finding, if it is on this side."""
        return self.finding.pointer if self.finding.side == side else None


def conversation(exchanges: Sequence[Exchange], *, wire: bool = False, marked: Marked | None = None) -> Iterator[str]:
    """The lines of the conversations: what each exchange adds to its own, with the place of a finding."""
    earlier: dict[str, list[View]] = {}

    def added(exchange: Exchange, dialect: Dialect) -> Iterator[str]:
        about = marked if marked is not None and exchange is marked.exchange else None
        lines = list(_messages(exchange, about))
        if not lines:
            before = earlier.setdefault(exchange.group, [])
            view = View(exchange, dialect, tuple(before))
            known = known_turns(view, before)
            if about is not None and any(_marks(turn, about, "request") for turn in view.history[:known]):
                known = 0
            lines = list(_view(view, known, about))
            before.append(view)
        yield from lines
        if about is not None:
            yield from _finding(about, shown=any(line.startswith("->") for line in lines))

    return exchange_lines(exchanges, added, wire=wire)


def known_turns(view: View, earlier: Sequence[View]) -> int:
    """How many turns of a request were shown with earlier exchanges of its run: those of one, and its reply."""
    for before in reversed(earlier):
        number = len(before.history)
        if [*map(_shown, before.history)] == [*map(_shown, view.history[:number])]:
            replied = number < len(view.history) and before.replies and view.history[number].role == "assistant"
            return number + bool(replied)
    return 0


def _shown(turn: Turn) -> tuple[str, ...]:
    return (turn.role, *map(_part, turn.parts))


def _messages(exchange: Exchange, about: Marked | None) -> Iterator[str]:
    """The messages of JSON-RPC, which has no turns."""
    for each in html_messages.messages_of(exchange):
        at = about is not None and html_messages.is_at(each, about.finding.side, about.finding.pointer)
        text = " ".join(each.text.split())
        yield f"{_start(at)}{each.role:10} {each.title} {text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''}".rstrip()


def _view(view: View, known: int, about: Marked | None) -> Iterator[str]:
    for turn in view.history[known:]:
        yield from _turn(turn, about, "request")
    for turn in view.replies:
        yield from _turn(turn, about, "response")
    if not view.ok and not view.exchange.response.body.empty:
        yield f"   refused  {jsontext.brief(view.response, _LONGEST)}"


def _finding(about: Marked, *, shown: bool) -> Iterator[str]:
    """What is wrong there; the wire, too, where the place is none of the conversation."""
    finding = about.finding
    yield ""
    yield f"-> {finding.severity}: {finding.message}"
    rows = (("rule", finding.rule), ("at", finding.place), ("expected", finding.expected), ("actual", finding.actual))
    yield from (f"   {name:8} {text}" for name, text in (*rows, ("change", finding.fix)) if text)
    excerpt = None if shown else excerpt_of(finding)
    if excerpt is not None:
        yield from (f"   {line}" for line in wire_lines(excerpt))


def _marks(turn: Turn, about: Marked | None, side: str) -> bool:
    return about is not None and any(is_at(part, about.pointer(side)) for part in turn.parts)


def _start(marked: bool) -> str:  # noqa: FBT001 - the one thing that it is about
    return "-> " if marked else "   "


def _turn(turn: Turn, about: Marked | None, side: str) -> Iterator[str]:
    for part in turn.parts:
        at = about is not None and is_at(part, about.pointer(side))
        yield f"{_start(at)}{turn.role:10} {_part(part)}"
    if turn.stop is not None:
        yield f"   {'':10} (stops: {turn.stop_wire})"


def _part(part: Part) -> str:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, Reasoning):
        return f"thinks: {part.text or '(not shown)'}"
    if isinstance(part, ToolCall):
        return f"calls {part.name}({jsontext.brief(part.arguments, _LONGEST)}) as {part.id or '(no id)'}"
    if isinstance(part, ToolResult):
        failed = " failed" if part.is_error else ""
        return f"result of {part.call_id or part.name or '(no id)'}{failed}: {jsontext.brief(part.content, _LONGEST)}"
    return f"{part.kind or 'unknown part'}: {jsontext.brief(part.value, 200)}"
