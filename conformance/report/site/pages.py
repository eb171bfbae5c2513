"""The pages of the site: an index, one page for each dialect, one for each implementation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

from conformance.report.html_page import Pages
from conformance.report.site.badge import LABEL, svg
from conformance.report.site.cells import (
    Measured,
    about,
    anchor,
    cell,
    in_full,
    in_words,
    places,
    share,
    statement_of,
    summary,
    worst_first,
)
from conformance.report.site.changes import changes
from conformance.report.site.layout import Day
from conformance.report.site.outcomes import TABLES, tallies
from conformance.report.site.snapshot import Snapshot

_HERE = Path(__file__).parent
_ROWS = 400
"""How many implementations the index has, and how many runs a history."""
_WRONG = 300


def dialect_file(dialect: str) -> str:
    """The file name of a dialect's page."""
    return f"dialect-{dialect}.html"


def index(every: Sequence[Measured]) -> str:
    """Implementations against dialects."""
    dialects = sorted({dialect for each in every for dialect in each.latest.dialects})
    rows = [
        {
            "name": each.about.name,
            "file": each.file,
            "version": each.day.version,
            "about": about(each.about, each.day),
            "cells": [share(each.latest, dialect) for dialect in dialects],
        }
        for each in every[:_ROWS]
    ]
    named = [{"name": dialect, "file": dialect_file(dialect)} for dialect in dialects]
    left = max(0, len(every) - _ROWS)
    return _page("index.html", dialects=named, rows=rows, left=left, tables=list(_tables(every[:_ROWS])))


def _tables(every: Sequence[Measured]) -> Iterator[dict[str, Any]]:
    """Each table of outcomes over all implementations."""
    for name, table in TABLES.items():
        rows = [
            {"name": each.about.name, "version": each.day.version, "file": each.file, **row}
            for each in every
            for made in tallies(each.latest.outcomes)
            if made["id"] == name
            for row in made["rows"]
        ]
        if rows:
            yield {"id": name, "table": table, "rows": rows}


def dialect_page(dialect: str, every: Sequence[Measured]) -> str:
    """Statements against the implementations that ran the dialect."""
    here = [each for each in every if dialect in each.latest.dialects]
    columns = [each.latest.dialects[dialect] for each in here]
    pages = Pages(folder=_HERE)
    rows: list[str] = []
    found = list(worst_first(columns))
    for rule, state in found:
        cells = [cell(statements, dialect, rule, each.file) for statements, each in zip(columns, here, strict=True)]
        made = pages.part(
            "row.html", row={"rule": rule, "kind": state, "statement": statement_of(rule), "cells": cells}
        )
        if made is None:
            break
        rows.append(made)
    heads = [{"name": each.about.name, "version": each.day.version, "file": each.file} for each in here]
    return _page("dialect.html", pages, dialect=dialect, columns=heads, rows=rows, left=len(found) - len(rows))


def implementation_page(each: Measured) -> str:
    """What holds in the latest run and what does not, with the lines of the wire, and the history."""
    from markupsafe import Markup

    pages = Pages(folder=_HERE)
    made = list(_parts(each, pages))
    parts = [part for part in made if part is not None]
    days = list(each.days)
    history = [_history(each, day, before) for before, day in zip((None, *days), days, strict=False)][::-1]
    return _page(
        "implementation.html",
        pages,
        name=each.about.name,
        slug=each.about.slug,
        file=each.file,
        label=LABEL,
        version=each.day.version,
        about=f"{about(each.about, each.day)}. {in_words(each.latest.total)}.",
        homepage=each.about.homepage,
        note=each.about.note,
        run=each.about.run,
        unknown=each.latest.counts_unknown,
        dialects=each.dialects,
        history=history[:_ROWS],
        history_left=max(0, len(history) - _ROWS),
        changes=_kept(_changes(each, pages)),
        parts=parts,
        tables=_kept(pages.part("part_outcomes.html", each=one) for one in tallies(each.latest.outcomes)),
        left=len(made) - len(parts),
        badge=Markup(svg(LABEL, each.latest.total)),  # noqa: S704 - it has escaped what it shows
    )


def _kept(parts: Iterable[str | None]) -> list[str]:
    """The parts for which there was room."""
    return [part for part in parts if part is not None]


