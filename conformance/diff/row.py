"""The table that grades differences: noise, to review, or a change.

This module defines a row and the places that it fits; the rows themselves are in `rows`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from conformance.diff.difference import Grade
from conformance.model.finding import Side

How = Literal["gone", "new", "type", "null", "value"]
"""How a place changed: gone, new, another type, null on one side, or another value."""

Part = Literal["body", "header", "query"]


@dataclass(frozen=True, slots=True)
class Row:
    """`words` may use `{what}`, `{old}`, `{new}`, and what else the fact brings with it.

    For places: `at` are patterns of pointers (`*` is one step, `**` any number of them, also none); `how`, `side`,
    `part`, `streamed` and `ok` (of the response) restrict it further. A row that `is_covered`
    reports nothing: the comparison of the turns covers what is read from that place.
    """

    id: str
    grade: Grade
    cite: str
    words: str
    at: tuple[str, ...] = ()
    how: tuple[How, ...] = ("gone", "new", "type", "null", "value")
    side: Side | None = None
    part: Part = "body"
    streamed: bool | None = None
    ok: bool | None = None
    is_covered: bool = False

    def fits(self, where: Where) -> bool:
        """Whether the row is about this place."""
        return (
            where.how in self.how
            and self.part == where.part
            and self.side in (None, where.side)
            and self.streamed in (None, where.streamed)
            and self.ok in (None, where.ok)
            and _pattern(self.at).fullmatch(where.path) is not None
        )


@dataclass(frozen=True, slots=True)
class Where:
    """A place that differs, as the table knows it. `path` is its pointer without the numbers: `/choices/*/message`."""

    path: str
    how: How
    side: Side
    part: Part = "body"
    streamed: bool = False
    ok: bool = True


@cache
def _pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    def expression(glob: str) -> str:
        steps = {"**": "(?:/[^/]*)*", "*": "/[^/]*"}
        return "".join(
            steps.get(step) or "/" + re.escape(step).replace(r"\*", "[^/]*") for step in glob.strip("/").split("/")
        )

    return re.compile("|".join(map(expression, globs)))
