"""The lines of the comparison of a contract with the documents: where they differ, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "field undescribed",
    "value undescribed",
    "case undescribed",
    "limit undescribed",
    "field undocumented",
    "value undocumented",
    "case undocumented",
    "limit undocumented",
    "type",
    "required",
    "null",
    "list",
    "limit",
]

HEADINGS: Mapping[str, str] = {
    "undescribed": "documented, not in the contract",
    "undocumented": "in the contract, not documented",
    "": "contradicting",
}
"""By the second word of a kind."""


@dataclass(frozen=True, slots=True)
class Line:
    """One difference. `because` is the reason that the row itself gives; such lines are counted and not listed."""

    dialect: str
    subject: str
    place: str
    kind: Kind
    text: str
    because: str = ""

    @property
    def heading(self) -> str:
        return HEADINGS[self.kind.partition(" ")[2]]

    def __str__(self) -> str:
        return f"{self.dialect} {self.subject} {self.place or '/'}: {self.kind}: {self.text}"
