"""One HTML page that needs nothing else: no script, style, font or image from elsewhere.

Its content policy admits the one style and the one script of the page, by their hashes, so nothing that was recorded
could run even if it got in.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from conformance.judge.checker import Summary
from conformance.model.exchange import Body, is_broken
from conformance.model.finding import Finding
from conformance.model.printable import short, visible
from conformance.report.base import Case
from conformance.report.causes import Block, Cause, Causes, how_often, sums
from conformance.report.excerpt import head_of
from conformance.report.html_matrix import Cells
from conformance.report.text_block import at, wire
from conformance.report.totals import verdict

if TYPE_CHECKING:
    from jinja2 import Environment

_PLACES = 10_000
"""How many places all causes together name; further ones are counted."""
_EXCHANGES = 30
"""How many of the worst causes show their exchange."""
_BODY = 6_000
"""The longest body that is shown, in characters."""
_HERE = Path(__file__).parent


class HtmlReport:
    """The sums are at the top of the page, so the causes are written at the end."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._causes = Causes(keep_traffic=True)
        self._cells = Cells()
        self._places: dict[int, dict[str, list[str]]] = {}
        self._named = 0

    def judged(self, source: str, case: Case | None = None) -> None:
        self._causes.judged(source, case)
        self._cells.judged(source, case)

    def finding(self, finding: Finding) -> None:
        cause = self._causes.add(finding)
        self._cells.finding(finding)
        if self._named < _PLACES:
            self._named += 1
            number = "" if finding.exchange is None else f"{finding.exchange} "
            self._places.setdefault(cause.number, {}).setdefault(finding.source, []).append(
                f"{number}{finding.pointer or ''}".strip()
            )

    def close(self, summary: Summary) -> None:
        style, script = inline("page.css"), inline("page.js")
        blocks = self._causes.blocks()
        page = (
            environment()
            .get_template("page.html")
            .generate(
                summary=summary.as_json(),
                verdict=verdict(summary),
                faults=[short(fault) for fault in summary.harness_errors],
                sums=sums(block.cause for block in blocks),
                matrices=self._cells.matrices(),
                cells=self._cells.anchors(),
                blocks=list(map(self._block, blocks)),
                style=style,
                script=script,
                style_hash=content_hash(style),
                script_hash=content_hash(script),
            )
        )
        for piece in page:
            # ASCII, with references for the rest: the page is the same in every encoding of the stream.
            self._stream.write(piece.encode("ascii", "xmlcharrefreplace").decode("ascii"))
        self._stream.write("\n")

    def _block(self, block: Block) -> dict[str, Any]:
        """What the page shows of a cause."""
        cause = block.cause
        traffic = cause.first.traffic if block.number <= _EXCHANGES else None
        places = self._places.get(cause.number, {})
        named = sum(map(len, places.values()))
        return {
            **self._line(cause),
            "number": block.number,
            "severity": str(cause.severity),
            "facts": list(_facts(cause)),
            "lines": _lines(cause),
            "request": _message(head_of(traffic, "request"), traffic.request.body) if traffic else "",
            "response": _message(head_of(traffic, "response"), traffic.response.body) if traffic else "",
            "follow": [self._line(each) for each in block.follow],
            "places": [(visible(file), visible(", ".join(filter(None, here)))) for file, here in places.items()],
            "unnamed": cause.count - named,
        }

    def _line(self, cause: Cause) -> dict[str, Any]:
        return {
            "rule": visible(cause.rule),
            "where": visible(cause.where),
            "often": how_often(cause, self._causes),
            "message": short(cause.message),
        }


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


def _lines(cause: Cause) -> list[tuple[str, bool]]:
    """The excerpt, each line with whether it is the place."""
    if cause.excerpt is None:
        return []
    head, *_ = wire(cause.excerpt)
    return [(head, False), *((text, marked) for text, marked in cause.excerpt.lines)]


def _message(head: str, body: Body) -> str:
    """A message as it is on the wire, with JSON indented."""
    text = body.text
    if (text is None or text.lstrip()[:1] in ("{", "[")) and not body.empty and not is_broken(body.json):
        text = json.dumps(body.json, ensure_ascii=False, indent=2)
    text = text or ""
    cut = text if len(text) <= _BODY else f"{text[:_BODY]}… ({len(text)} characters)"
    return "\n".join(map(visible, [head, "", *cut.split("\n")]))


def environment() -> Environment:
    """The templates of this folder; they escape everything."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def inline(name: str) -> str:
    """The text of a style or a script of this folder."""
    return (_HERE / name).read_text(encoding="ascii")


def content_hash(text: str) -> str:
    """The source expression that a content policy admits an inline element by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('ascii')).digest()).decode('ascii')}"
