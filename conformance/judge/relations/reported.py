"""A relation whose findings have another severity than its row, or other words than its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.judge.relations.rows import Relation, Sided
from conformance.judge.view import View
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Reported:
    """In all else, it is the `relation`. `wrong`: what is wrong, in words; `wanted`: what there may be."""

    relation: Relation
    severity: Severity | None = None
    wrong: str = ""
    wanted: str = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.relation, name)

    def hits(self, view: View) -> Iterator[Sided]:
        for root, hit in self.relation.hits(view):
            message, expected = self.wrong or hit.message, self.wanted or hit.expected
            yield root, replace(hit, severity=self.severity or hit.severity, message=message, expected=expected)
