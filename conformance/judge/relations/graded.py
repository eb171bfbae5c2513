"""A relation whose findings have another severity than those of the other relations of its row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.judge.relations.rows import Relation, Sided
from conformance.judge.view import View
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Graded:
    """In all else, it is the `relation`."""

    relation: Relation
    severity: Severity

    def __getattr__(self, name: str) -> Any:
        return getattr(self.relation, name)

    def hits(self, view: View) -> Iterator[Sided]:
        for root, hit in self.relation.hits(view):
            yield root, replace(hit, severity=self.severity)
