"""The history of many nights: each change with the nights between which it came, and how long it stayed."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date
from pathlib import Path

from conformance.cassette.load import Cassette, load_cassette
from conformance.diff.drift.change import Change, History, each_once
from conformance.diff.drift.night_changes import Group, Nights, Run, client_changes, provider_changes
from conformance.diff.drift.observed import observe
from conformance.diff.drift.sets import CellSet, recordings
from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter

PRECISION = 0.99
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def history_of(folder: Path, wanted: Filter, precision: float = PRECISION) -> History:
    """The changes in dated recordings: in folders named by date, or dated by their metadata.

    Raises:
        ConformanceError: there is no such folder, or it holds no recording with a date.
    """
    if not folder.is_dir():
        wrong = "not a folder" if folder.exists() else "no such folder"
        raise ConformanceError(f"{folder}: {wrong}", "pass the folder that holds a folder for each night")
    groups: dict[Group, dict[tuple[str, str, str, str], list[Run]]] = defaultdict(lambda: defaultdict(list))
    number, down = 0, 0
    for kept, place in recordings([folder], wanted):
        cassette = load_cassette(kept.path)
        night = date_of(kept.path.relative_to(folder), cassette)
        if night is None:
            continue
        group = kept.target, str(cassette.metadata.get("model") or "")
        axes = (place.dialect, place.scenario, place.driver, place.mode)
        groups[group][axes].append(Run(night, observe(cassette)))
        number += 1
    nights = sorted({run.night for cells in groups.values() for runs in cells.values() for run in runs})
    if not nights:
        raise ConformanceError(
            f"{folder}: no recording with a date",
            "record into a folder named by its date: `--cassettes DIR/2026-11-22`",
        )
    changes: list[Change] = []
    for group, cells in sorted(groups.items()):
        some = Nights(group, nights)
        for axes, runs in sorted(cells.items()):
            down += some.add(CellSet(axes, group[0]), runs)
        changes += provider_changes(some, precision)
        changes += client_changes(some)
    ordered = sorted(each_once(changes), key=lambda each: (each.first, -each.grade, each.scope, each.message))
    most = max(len(runs) for cells in groups.values() for runs in cells.values())
    return History(str(folder), nights, ordered, number, down, most, precision)


def date_of(path: Path, cassette: Cassette) -> date | None:
    """The night of a recording: of the folder that is named by a date, or of its metadata; None if there is none."""
    named = next((found[0] for part in path.parts if (found := _DATE.match(part))), None)
    text = named or str(cassette.metadata.get("recorded_at") or "")[:10]
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
