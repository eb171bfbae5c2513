"""The trends of many days as text, Markdown, JSON, or a page with a plot for each rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import IO

from conformance.diff.drift.trends import Rate, Trends
from conformance.model.printable import count, few, in_columns, visible
from conformance.report.console import put, put_json
from conformance.report.diff_markdown import escaped
from conformance.report.history_html import CELLS, SIDES, page_of, when

_SHOWN = 50
"""How many rates text and Markdown show."""
_WIDTH, _HEIGHT = 300, 40
_HEAD = ("rule", "severity", "dialect", "provider", "model", "client", "conversations", "first seen", "last seen")


def write_trends(trends: Trends, format_: str, out: IO[str]) -> None:
    """Writes the report in a format."""
    if format_ == "json":
        put_json(out, trends.as_json())
        return
    lines = {"markdown": _markdown, "html": _page}.get(format_, _text)(trends)
    put(out, "\n".join(lines) + "\n")


def _headline(trends: Trends) -> str:
    days = f"{count(len(trends.days), 'day')}, {trends.days[0]} to {trends.days[-1]}"
    parts = [f"{count(len(trends.changes), 'change')} in {days}, {count(trends.conversations, 'conversation')}"]
    if trends.begun:
        parts.append(f"{count(len(trends.begun), 'change')} began on the last day")
    if trends.undated:
        parts.append(f"{count(trends.undated, 'conversation')} of no known day left out")
    return "; ".join(parts)


def _cells(rate: Rate) -> tuple[str, ...]:
    of = rate.stratum
    share = f"{rate.shown} of {rate.total} ({rate.shown / max(1, rate.total):.2%})"
    named = (rate.rule, str(rate.severity), of.dialect, of.provider or "?", of.model or "?", of.client or "?")
    return (*map(visible, named), share, str(rate.first), str(rate.last))


def _text(trends: Trends) -> Iterator[str]:
    yield from in_columns([_HEAD, *map(_cells, trends.rates[:_SHOWN])])
    if len(trends.rates) > _SHOWN:
        yield f"and {len(trends.rates) - _SHOWN} more; --format json has all"
    yield ""
    for each in trends.changes:
        yield f"{each.first}  {each.grade!s:7} {SIDES[each.side]}: {visible(each.message)}"
        yield f"            {when(each)}; {visible(few(each.cells, CELLS))}"
    yield _headline(trends)


def _markdown(trends: Trends) -> Iterator[str]:
    yield from (f"## {escaped(_headline(trends))}", "")
    if trends.changes:
        yield from ("| first seen | last seen | | what | where |", "| --- | --- | --- | --- | --- |")
    for each in trends.changes:
        last = str(each.last) if each.last is not None else "still there"
        row = (str(each.first), last, f"{SIDES[each.side]} {each.grade}", each.message, few(each.cells, CELLS))
        yield f"| {' | '.join(map(escaped, row))} |"
    yield from ("", f"| {' | '.join(_HEAD)} |", f"|{' --- |' * len(_HEAD)}")
    yield from (f"| {' | '.join(map(escaped, _cells(each)))} |" for each in trends.rates[:_SHOWN])


def _page(trends: Trends) -> Iterator[str]:
    yield from page_of(f"Trends of {trends.folder}", _headline(trends))
    yield "<h2>Changes</h2><table><tbody>"
    for change in trends.changes:
        yield f'<tr class="{change.grade}"><td><b>{change.grade}</b> {SIDES[change.side]}: '
        yield f"{escape(visible(change.message))}<br><small>{escape(when(change))}<br>"
        yield f"{escape(visible(few(change.cells, CELLS)))}</small></td><td>{_plot(change.shares, trends)}</td></tr>"
    if not trends.changes:
        yield '<tr><td colspan="2">No change.</td></tr>'
    yield "</tbody></table><h2>Rates</h2><table><thead><tr>"
    yield "".join(f"<th>{name}</th>" for name in (*_HEAD, "day by day")) + "</tr></thead><tbody>"
    for rate in trends.rates:
        shares = [shown / total if total else None for shown, total in rate.counts]
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in _cells(rate))
        grade = "change" if rate.severity == "error" else "review"
        yield f'<tr class="{grade}">{cells}<td>{_plot(shares, trends)}</td></tr>'
    yield "</tbody></table><p>A line shows the share of conversations with a finding; its scale ends at the highest "
    yield "day, which is named. Point at a dot to see its day. A day without traffic has no dot.</p></body></html>"


def _plot(shares: Sequence[float | None], trends: Trends) -> str:
    """A line with a dot for each day that has traffic."""
    top = max((share for share in shares if share is not None), default=0) or 1
    step = _WIDTH / max(1, len(shares) - 1)
    dots = [
        (5 + number * step, 5 + _HEIGHT * (1 - share / top), trends.days[number], share)
        for number, share in enumerate(shares)
        if share is not None
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, *_ in dots)
    points = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{day}: {share:.2%}</title></circle>'
        for x, y, day, share in dots
    )
    label = f"at most {top:.2%}, {shares[-1] or 0:.2%} on {trends.days[-1]}"
    return (
        f'<svg viewBox="0 0 {_WIDTH + 10} {_HEIGHT + 10}" width="{_WIDTH + 10}" role="img" aria-label="{label}">'
        f'<polyline points="{line}"/>{points}</svg><br><small>{label}</small>'
    )
