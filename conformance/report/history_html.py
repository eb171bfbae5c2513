"""The history as one HTML page: a timeline with a box for each night; and the words that every format shares."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from conformance.diff.drift.change import Change, History
from conformance.model.printable import count, few, visible
from conformance.report.html_page import inline

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
CELLS = 3
"""How many cells are named."""
SIDES = {"response": "provider", "request": "client"}
"""Whose change it is, by the side that shows it."""


def page_of(title: str, heading: str) -> Iterator[str]:
    """The beginning of a page, up to its heading."""
    yield from ("<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">')
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(visible(title))}</title><style>{inline('history.css')}</style></head>"
    yield f"<body><h1>{escape(visible(heading))}</h1>"


def page(history: History) -> Iterator[str]:
    """The lines of the page."""
    yield from page_of(f"History of {history.folder}", headline(history))
    axis = f'<div class="axis"><span>{history.nights[0]}</span><span>{history.nights[-1]}</span></div>'
    yield f"<table><thead><tr><th>Change</th><th>Night by night{axis}</th></tr></thead><tbody>"
    for each in history.changes:
        yield f'<tr class="{each.grade}"><td><b>{each.grade}</b> '
        yield f"{SIDES[each.side]}: {escape(visible(each.message))}<br>"
        also = f"<br>also: {escape(visible('; '.join(each.also)))}" if each.also else ""
        yield f"<small>{escape(when(each))}<br>{escape(visible(where(each)))}{also}</small></td>"
        yield f"<td>{_bar(each, history)}</td></tr>"
    if not history.changes:
        yield '<tr><td colspan="2">No change.</td></tr>'
    yield "</tbody></table><p>The stronger the colour of a box, the more recordings of that night show the "
    yield "change; of a number, the more exceed a limit. Hatched: no recording. Point at a box to see its night."
    yield "</p></body></html>"


def _bar(each: Change, history: History) -> str:
    """One box for each night: the darker, the more recordings show it."""
    shares = each.shares or tuple(
        float(each.first <= night and (each.last is None or night <= each.last)) for night in history.nights
    )
    medians = each.medians or (None,) * len(shares)
    boxes = []
    for night, share, middle in zip(history.nights, shares, medians, strict=True):
        if share is None:
            boxes.append(f'<span class="none" title="{night}: no recording"></span>')
            continue
        title = f"{night}: {f'{share:.0%}' if middle is None else f'median {middle:g}'}"
        boxes.append(f'<span title="{title}">{f"""<i style="opacity:{share:.2g}"></i>""" if share else ""}</span>')
    return f'<div class="nights" role="img" aria-label="{escape(when(each))}">{"".join(boxes)}</div>'


def headline(history: History) -> str:
    """All of it in one line."""
    nights = history.nights
    numbers = f"{count(len(history.changes), 'change')} in {count(len(nights), 'night')}, {nights[0]} to {nights[-1]}"
    down = f"; {count(history.unanswered, 'recording')} left out, because the provider was down"
    line = f"{numbers}, {count(history.recordings, 'recording')}{down if history.unanswered else ''}"
    why = f"too few to tell: {history.needed} recordings of a cell are needed, {history.most} are there"
    return f"{why}; {line}" if history.too_few else line


def when(each: Change) -> str:
    """The nights of a change, in words."""
    until = f"last seen {each.last}" if each.last is not None else "still there"
    return f"first seen {each.first} (not on {each.before}), {until}"


def where(each: Change) -> str:
    """The target, model, answer and cells of a change."""
    whole = len(each.cells) == each.number > 1
    cells = f"all {each.number} cells" if whole else few(each.cells, CELLS)
    return "; ".join(filter(None, (f"{each.target} {each.model}".strip(), each.scope, cells)))