def _history(each: Measured, day: Day, before: Day | None) -> dict[str, Any]:
    snapshot = each.days[day]
    found = None if before is None else changes(each.days[before], snapshot)
    return {
        "version": day.version,
        "date": day.date,
        "cells": [share(snapshot, dialect) for dialect in each.dialects],
        "worse": "" if found is None else len(found.broken) + len(found.found),
        "better": "" if found is None else len(found.mended),
        "judged_by": ", ".join(sorted(snapshot.judged_by)),
    }


def _changes(each: Measured, pages: Pages) -> Iterator[str | None]:
    """What changed from each day to the next, the latest first."""
    days = list(each.days)
    for number, (before, day) in enumerate(list(pairwise(days))[::-1][:_ROWS]):
        old, new = each.days[before], each.days[day]
        found = changes(old, new)
        if not found:
            continue
        linked = each.latest if number == 0 else Snapshot()
        judges = (
            "" if old.judged_by == new.judged_by else "Another version of conformance judged: its rules may differ."
        )
        yield pages.part(
            "part_changes.html",
            open=number == 0,
            title=f"What changed from {before.version} ({before.date}) to {day.version} ({day.date})",
            judges=judges,
            outcomes=found.outcomes,
            **{name: places(getattr(found, name), linked) for name in ("broken", "mended", "found", "gone")},
        )


def _parts(each: Measured, pages: Pages) -> Iterator[str | None]:
    """The dialects of the latest run, then the earlier runs."""
    for dialect, statements in sorted(each.latest.dialects.items()):
        order = [statements[rule] for rule, _ in worst_first([statements])]
        wrong = [one for one in order if one.state != "passed"]
        passed = [
            {
                "id": anchor(dialect, one.rule),
                "rule": one.rule,
                "number": one.exercised,
                "statement": statement_of(one.rule),
            }
            for one in order
            if one.state == "passed"
        ]
        values = {
            "dialect": dialect,
            "summary": summary(each.latest, dialect),
            "more_wrong": max(0, len(wrong) - _WRONG),
            "passed": passed,
        }
        full = pages.part("part_dialect.html", wrong=[in_full(dialect, one) for one in wrong[:_WRONG]], **values)
        yield full or pages.part(
            "part_dialect.html", wrong=[in_full(dialect, one, excerpts=False) for one in wrong[:_WRONG]], **values
        )
    for day, snapshot in list(each.days.items())[-2::-1]:
        yield _earlier(day, snapshot, pages)


def _earlier(day: Day, snapshot: Snapshot, pages: Pages) -> str | None:
    wrong = [
        (dialect, [each for each in statements.values() if each.state != "passed"])
        for dialect, statements in sorted(snapshot.dialects.items())
    ]
    return pages.part(
        "part_earlier.html",
        title=f"Earlier run: {day.version}, {day.date}",
        summary=in_words(snapshot.total),
        dialects=[(dialect, [in_full(dialect, one) for one in some[:_WRONG]]) for dialect, some in wrong if some],
    )


def document(every: Sequence[Measured]) -> Mapping[str, Any]:
    """Everything, for programs: the content of `results.json`."""
    return {
        "version": 1,
        "implementations": [
            {
                "name": each.about.name,
                "id": each.about.slug,
                "kind": each.about.kind,
                "homepage": each.about.homepage,
                "runs": [
                    {
                        "version": day.version,
                        "date": day.date,
                        "judged_by": sorted(snapshot.judged_by),
                        "dialects": {dialect: _cells(snapshot, dialect) for dialect in sorted(snapshot.dialects)},
                        "outcomes": [one.as_json() for one in snapshot.outcomes],
                    }
                    for day, snapshot in each.days.items()
                ],
            }
            for each in every
        ],
    }


def _cells(snapshot: Snapshot, dialect: str) -> dict[str, Any]:
    return {
        "counts": snapshot.counts(dialect).as_json(),
        "statements": {
            rule: {
                "state": each.state,
                "wrong": each.wrong,
                "exercised": each.exercised,
                "messages": [one.finding.message for one in each.shown],
            }
            for rule, each in sorted(snapshot.dialects[dialect].items())
        },
    }


def _page(template: str, pages: Pages | None = None, **values: Any) -> str:
    out = StringIO()
    (pages or Pages(folder=_HERE)).write(template, out, **values)
    return out.getvalue()
