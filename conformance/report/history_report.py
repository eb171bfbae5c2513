"""The history of many nights as text, Markdown or JSON; the page is that of `history_html`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from conformance.diff.drift.change import History
from conformance.model.printable import visible
from conformance.report.console import put, put_json
from conformance.report.diff_markdown import escaped
from conformance.report.history_html import SIDES, headline, page, when, where


def write_history(history: History, format_: str, out: IO[str]) -> None:
    """Writes the report in a format."""
    if format_ == "json":
        put_json(out, history.as_json())
        return
    lines = {"markdown": _markdown, "html": page}.get(format_, _text)(history)
    put(out, "\n".join(lines) + "\n")


def _text(history: History) -> Iterator[str]:
    for each in history.changes:
        what = each.what or each.message
        yield f"{each.first}  {each.grade!s:7} {SIDES[each.side]}: {visible(what)}"
        yield f"            {visible(where(each))}; {when(each)}"
        if each.also:
            yield f"            also: {visible('; '.join(each.also))}"
        if what != each.message:
            yield f"            {visible(each.message.removeprefix(what).removeprefix(': '))}"
    yield headline(history)


def _markdown(history: History) -> Iterator[str]:
    yield from (f"## {escaped(headline(history))}", "", "| first seen | last seen | | what | where |")
    yield "| --- | --- | --- | --- | --- |"
    for each in history.changes:
        last = str(each.last) if each.last is not None else "still there"
        row = (f"{each.first} (not on {each.before})", last, f"{SIDES[each.side]} {each.grade}")
        yield f"| {' | '.join(map(escaped, (*row, each.message, where(each))))} |"
