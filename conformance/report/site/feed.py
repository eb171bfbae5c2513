"""The feed of changes, as Atom: an entry for each run, with what changed since the run before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from conformance.model.printable import visible
from conformance.report.html_page import environment
from conformance.report.site.cells import Measured, in_words
from conformance.report.site.changes import Changes, changes

_ENTRIES = 100
_LINES = 60
_WORDS = {
    "broken": "newly failing, or with warnings where there were none",
    "found": "exercised for the first time, and not kept",
    "mended": "newly kept, or only with warnings",
    "gone": "not exercised any more",
}


def feed(every: Sequence[Measured]) -> str:
    """The latest runs of all implementations, the newest first. The same reports make the same feed."""
    entries = sorted((entry for each in every for entry in _entries(each)), key=lambda entry: entry["order"])
    page = environment(Path(__file__).parent).get_template("feed.xml")
    return page.render(id=_id("feed"), entries=entries[::-1][:_ENTRIES]) + "\n"


def _entries(each: Measured) -> Iterator[dict[str, Any]]:
    days = list(each.days)
    for before, day in zip((None, *days), days, strict=False):
        lines = [f"{in_words(each.days[day].total)}."]
        if before is not None:
            lines += _lines(changes(each.days[before], each.days[day])) or ["Nothing changed."]
        yield {
            "order": (day.order, each.about.slug),
            "title": visible(f"{each.about.name} {day.version}"),
            "id": _id(f"{each.about.slug}/{day.version}/{day.date}"),
            "updated": f"{day.date}T00:00:00Z",
            "file": each.file,
            "lines": [visible(line) for line in lines[:_LINES]],
        }


def _lines(found: Changes) -> list[str]:
    listed = [
        f"{words}: {rule} ({dialect})" for name, words in _WORDS.items() for dialect, rule in getattr(found, name)
    ]
    return listed + found.outcomes


def _id(name: str) -> str:
    """An address that stays the same wherever the site is."""
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'tool-use-conformance/{name}')}"
