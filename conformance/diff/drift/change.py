"""The changes in the recordings of many nights, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from conformance.diff.changes import general
from conformance.diff.difference import Grade
from conformance.diff.drift.power import needed
from conformance.model.finding import Side


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `before` is the last night without it, `last` the last night with it; None if it still lasts.

    `shares` has for each night how often it was seen, None for a night without a recording of it. Of a number, it is
    how often it was above a limit, and `medians` has its median of each night.
    """

    side: Side
    message: str
    grade: Grade
    target: str
    model: str
    scope: str
    cells: tuple[str, ...]
    before: date
    first: date
    last: date | None
    shares: tuple[float | None, ...] = ()
    medians: tuple[float | None, ...] = ()
    also: tuple[str, ...] = ()
    p: float | None = None
    what: str = ""
    """The message without its numbers; empty if it has none."""
    number: int = 0
    """How many cells the target and the model have."""

    def shown(self, clean: Callable[[str], str]) -> Change:
        """The change with every recorded value passed through `clean`."""
        return replace(
            self,
            message=clean(self.message),
            what=clean(self.what),
            also=tuple(map(clean, self.also)),
            target=clean(self.target),
            model=clean(self.model),
        )

    def as_json(self) -> dict[str, Any]:
        """The change as an object of the JSON report."""
        return {
            "side": self.side,
            "grade": str(self.grade),
            "message": self.message,
            "target": self.target,
            "model": self.model,
            "scope": self.scope,
            "cells": list(self.cells),
            "before": self.before.isoformat(),
            "first": self.first.isoformat(),
            "last": self.last.isoformat() if self.last else None,
            "shares": list(self.shares),
            "medians": list(self.medians),
            "also": list(self.also),
            "p": self.p,
        }


def each_once(changes: Sequence[Change]) -> list[Change]:
    """The changes, those of a stream, of a whole answer and of several turns as one."""
    found: dict[tuple[object, ...], list[Change]] = {}
    for each in changes:
        nights = each.before, each.first, each.last
        found.setdefault((each.side, general(each.what), each.target, each.model, *nights, each.grade), []).append(each)
    return [some[0] if len(some) == 1 else _joined(some) for some in found.values()]


def _joined(some: Sequence[Change]) -> Change:
    head = max(some, key=lambda each: (len(each.cells), -(each.p or 0)))
    scopes = dict.fromkeys(each.scope.partition(", ")[0] for each in some)
    cells = dict.fromkeys(cell for each in some for cell in each.cells)
    also = dict.fromkeys(other for each in some for other in each.also)
    return replace(head, scope=", ".join(scopes), cells=tuple(cells), also=tuple(also))


@dataclass(frozen=True)
class History:
    """All changes of a folder of nights, by their first night."""

    folder: str
    nights: Sequence[date]
    changes: Sequence[Change]
    recordings: int
    unanswered: int = 0
    most: int = 0
    """The most recordings of one cell."""
    precision: float = 0.99

    @property
    def needed(self) -> int:
        """How many recordings of a cell can show a change of all of them, half of them before it."""
        return 2 * needed(1 - self.precision)

    @property
    def too_few(self) -> bool:
        """Whether no change could be told from chance."""
        return not self.changes and self.most < self.needed

    def since(self, day: date | None) -> History:
        """The history without the changes that were over before a day."""
        if day is None:
            return self
        return replace(self, changes=[each for each in self.changes if each.last is None or each.last >= day])

    def as_json(self) -> dict[str, Any]:
        """The history as a JSON value: the contract of `specs/history.schema.json`."""
        return {
            "version": 1,
            "folder": self.folder,
            "nights": [night.isoformat() for night in self.nights],
            "recordings": self.recordings,
            "unanswered": self.unanswered,
            "too_few": self.too_few,
            "needed": self.needed,
            "changes": [each.as_json() for each in self.changes],
        }
