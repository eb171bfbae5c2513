"""One HTML page that needs nothing else: the matrix, statistics of samples, and every cause with its exchange."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, Any

from conformance.judge.summary import Summary
from conformance.model.finding import Finding
from conformance.model.printable import short, visible
from conformance.report.base import Case
from conformance.report.causes import Block, Cause, Causes, how_often, sums
from conformance.report.html_exchange import conversation_of, wire_of
from conformance.report.html_matrix import Cells
from conformance.report.html_page import ROOM, Pages
from conformance.report.text_block import at, wire
from conformance.report.totals import notices_and_reason, verdict
from conformance.report.wire_lines import ShownLine

_PLACES = 10_000
"""How many places all causes together name; further ones are counted."""
_PLACES_LENGTH = 400_000
"""How many characters these have together."""
_EXCHANGES = 60
"""How many of the worst causes show their exchange."""
_FOLLOW = 40
_MARK = 120
"""How many characters a mark of the matrix has."""
_LEAST = 500_000
"""The room for causes and statistics that is left by any matrix, in characters."""
_RESERVE = 200_000
"""The room of the page that is kept for causes in short, in characters."""


class HtmlReport:
    """The sums are at the top of the page, so the causes are written at the end."""

    shows_sources = True

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._causes = Causes(keep_traffic=True)
        self._cells = Cells()
        self._places: dict[int, dict[str, list[str]]] = {}
        self._named = self._named_length = 0
        self.statistics: Mapping[str, Any] | None = None
        """What `conformance.campaign.statistics` measured, for runs with samples."""

    def judged(self, source: str, case: Case | None = None) -> None:
        self._causes.judged(source, case)
        self._cells.judged(source, case)

    def finding(self, finding: Finding) -> None:
        cause = self._causes.add(finding)
        self._cells.finding(finding, cause.number)
        if self._named < _PLACES and self._named_length < _PLACES_LENGTH:
            files = self._places.setdefault(cause.number, {})
            number = "" if finding.exchange is None else f"{finding.exchange} "
            place = short(f"{number}{finding.pointer or ''}".strip())
            self._named += 1
            self._named_length += len(place) + (0 if finding.source in files else len(finding.source))
            files.setdefault(finding.source, []).append(place)

    def close(self, summary: Summary) -> None:
        pages = Pages(max(_LEAST, ROOM - _MARK * len(self._cells)))
        blocks = self._causes.blocks()
        numbers = {each.number: block.number for block in blocks for each in (block.cause, *block.follow)}
        statistics = None
        if self.statistics is not None:
            from conformance.report.html_statistics import statistics_of  # which imports what runs clients

            statistics = pages.part("html_statistics.html", **statistics_of(self.statistics))
        causes = list(self._rendered(blocks, pages))
        shown = {number: block for number, block in numbers.items() if block <= len(causes)}
        pages.write(
            "html_report.html",
            self._stream,
            summary={name: number for name, number in summary.as_json().items() if isinstance(number, int)},
            verdict=verdict(summary),
            notices=notices_and_reason(summary),
            faults=[short(fault) for fault in summary.harness_errors],
            sums=sums(blocks) if blocks else "",
            statistics=statistics,
            matrices=self._cells.matrices(shown),
            cells=self._cells.with_findings(shown),
            causes=causes,
            left=len(blocks) - len(causes),
        )

    def _rendered(self, blocks: list[Block], pages: Pages) -> Iterator[str]:
        """The causes, the worst in full, in what room there is: then without exchange, then in one line."""
        for block in blocks:
            line = self._line(block)
            for form in (self._with_exchange, self._in_full, self._in_short):
                if form != self._in_short and pages.room < _RESERVE:
                    continue
                values = form(block)
                part = pages.part("html_cause.html", block={**line, **values}) if values is not None else None
                if part is not None:
                    yield part
                    break
            else:
                return

    def _line(self, block: Block) -> dict[str, Any]:
        return {
            **self._headline(block.cause),
            "number": block.number,
            "severity": str(block.severity),
        }

    def _with_exchange(self, block: Block) -> dict[str, Any] | None:
        first = block.cause.first
        traffic = first.traffic if block.number <= _EXCHANGES else None
        if traffic is None:
            return None
        place = {first.side: first.pointer}
        return {
            **self._in_full(block),
            "request": wire_of(traffic, "request", place.get("request")),
            "response": wire_of(traffic, "response", place.get("response")),
            "turns": conversation_of(traffic, first.dialect, first.side, first.pointer),
        }

    def _in_full(self, block: Block) -> dict[str, Any]:
        cause = block.cause
        places = self._places.get(cause.number, {})
        named = sum(map(len, places.values()))
        return {
            **_NOTHING,
            "facts": list(_facts(cause)),
            "lines": _lines(cause),
            "follow": [self._headline(each) for each in block.follow[:_FOLLOW]],
            "places": [(short(file), ", ".join(filter(None, here))) for file, here in places.items()],
            "unnamed": cause.count - named,
        }

    def _in_short(self, _: Block) -> dict[str, Any]:
        return _NOTHING

    def _headline(self, cause: Cause) -> dict[str, Any]:
        return {
            "rule": visible(cause.rule),
            "where": short(cause.where),
            "often": how_often(cause, self._causes),
            "message": short(cause.message),
        }


_NOTHING: dict[str, Any] = dict.fromkeys(("facts", "lines", "request", "response", "turns", "follow", "places"), ())


def _facts(cause: Cause) -> Iterator[tuple[str, str]]:
    facts = (
        ("first at", at(cause)),
        ("must hold", cause.holds),
        ("expected", cause.first.expected),
        ("actual", cause.first.actual),
        ("change", cause.first.fix),
        ("source", cause.first.cite),
    )
    return ((name, short(text)) for name, text in facts if text)


def _lines(cause: Cause) -> list[ShownLine]:
    """The excerpt, for causes whose exchange is not shown."""
    if cause.excerpt is None:
        return []
    head, *_ = wire(cause.excerpt)
    return [ShownLine(head), *(ShownLine(text, marked) for text, marked in cause.excerpt.lines)]
