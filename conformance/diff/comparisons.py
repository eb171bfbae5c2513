"""A comparison as a report, with the data that every format needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from conformance.diff.cassettes import Comparison
from conformance.diff.changes import Change, changes
from conformance.diff.difference import Difference, Grade
from conformance.model.finding import Side
from conformance.model.printable import count


@dataclass(frozen=True)
class Drift:
    """All comparisons of two recordings."""

    old: str
    new: str
    comparisons: Sequence[Comparison]

    def number(self, grade: Grade) -> int:
        """How many differences of this grade there are."""
        return sum(each.grade is grade for one in self.comparisons for each in one.differences)

    @property
    def worst(self) -> Grade | None:
        """The worst difference of all; None if the recordings are identical."""
        return max((one.grade for one in self.comparisons if one.grade is not None), default=None)

    @property
    def identical(self) -> int:
        return sum(one.grade is None for one in self.comparisons)

    @property
    def drifted(self) -> tuple[Side, ...]:
        sides: tuple[Side, ...] = ("request", "response")
        return tuple(side for side in sides if any(side in one.drifted for one in self.comparisons))

    @cached_property
    def changes(self) -> list[Change]:
        """What changed, each once, worst first."""
        return changes(self.comparisons)

    def groups(self) -> Iterator[tuple[str, str, list[Comparison]]]:
        """The comparisons that have a difference, by dialect and scenario."""
        differing = [one for one in self.comparisons if one.grade is not None]
        ordered = sorted(differing, key=lambda one: (one.dialect, one.scenario, one.driver, one.mode))
        for (dialect, scenario), some in groupby(ordered, key=lambda one: (one.dialect, one.scenario)):
            yield dialect, scenario, list(some)

    @property
    def verdict(self) -> str:
        """All of it in one line."""
        cassettes = count(len(self.comparisons), "cassette")
        if self.worst is None:
            return f"identical: {cassettes}"
        graded = [sum(each.grade is grade for each in self.changes) for grade in (Grade.CHANGE, Grade.REVIEW)]
        numbers = (count(graded[0], "change"), f"{graded[1]} to review", f"{self.number(Grade.NOISE)} noise")
        who = {"request": "the client's request changed", "response": "the provider's response changed"}
        drift = "".join(f"; {side} drift: {who[side]}" for side in self.drifted)
        return f"{', '.join(numbers)} in {cassettes}, {self.identical} identical{drift}"

    @property
    def uncertain(self) -> str:
        """What one recording on each side cannot show; empty if no response changed."""
        if "response" not in self.drifted:
            return ""
        return (
            "One recording on each side cannot distinguish a change from variation: record several with "
            "`record --samples`, and compare them with `diff OLD --new NEW`."
        )


def noise_of(differences: Sequence[Difference]) -> str:
    """The noise in one line: how often each row of the table was it."""
    rows = Counter(each.row for each in differences if each.grade is Grade.NOISE)
    return ", ".join(f"{number} {row}" for row, number in rows.most_common())


def place_of(difference: Difference) -> str:
    """Where a difference is, in one phrase, with both sides where they differ."""
    before, after = difference.before, difference.after
    numbers = list(dict.fromkeys(str(place.exchange) for place in (before, after) if place.exchange is not None))
    pointers = list(dict.fromkeys(place.pointer for place in (before, after) if place.pointer))
    parts = [f"exchange {' → '.join(numbers)}"] if numbers else ["the run"]
    where = " ".join(filter(None, (difference.side if numbers else None, " → ".join(pointers))))
    return ", ".join([*parts, where] if where else parts)
