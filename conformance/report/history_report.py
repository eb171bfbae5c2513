"""The history of many nights as text, Markdown, JSON, or a page with a timeline."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import IO

from conformance.diff.change import Change, History
from conformance.diff.difference import Grade
from conformance.model.printable import count, encodable, visible
from conformance.report.diff_markdown import escaped

_CELLS = 3
_SIDES = {"response": "provider", "request": "client"}
_COLOURS = {Grade.CHANGE: "#c62828", Grade.REVIEW: "#b26a00", Grade.NOISE: "#607d8b"}


def write_history(history: History, format_: str, out: IO[str]) -> None:
    """Writes the report in a format."""
    if format_ == "json":
        json.dump(history.as_json(), out, indent=1)
        out.write("\n")
        return
    lines = {"markdown": _markdown, "html": _html}.get(format_, _text)(history)
    out.write(encodable("\n".join(lines) + "\n", getattr(out, "encoding", None)))


def _headline(history: History) -> str:
    nights = history.nights
    said = f"{count(len(history.changes), 'change')} in {count(len(nights), 'night')}, {nights[0]} to {nights[-1]}"
    down = f"; {count(history.unanswered, 'recording')} left out, because the provider was down"
    return f"{said}, {count(history.recordings, 'recording')}{down if history.unanswered else ''}"


def _when(each: Change) -> str:
    until = f"last seen {each.last}" if each.last is not None else "still there"
    return f"first seen {each.first} (not on {each.before}), {until}"


def _where(each: Change) -> str:
    cells = ", ".join(each.cells[:_CELLS]) + (
        f" and {len(each.cells) - _CELLS} more" if len(each.cells) > _CELLS else ""
    )
    return "; ".join(filter(None, (f"{each.target} {each.model}".strip(), each.scope, cells)))


def _text(history: History) -> Iterator[str]:
    for each in history.changes:
        yield f"{each.first}  {each.grade!s:7} {_SIDES[each.side]}: {visible(each.message)}"
        yield f"            {_when(each)}"
        yield f"            {visible(_where(each))}"
        if each.also:
            yield f"            also: {visible('; '.join(each.also))}"
    yield _headline(history)


def _markdown(history: History) -> Iterator[str]:
    yield from (f"## {escaped(_headline(history))}", "", "| first seen | last seen | | what | where |")
    yield "| --- | --- | --- | --- | --- |"
    for each in history.changes:
        last = str(each.last) if each.last is not None else "still there"
        row = (f"{each.first} (not on {each.before})", last, f"{_SIDES[each.side]} {each.grade}")
        yield f"| {' | '.join(map(escaped, (*row, each.message, _where(each))))} |"


_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1c1c1c;
  background: #fff }
h1 { font-size: 1.3rem } table { border-collapse: collapse; width: 100% }
td, th { padding: .45rem .5rem; text-align: left; vertical-align: top; border-top: 1px solid #ddd }
.nights { display: flex; height: 1.4rem; min-width: 14rem; background: #f2f2f2 }
.nights span { flex: 1; border-right: 1px solid #fff } .none { background: repeating-linear-gradient(45deg, #fff,
  #fff 3px, #ddd 3px, #ddd 5px) }
.axis { display: flex; justify-content: space-between; color: #555; font-size: .85rem }
small { color: #555; overflow-wrap: anywhere } .grade { font-weight: 600 }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e8e8e8 } td, th { border-color: #3a3d42 }
  .nights { background: #2a2d31 } .nights span { border-color: #16181b } small, .axis { color: #a8adb4 } }
"""


def _html(history: History) -> Iterator[str]:
    yield from ("<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">')
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>History of {escape(history.folder)}</title><style>{_STYLE}</style></head>"
    yield f"<body><h1>{escape(_headline(history))}</h1>"
    axis = f'<div class="axis"><span>{history.nights[0]}</span><span>{history.nights[-1]}</span></div>'
    yield f"<table><thead><tr><th>Change</th><th>Share of the recordings, night by night{axis}</th></tr></thead><tbody>"
    for each in history.changes:
        yield f'<tr><td><span class="grade" style="color:{_COLOURS[each.grade]}">{each.grade}</span> '
        yield f"{_SIDES[each.side]}: {escape(visible(each.message))}<br>"
        yield f"<small>{escape(_when(each))}<br>{escape(visible(_where(each)))}</small></td>"
        yield f"<td>{_bar(each, history)}</td></tr>"
    if not history.changes:
        yield '<tr><td colspan="2">No change.</td></tr>'
    yield "</tbody></table></body></html>"


def _bar(each: Change, history: History) -> str:
    """One box for each night: the darker, the more recordings show it."""
    shares = each.shares or tuple(
        float(each.first <= night and (each.last is None or night <= each.last)) for night in history.nights
    )
    boxes = []
    for night, share in zip(history.nights, shares, strict=True):
        title = f"{night}: {'no recording' if share is None else f'{share:.0%}'}"
        style = ' class="none"' if share is None else f' style="background:{_tint(each.grade, share)}"'
        boxes.append(f'<span title="{title}"{style}></span>')
    return f'<div class="nights" role="img" aria-label="{escape(_when(each))}">{"".join(boxes)}</div>'


def _tint(grade: Grade, share: float) -> str:
    return f"{_COLOURS[grade]}{round(share * 255):02x}"
