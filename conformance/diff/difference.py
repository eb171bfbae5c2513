"""One difference between two recordings, with its place on both sides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from conformance.model.finding import Side


class Grade(IntEnum):
    """Ordered, so that the worst one can be found."""

    NOISE = 0
    """Varies from one response to the next; means nothing."""
    REVIEW = 1
    """To be reviewed."""
    CHANGE = 2
    """Code that relies on the recorded behaviour must change."""

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Place:
    """A place in one of two recordings: `exchange` counts from 0, `pointer` is None for the whole exchange."""

    exchange: int | None = None
    pointer: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"exchange": self.exchange, "pointer": self.pointer}


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. `row` is the row of the table that graded it, `cite` its statement.

    `before` and `after` are its places in the old and in the new recording. `side` is None for a difference of the
    whole run; otherwise it is the side that drifted: a request is the client's, a response the provider's.
    """

    row: str
    grade: Grade
    message: str
    cite: str
    side: Side | None = None
    before: Place = Place()
    after: Place = Place()
    name: str = ""
    """The place's name in the message: a path of fields."""

    def shown(self, clean: Callable[[str], str]) -> Difference:
        """The difference with all that it quotes as `clean` leaves it."""

        def at(place: Place) -> Place:
            return place if place.pointer is None else replace(place, pointer=clean(place.pointer))

        message, name = clean(self.message), clean(self.name)
        return replace(self, message=message, name=name, before=at(self.before), after=at(self.after))

    def as_json(self) -> dict[str, Any]:
        """The difference as an object of the JSON report."""
        return {
            "grade": str(self.grade),
            "row": self.row,
            "side": self.side,
            "message": self.message,
            "old": self.before.as_json(),
            "new": self.after.as_json(),
            "cite": self.cite,
        }
