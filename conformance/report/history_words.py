"""The words about a change that every format of the history shares."""

from __future__ import annotations

from conformance.diff.drift.change import Change, History
from conformance.model.printable import count, few

CELLS = 3
"""How many cells are named."""
SIDES = {"response": "provider", "request": "client"}
"""Whose change it is, by the side that shows it."""


def headline(history: History) -> str:
    """All of it in one line."""
    nights = history.nights
    numbers = f"{count(len(history.changes), 'change')} in {count(len(nights), 'night')}, {nights[0]} to {nights[-1]}"
    down = f"; {count(history.unanswered, 'recording')} left out, because the provider was down"
    line = f"{numbers}, {count(history.recordings, 'recording')}{down if history.unanswered else ''}"
    few = f"too few to tell: {history.needed} recordings of a cell are needed, {history.most} are there"
    return f"{few}; {line}" if history.too_few else line


def when(each: Change) -> str:
    """The nights of a change, in words."""
    until = f"last seen {each.last}" if each.last is not None else "still there"
    return f"first seen {each.first} (not on {each.before}), {until}"


def where(each: Change) -> str:
    """The target, model, answer and cells of a change."""
    whole = len(each.cells) == each.number > 1
    cells = f"all {each.number} cells" if whole else few(each.cells, CELLS)
    return "; ".join(filter(None, (f"{each.target} {each.model}".strip(), each.scope, cells)))
