"""The history as one HTML page: a timeline with a box for each night."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from conformance.diff.drift.change import Change, History
from conformance.model.printable import visible
from conformance.report.history_words import SIDES, headline, when, where

_STYLE = """
:root { color-scheme: light dark; --text: #1c1c1c; --soft: #555; --line: #ddd; --empty: #eee; --page: #fff }
.change { --hue: #c62828 } .review { --hue: #9a5b00 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8e8e8; --soft: #a8adb4; --line: #3a3d42; --empty: #2a2d31; --page: #16181b }
  .change { --hue: #ff8a80 } .review { --hue: #ffb74d }
}
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: var(--text);
  background: var(--page) }
h1 { font-size: 1.3rem }
table { border-collapse: collapse; width: 100% }
td, th { padding: .45rem .5rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line);
  overflow-wrap: anywhere }
th:last-child, td:last-child { width: 45% }
.nights { display: flex; height: 1.4rem; background: var(--empty) }
.nights span { flex: 1; box-shadow: inset -1px 0 var(--page) }
.nights i { display: block; height: 100%; background: var(--hue); box-shadow: inset -1px 0 var(--page) }
.none { background: repeating-linear-gradient(45deg, var(--page), var(--page) 3px, var(--line) 3px, var(--line) 5px) }
.axis { display: flex; justify-content: space-between; font-weight: normal }
small, .axis, p { color: var(--soft); font-size: .85rem }
b { color: var(--hue); font-weight: 600 }
h2 { font-size: 1.1rem; margin-top: 2rem }
polyline { fill: none; stroke: var(--hue); stroke-width: 1.5 } circle { fill: var(--hue) }
@media (max-width: 44rem) {
  body { margin: 1rem auto }
  table, thead, tbody, tr, th, td { display: block } th:first-child { display: none }
  th:last-child, td:last-child { width: auto } td:last-child { border: 0; padding-bottom: 1rem }
}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page_of(title: str, heading: str) -> Iterator[str]:
    """The beginning of a page, up to its heading."""
    yield from ("<!doctype html>", '<html lang="en">', "<head>", '<meta charset="utf-8">')
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(visible(title))}</title><style>{_STYLE}</style></head>"
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
