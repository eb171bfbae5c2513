"""One HTML page that needs nothing else: no script, style, font or image from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

from conformance.judge.checker import Summary
from conformance.model.finding import Finding, Severity
from conformance.model.printable import short, visible
from conformance.report.spool import Spool
from conformance.report.statements import statement
from conformance.report.totals import Totals, verdict


class HtmlReport:
    """The sums stand at the top of the page, so the findings wait in a spool until the end."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._totals = Totals()
        self._spool = Spool()

    def judged(self, source: str) -> None:
        pass

    def finding(self, finding: Finding) -> None:
        self._totals.add(finding)
        self._spool.write(json.dumps(_row(finding)) + "\n")

    def close(self, summary: Summary) -> None:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        environment = Environment(
            loader=FileSystemLoader(Path(__file__).parent),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        page = environment.get_template("page.html").generate(
            summary=summary.as_json(),
            verdict=verdict(summary),
            faults=[short(fault) for fault in summary.harness_errors],
            totals=[
                (visible(total.rule), str(total.severity), total.number, statement(total.rule) or "")
                for total in self._totals.by_weight()
            ],
            findings=map(json.loads, self._spool.lines()),
        )
        for piece in page:
            # ASCII, with references for the rest: the page is the same in every encoding of the stream.
            self._stream.write(piece.encode("ascii", "xmlcharrefreplace").decode("ascii"))
        self._stream.write("\n")


def _row(finding: Finding) -> dict[str, Any]:
    """What the page shows of a finding."""
    labels = (("id", finding.id), ("conversation", finding.conversation))
    return {
        "severity": str(finding.severity),
        "weight": list(Severity).index(finding.severity),
        "rule": visible(finding.rule),
        "dialect": finding.dialect or "",
        "source": visible(finding.source),
        "place": visible(finding.place),
        "labels": ", ".join(f"{name} {visible(value)}" for name, value in labels if value is not None),
        "message": short(finding.message),
        "facts": [
            (name, short(text))
            for name, text in (("expected", finding.expected), ("actual", finding.actual), ("source", finding.cite))
            if text is not None
        ],
    }
