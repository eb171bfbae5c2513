"""What a client sends, on both sides: exact, because a client is a program and repeats itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.diff.difference import Grade
from conformance.diff.drift.observed import Observed
from conformance.diff.drift.sets import CellSet
from conformance.diff.row import How, Part, Where
from conformance.diff.rows import place_row
from conformance.model.pointer import without_numbers

ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class ClientShift:
    """A place of the requests that has other values than before, in all recordings of the new side."""

    place: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    grade: Grade
    cells: tuple[str, ...]
    versions: str = ""

    @property
    def message(self) -> str:
        return f"{self.place}: {_either(self.old)} before, {_either(self.new)} now"

    def shown(self, clean: Callable[[str], str]) -> ClientShift:
        """The shift with every recorded value passed through `clean`."""
        old, new = (tuple(map(clean, side)) for side in (self.old, self.new))
        return replace(self, place=clean(self.place), old=old, new=new, versions=clean(self.versions))

    def as_json(self) -> dict[str, Any]:
        """The shift as an object of the JSON report."""
        return {
            "grade": str(self.grade),
            "side": "request",
            "place": self.place,
            "old": list(self.old),
            "new": list(self.new),
            "message": self.message,
            "versions": self.versions,
            "cells": list(self.cells),
        }


def _either(values: Sequence[str]) -> str:
    return " or ".join(values[:3]) + (" or others" if len(values) > 3 else "")


def client_shifts(cells: Sequence[CellSet], changed: Collection[str]) -> list[ClientShift]:
    """The places whose values of the two sides have nothing in common, worst first.

    `changed` are the cells whose answers shifted: there, what a later request has is not the client's doing.
    """
    found: dict[tuple[str, tuple[str, ...], tuple[str, ...], str], list[str]] = defaultdict(list)
    for cell in cells:
        for place in dict.fromkeys(place for run in (*cell.old, *cell.new) for place in run.requests):
            if cell.name in changed and not place.startswith("request 1:"):
                continue
            old, new = (_values(side, place) for side in (cell.old, cell.new))
            if old and new and not old & new:
                versions = cell.context.get("driver_version", (set(), set()))
                versions_text = " → ".join(dict.fromkeys(", ".join(sorted(side)) for side in versions))
                found[_general(place), tuple(sorted(old)), tuple(sorted(new)), versions_text].append(cell.name)
    shifts = [
        ClientShift(place, old, new, _grade(place, old, new), tuple(dict.fromkeys(names)), versions_text)
        for (place, old, new, versions_text), names in found.items()
    ]
    return sorted(shifts, key=lambda each: (-each.grade, each.place))


def _general(place: str) -> str:
    return "requests" + place[place.index(":") :]


def _values(runs: Sequence[Observed], place: str) -> set[str]:
    request = place.partition(":")[0]
    return {run.requests.get(place, ABSENT) for run in runs if f"{request}: method and path" in run.requests}


def _grade(place: str, old: Collection[str], new: Collection[str]) -> Grade:
    kind, _, name = place.partition(": ")[2].partition(" ")
    if kind == "rule":
        return Grade.REVIEW if ABSENT in old else Grade.NOISE
    if kind == "method":
        return Grade.CHANGE
    how: How = "new" if ABSENT in old else "gone" if ABSENT in new else "value"
    parts: dict[str, Part] = {"header": "header", "query": "query", "field": "body"}
    path = name if kind == "field" else f"/{name}"
    return place_row(Where(without_numbers(path), how, "request", parts[kind])).grade
