"""The values of the pages: cells, shares and statements in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from conformance.judge.run_rules import run_rules
from conformance.judge.selection import today
from conformance.model.printable import count, short, visible
from conformance.report.site.changes import Place
from conformance.report.site.layout import Day, Implementation
from conformance.report.site.snapshot import Counts, Shown, Snapshot, Statement
from conformance.report.statements import statement
from conformance.report.wire_lines import ShownLine

MARKS = {"failed": ("✗", "error"), "warned": ("!", "warning"), "passed": ("✓", "ok")}
_WORST = ("failed", "warned", "passed")
_WIDTH = 300

_FRESH = 90
"""After so many days a report is called old."""


@dataclass(frozen=True, slots=True)
class Measured:
    """An implementation with the snapshot of each of its days, in the order of history."""

    about: Implementation
    days: Mapping[Day, Snapshot]

    @property
    def day(self) -> Day:
        return list(self.days)[-1]

    @property
    def latest(self) -> Snapshot:
        return self.days[self.day]

    @property
    def file(self) -> str:
        return f"implementation-{self.about.slug}.html"

    @property
    def dialects(self) -> list[str]:
        """Every dialect that was ever run."""
        return sorted({dialect for each in self.days.values() for dialect in each.dialects})


def statement_of(rule: str) -> str:
    """The statement of a rule in words."""
    return short(statement(rule) or "a rule that this version does not have")


def anchor(dialect: str, rule: str) -> str:
    """The id of a statement on the page of an implementation."""
    return f"{dialect}.{rule}"


def share(snapshot: Snapshot, dialect: str) -> dict[str, Any]:
    """How many statements of a dialect hold."""
    counts = snapshot.counts(dialect)
    number = counts.exercised or 1
    good, fair = (round(100 * each / number, 1) for each in (counts.passed, counts.warned))
    return {
        "run": dialect in snapshot.dialects,
        "dialect": dialect,
        "text": held(counts),
        "label": in_words(counts),
        "exercised": counts.exercised,
        "good": good,
        "fair": fair,
        "bad_from": round(good + fair, 1),
        "bad": round(max(0.0, 100 - good - fair), 1) if counts.failed else 0,
    }


def held(counts: Counts) -> str:
    """How many hold: `91 of 96`."""
    return f"{counts.passed} of {counts.exercised}" if counts.exercised else "failures only"


def summary(snapshot: Snapshot, dialect: str) -> str:
    """The same for a dialect, with the statements about whole runs, which are not among the exercised ones."""
    runs = sum(each.counted is None and each.state != "passed" for each in snapshot.dialects[dialect].values())
    more = f"; {count(runs, 'statement')} about whole runs not kept" if runs else ""
    return f"{in_words(snapshot.counts(dialect))}{more}."


def in_words(counts: Counts) -> str:
    """A sentence with all three numbers."""
    return (
        f"{count(counts.exercised, 'statement')} exercised: {counts.passed} without a finding, "
        f"{counts.warned} with warnings, {counts.failed} with errors"
    )


def about(each: Implementation, day: Day) -> str:
    """What it is, and when it was run."""
    return ", ".join(filter(None, (each.kind, day.date, age(day))))


def age(day: Day) -> str:
    """How old a report is, if it is so old that it is no longer about today; else empty."""
    try:
        days = (today() - date.fromisoformat(day.date)).days
    except ValueError:
        return ""
    return f"{days} days old" if days > _FRESH else ""


def how_often(each: Statement) -> str:
    """In how many exchanges: `5 of 12`, or for a statement that holds, in how many it was exercised."""
    if each.state == "passed":
        return str(each.exercised)
    return str(each.wrong) if each.exercised is None else f"{each.wrong}/{each.exercised}"


def cell(statements: Mapping[str, Statement], dialect: str, rule: str, file: str) -> dict[str, str]:
    """A cell of a dialect's table."""
    each = statements.get(rule)
    if each is None:
        return {"text": "", "style": "", "link": "", "title": "not exercised"}
    mark, style = MARKS[each.state]
    return {
        "text": f"{mark} {how_often(each)}",
        "style": style,
        "link": f"{file}#{anchor(dialect, rule)}",
        "title": in_exchanges(each),
    }


def in_exchanges(each: Statement) -> str:
    """What a cell means."""
    if each.state == "passed":
        return f"no finding in {count(each.exercised or 0, 'exchange')}"
    kind = "errors" if each.state == "failed" else "warnings"
    if each.rule in run_rules():
        return f"{kind} in {count(each.wrong, 'run')}"
    of = "" if each.exercised is None else f" of {each.exercised}"
    return f"{kind} in {each.wrong}{of} exchange{'s' * ((each.exercised or each.wrong) != 1)}"


def worst_first(columns: Sequence[Mapping[str, Statement]]) -> Iterator[tuple[str, str]]:
    """Each rule with its worst state: those that most implementations break come first."""

    def weight(rule: str) -> tuple[int, int, str]:
        states = [column[rule].state for column in columns if rule in column]
        return -states.count("failed"), -states.count("warned"), rule

    for rule in sorted({rule for column in columns for rule in column}, key=weight):
        states = {column[rule].state for column in columns if rule in column}
        yield rule, next(state for state in _WORST if state in states)


def in_full(dialect: str, each: Statement, *, excerpts: bool = True) -> dict[str, Any]:
    """A statement that does not hold, with its causes."""
    mark, style = MARKS[each.state]
    return {
        "id": anchor(dialect, each.rule),
        "rule": visible(each.rule),
        "state": each.state,
        "mark": mark,
        "style": style,
        "count": in_exchanges(each),
        "statement": statement_of(each.rule),
        "causes": [_cause(one, excerpts=excerpts) for one in each.shown],
    }


def _cause(shown: Shown, *, excerpts: bool) -> dict[str, Any]:
    finding = shown.finding
    return {
        "message": short(finding.message),
        "where": short(f"{finding.source} {finding.place}"),
        "cite": short(finding.cite or ""),
        "lines": _lines(shown.excerpt) if excerpts else [],
    }


def _lines(excerpt: Mapping[str, Any] | None) -> list[ShownLine]:
    if excerpt is None:
        return []
    arrow = ">" if excerpt["side"] == "request" else "<"
    marked = set(excerpt["marked"])
    lines = enumerate(excerpt["lines"][:20])
    return [
        ShownLine(visible(f"{arrow} {excerpt['head']}"[:_WIDTH])),
        *(ShownLine(visible(text[:_WIDTH]), number in marked) for number, text in lines),
    ]


def places(found: Sequence[Place], linked: Snapshot) -> list[dict[str, str]]:
    """The statements of a list of changes, with links to those that the page shows."""
    return [
        {
            "dialect": dialect,
            "rule": visible(rule),
            "statement": statement_of(rule),
            "link": anchor(dialect, rule) if rule in linked.dialects.get(dialect, ()) else "",
        }
        for dialect, rule in found[:40]
    ]
