"""A relation that is about some models only, or whose findings have another severity, or other words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.contract.situation import When
from conformance.judge.relations.rows import Relation, Sided
from conformance.judge.situations import applies
from conformance.judge.view import View
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Reported:
    """In all else, it is the `relation`. `wrong`: what is wrong, in words; `wanted`: what there may be.

    `only`: the provider and the model that it is about; a request that was accepted contradicts it, and has a warning.
    """

    relation: Relation
    severity: Severity | None = None
    wrong: str = ""
    wanted: str = ""
    only: When | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.relation, name)

    def is_about(self, view: View) -> bool:
        """Whether it is about the provider and the model of an exchange."""
        return applies(self.only, view)

    def hits(self, view: View) -> Iterator[Sided]:
        if not self.is_about(view):
            return
        for root, hit in self.relation.hits(view):
            message, expected, severity = self.wrong or hit.message, self.wanted or hit.expected, self.severity
            if self.only is not None and root == "request" and view.ok:
                severity = Severity.WARNING
            yield root, replace(hit, severity=severity or hit.severity, message=message, expected=expected)
