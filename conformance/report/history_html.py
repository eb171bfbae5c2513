"""The history as one HTML page: a timeline with a box for each night."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from conformance.diff.drift.change import Change, History
from conformance.model.printable import visible
from conformance.report.history_words import SIDES, headline, when, where
from conformance.report.html_page import inline

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


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
