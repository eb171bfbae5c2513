"""Differences that are one change: found in several cells, turns and modes, with the findings that follow from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from conformance.diff.cassettes import Comparison
from conformance.diff.difference import Difference, Grade
from conformance.model.printable import few

_CELLS = 3
_STEPS = re.compile(r"\b(?:event [a-z_.]*|delta|message|response|\d+)/")
"""Steps of a path that only an event has, or only a whole answer; and the numbers of items."""


@dataclass(slots=True)
class Change:
    """One change: the difference that names it, where it is, and the findings that follow, by their rules."""

    head: Difference
    grade: Grade
    places: list[tuple[Comparison, Difference]] = field(default_factory=list)
    therefore: dict[str, None] = field(default_factory=dict)

    @property
    def side(self) -> str:
        """The side that shows it, and its exchanges."""
        numbers = {place.exchange for _, each in self.places for place in (each.before, each.after)} - {None}
        exchanges = f"exchange{'s' if len(numbers) > 1 else ''} {', '.join(map(str, sorted(numbers, key=str)))}"
        return f"{self.head.side or 'run'}, {exchanges}" if numbers else "the run"

    def cells(self, number: int) -> str:
        """The cells that show it, of so many compared."""
        names = list(dict.fromkeys(one.name for one in self.comparisons))
        if len(names) == number > 1:
            return f"all {number} cells"
        return few(names, _CELLS)

    @property
    def comparisons(self) -> list[Comparison]:
        """The cells that show it, each once."""
        return list({id(one): one for one, _ in self.places}.values())


def changes(comparisons: Sequence[Comparison], *, noise: bool = False) -> list[Change]:
    """The changes, worst first; noise only where it is asked for."""
    found: dict[tuple[object, ...], Change] = {}
    for one in comparisons:
        for each, following in _with_findings([each for each in one.differences if noise or each.grade > Grade.NOISE]):
            change = found.setdefault(_key(each), Change(each, each.grade))
            change.grade = max(change.grade, *(rule.grade for rule in following), each.grade)
            change.places.append((one, each))
            change.therefore |= {rule.name: None for rule in following}
    return sorted(found.values(), key=lambda change: (-change.grade, -len(change.comparisons)))


def _key(each: Difference) -> tuple[object, ...]:
    """What is the same in a stream and in a whole answer, in each turn and in each cell."""
    return each.row, each.side, each.message.replace(each.name, general(each.name)) if each.name else each.message


def general(path: str) -> str:
    """The name of a field that it has in a stream, in a whole answer, and in each item of an array."""
    return _STEPS.sub("", f"{path}/").rstrip("/") or path


def _with_findings(differences: Sequence[Difference]) -> Iterator[tuple[Difference, list[Difference]]]:
    """Each difference with the new findings that follow from it; a finding that follows from none stands alone."""
    rules = [each for each in differences if each.row.startswith("rule-")]
    followed: set[int] = set()
    for each in differences:
        if each.row.startswith("rule-"):
            continue
        following = [rule for rule in rules if _follows(rule, each)] if each.grade > Grade.NOISE else []
        followed |= {id(rule) for rule in following}
        yield each, following
    yield from ((rule, []) for rule in rules if id(rule) not in followed)


def _follows(rule: Difference, each: Difference) -> bool:
    """Whether a new finding is at the place of a difference, or at the object around it and about the same field."""
    if (rule.side, rule.after.exchange) != (each.side, each.after.exchange):
        return False
    at, places = rule.after.pointer or "", [place for place in (each.before.pointer, each.after.pointer) if place]
    for place in places:
        around, _, name = place.rpartition("/")
        if at == place or (at == around and f"`{name}`" in rule.message):
            return True
    return False
