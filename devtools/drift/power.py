"""What the nightly job finds: each behaviour of `serve --list` in all, half, or a tenth of the recordings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from conformance.campaign.statistics import wilson
from conformance.model.behaviour import Behaviour
from conformance.model.registry import all_dialects
from conformance.reference.behaviours import all_behaviours
from devtools.drift.job import HISTORY, TOGETHER, WINDOW, alarms, compared
from devtools.drift.nights import Cell, Fault, Night, UnrecordableError, cassette, night, sample

POOL = ("weather", "parallel-weather", "small-talk", "no-arguments", "tool-error")
"""The scenarios that are recorded besides the one that shows the behaviour."""
INSTEAD = {"three-cities": "parallel-weather", "thinking": "reasoning"}
"""Shipped scenarios for those that only the tests have."""
FIRST, NOISE, DOWN = "every answer, first night", "noise between two recordings: silent", "provider down: silent"
SHARES = {0.5: "half of the recordings, three nights", 0.1: "a tenth, three nights"}
ALONE = {0.5: "half, seen in one cell at most", 0.1: "a tenth, seen in one cell at most"}
AIMS = {FIRST: 0.95, DOWN: 1.0, SHARES[0.5]: 0.95, SHARES[0.1]: 0.6}


@dataclass
class Score:
    """How many trials there were, how many ended as they should, and the behaviours of the others."""

    title: str
    tried: int = 0
    missed: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, *, good: bool) -> None:
        """Counts a trial."""
        self.tried += 1
        self.missed[name] += not good

    @property
    def good(self) -> int:
        return self.tried - self.missed.total()

    @property
    def met(self) -> bool:
        return self.good >= AIMS.get(self.title, 0.0) * self.tried

    def __str__(self) -> str:
        low, high = wilson(self.good, self.tried)
        aim = f"aim {AIMS[self.title]:.0%}" if self.title in AIMS else "no aim"
        names = ", ".join(f"{name} ({number})" for name, number in sorted(self.missed.items()) if number)
        share = self.good / max(1, self.tried)
        reported = f"{self.title}: {self.good} of {self.tried} ({share:.1%}, {low:.0%}-{high:.0%}; {aim})"
        return f"{reported}; not: {names}" if names else reported


Trial = tuple[str, str, bool]
"""The title of a score, the behaviour, and whether it ended as it should."""


def shown_in(behaviour: Behaviour) -> Cell | None:
    """A cell that shows a behaviour; None if no shipped cassette does."""
    mode = "stream" if behaviour.streamed else "sync"
    known = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")
    for dialect in dict.fromkeys((*known, *all_dialects())):
        cell = dialect, INSTEAD.get(behaviour.scenario, behaviour.scenario), mode
        if behaviour.concerns(all_dialects()[dialect]) and cassette(cell) is not None and _alters(behaviour, cell):
            return cell
    return None


def _alters(behaviour: Behaviour, cell: Cell) -> bool:
    """Whether the behaviour changes anything that is observed in the cell; all noise counts."""
    if behaviour.grade == "noise":
        return True
    try:
        usual, changed = (sample(cell, "shown", fault) for fault in (None, Fault(behaviour, 1.0)))
    except UnrecordableError:
        return False
    return (usual.outcomes, usual.numbers) != (changed.outcomes, changed.numbers)


def pool_of(cell: Cell) -> list[Cell]:
    """The cells of a dialect and mode that are compared together."""
    found = [(cell[0], scenario, cell[2]) for scenario in dict.fromkeys((cell[1], *POOL))]
    return [each for each in found if cassette(each) is not None]


class History:
    """The nights before the change, rendered once for all behaviours that show in the same dialect and mode."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._nights: dict[Cell, list[Night]] = {}

    def of(self, cells: Sequence[Cell]) -> list[Night]:
        """The nights before, with these cells."""
        for cell in cells:
            if cell not in self._nights:
                self._nights[cell] = [night([cell], f"{self._seed}/before/{each}") for each in range(HISTORY)]
        return [{cell: self._nights[cell][each][cell] for cell in cells} for each in range(HISTORY)]


def trials(name: str, cell: Cell, history: History, seed: str) -> list[Trial]:
    """The trials of one behaviour, in the cells of the dialect and mode of the one that shows it."""
    behaviour = all_behaviours()[name]
    cells = pool_of(cell)
    past = history.of(cells)
    first = night(cells, f"{seed}/{name}", Fault(behaviour, 1.0))
    if all(run.down for run in first[cell]):
        return [(DOWN, name, not alarms([*past, first]))]
    if behaviour.grade == "noise":
        return [(NOISE, name, not alarms([*past, first]))]
    result = [(FIRST, name, bool(alarms([*past, first])))]
    alone = _touched(past, first) < 2
    for share, title in (ALONE if alone else SHARES).items():
        fault = Fault(behaviour, share)
        nights = [night(cells, f"{seed}/{name}/{share}/{each}", fault) for each in range(TOGETHER)]
        found = any(alarms([*past, *nights[: each + 1]]) for each in range(TOGETHER))
        result.append((title, name, found))
    return result


def _touched(past: Sequence[Night], now: Night) -> int:
    """In how many of the cells the behaviour shows, each compared by itself."""
    return sum(bool(compared([{cell: each[cell]} for each in past[-WINDOW:]], [{cell: now[cell]}])) for cell in now)
