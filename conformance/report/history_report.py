"""The history of many nights as text, Markdown or JSON; the page is that of `history_html`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO

from conformance.diff.change import Change, History
from conformance.model.printable import count, encodable, visible
from conformance.report.diff_markdown import escaped

_CELLS = 3
SIDES = {"response": "provider", "request": "client"}


def write_history(history: History, format_: str, out: IO[str]) -> None:
    """Writes the report in a format."""
    if format_ == "json":
        json.dump(history.as_json(), out, indent=1)
        out.write("\n")
        return
    from conformance.report.history_html import page

    lines = {"markdown": _markdown, "html": page}.get(format_, _text)(history)
    out.write(encodable("\n".join(lines) + "\n", getattr(out, "encoding", None)))


def headline(history: History) -> str:
    """All of it in one line."""
    nights = history.nights
    said = f"{count(len(history.changes), 'change')} in {count(len(nights), 'night')}, {nights[0]} to {nights[-1]}"
    down = f"; {count(history.unanswered, 'recording')} left out, because the provider was down"
    return f"{said}, {count(history.recordings, 'recording')}{down if history.unanswered else ''}"


def when(each: Change) -> str:
    """The nights of a change, in words."""
    until = f"last seen {each.last}" if each.last is not None else "still there"
    return f"first seen {each.first} (not on {each.before}), {until}"


def where(each: Change) -> str:
    """The target, model, answer and cells of a change."""
    cells = ", ".join(each.cells[:_CELLS]) + (
        f" and {len(each.cells) - _CELLS} more" if len(each.cells) > _CELLS else ""
    )
    return "; ".join(filter(None, (f"{each.target} {each.model}".strip(), each.scope, cells)))


def _text(history: History) -> Iterator[str]:
    for each in history.changes:
        yield f"{each.first}  {each.grade!s:7} {SIDES[each.side]}: {visible(each.message)}"
        yield f"            {when(each)}"
        yield f"            {visible(where(each))}"
        if each.also:
            yield f"            also: {visible('; '.join(each.also))}"
    yield headline(history)


def _markdown(history: History) -> Iterator[str]:
    yield from (f"## {escaped(headline(history))}", "", "| first seen | last seen | | what | where |")
    yield "| --- | --- | --- | --- | --- |"
    for each in history.changes:
        last = str(each.last) if each.last is not None else "still there"
        row = (f"{each.first} (not on {each.before})", last, f"{SIDES[each.side]} {each.grade}")
        yield f"| {' | '.join(map(escaped, (*row, each.message, where(each))))} |"
