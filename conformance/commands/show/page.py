"""`conformance show --format html`: the conversation as a page, with the wire of each exchange."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, Any

from conformance.commands.show.conversation import Marked, known_turns
from conformance.commands.show.exchanges import heading
from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.model.printable import short, visible
from conformance.model.registry import claim
from conformance.report.html_exchange import conversation_of, wire_of
from conformance.report.html_page import Pages


def write_page(exchanges: Sequence[Exchange], marked: Marked | None, stream: IO[str], *, title: str) -> None:
    """Writes the page; where there are more exchanges than one page holds, it states how many are left out."""
    pages = Pages()
    parts = []
    for values in _values(exchanges, marked):
        part = pages.part("html_shown.html", **values)
        if part is None:
            break
        parts.append(part)
    pages.write("html_show.html", stream, name=visible(title), parts=parts, left=len(exchanges) - len(parts))


def _values(exchanges: Sequence[Exchange], marked: Marked | None) -> Iterator[dict[str, Any]]:
    earlier: dict[str, list[View]] = {}
    for number, exchange in enumerate(exchanges):
        finding = marked.finding if marked is not None and exchange is marked.exchange else None
        dialect = claim(exchange.request)
        known = 0
        if dialect is not None and finding is None:
            view = View(exchange, dialect)
            known = known_turns(view, earlier.setdefault(exchange.group, []))
            earlier[exchange.group].append(view)
        yield {
            "heading": visible(heading(number, exchange)),
            "number": number,
            "finding": None if finding is None else (str(finding.severity), short(finding.message)),
            "facts": [] if finding is None else list(_facts(finding)),
            "turns": _turns(exchange, finding, known),
            "request": wire_of(exchange, "request", _place(finding, "request")),
            "response": wire_of(exchange, "response", _place(finding, "response")),
        }


def _turns(exchange: Exchange, finding: Finding | None, known: int) -> list[dict[str, Any]]:
    if finding is None:
        return conversation_of(exchange, known=known)
    return conversation_of(exchange, finding.dialect, finding.side, finding.pointer)


def _place(finding: Finding | None, side: str) -> str | None:
    return finding.pointer if finding is not None and finding.side == side else None


def _facts(finding: Finding) -> Iterator[tuple[str, str]]:
    facts = (("rule", finding.rule), ("at", finding.place), ("change", finding.fix), ("source", finding.cite))
    return ((name, short(text)) for name, text in facts if text)
