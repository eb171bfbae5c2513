"""Deviations: what one provider does differently, as data with its evidence, put into the tree of a contract.

A path names rows like a JSON pointer, with `*` for every item and for every value of a map: `/tools/*/type`. It goes
through every case of a union, or with `*:user` or `name:user` only through the one of that name. A path that does not
exist is a mistake, and raises an error; only what a provider `allows` may be new: a field, or a case, `/*:video_url`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import field
from typing import Literal

from conformance.contract.citation import SILENT, Citation, Citations, Silence
from conformance.contract.nodes import Array, Cases, Field, Later, Map, Node, Object, Switch, Union
from conformance.contract.relations import Relation
from conformance.contract.situation import When
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Deviation:
    """Where it applies, the place, and one of: `accepts` (also allowed there), `allows` (nothing else is allowed),
    `absent` (the case of an object without its key), or the severity of some kinds of violations there.

    `relation` is one more between the fields of the object there. `presence` is that of the field, with `allows` or by
    itself. `documented`: it is from the provider's document.
    """

    only: When
    path: str
    evidence: str
    kinds: tuple[str, ...] = ()
    severity: Severity | Silence = SILENT
    accepts: Node | None = None
    absent: str | None = None
    allows: Node | None = None
    citations: Citations = field(default_factory=dict)
    presence: Literal["need", "should", "may"] | None = None
    relation: Relation | None = None
    documented: bool = False

    def put(self, node: Node) -> Node:
        """The tree with this deviation applied.

        Raises:
            ValueError: the path does not exist in the contract.
        """
        found, changed = self._kept(node, [each for each in self.path.split("/")[1:] if each])
        if not changed:
            raise ValueError(f"there is no {self.path} in the contract")
        return found

    def _kept(self, node: Node, path: list[str], case: str = "") -> tuple[Node, bool]:
        """The node itself if the path does not enter it: a node that occurs several times stays one object."""
        found, hit = self._down(node, path, case)
        return (found, True) if hit else (node, False)

    def _down(self, node: Node, path: list[str], case: str = "") -> tuple[Node, bool]:
        if isinstance(node, Object) and not path and self.relation is not None:
            return dataclasses.replace(node, relations=(*node.relations, self.relation)), True
        if isinstance(node, Object):
            return self._object(node, path)
        if isinstance(node, Array):
            inner, hit = self._star(node.items, path)
            return dataclasses.replace(node, items=inner), hit
        if isinstance(node, Map):
            inner, hit = self._star(node.values, path)
            return dataclasses.replace(node, values=inner), hit
        if isinstance(node, Union):
            choices = [self._kept(each, path, case) for each in node.choices]
            return Union(tuple(each for each, _ in choices)), any(hit for _, hit in choices)
        if isinstance(node, Switch) and path == [node.key]:
            return self._tag(node), True
        if isinstance(node, Switch) and not path and case and self.allows is not None:
            return self._case(node, case, self.allows), True
        if isinstance(node, Switch):
            found = [
                (word, *(self._kept(each, path) if case in ("", word) else (each, False))) for word, each in node.cases
            ]
            kept = tuple((word, each) for word, each, _ in found)
            rest, hit = node.otherwise, False
            if rest is not None and not case:
                rest, hit = self._kept(rest, path)
            return dataclasses.replace(node, cases=kept, otherwise=rest), hit or any(hit for *_, hit in found)
        if isinstance(node, Cases):
            under = [(each, *self._special(one, path, case)) for each, one in node.cases]
            inner, other = self._kept(node.otherwise, path, case)
            kept_cases = tuple((each, one) for each, one, _ in under)
            changed = dataclasses.replace(node, cases=kept_cases, otherwise=inner)
            return changed, other or any(hit for *_, hit in under)
        if isinstance(node, Later):
            return self._kept(node.node(), path, case)
        return node, False

    def _object(self, node: Object, path: list[str]) -> tuple[Node, bool]:
        name, fields, hit = path[0].partition(":")[0] if path else "", list(node.fields), False
        for number, each in enumerate(fields):
            if each.name == name:
                fields[number], changed = self._row(each, path)
                hit = hit or changed
        if not hit and len(path) == 1 and ":" not in path[0] and self.allows is not None:
            added = Field(self.allows, self.presence or "may", path[0], citations=self.citations)
            fields, hit = [*fields, added], True
        return dataclasses.replace(node, fields=tuple(fields)), hit

    def _star(self, node: Node, path: list[str]) -> tuple[Node, bool]:
        star, _, case = path[0].partition(":") if path else ("", "", "")
        if star != "*":
            return node, False
        if len(path) == 1 and self.accepts:
            return node | self.accepts, True
        return self._kept(node, path[1:], case)

    def _row(self, row: Field, path: list[str]) -> tuple[Field, bool]:
        case = path[0].partition(":")[2]
        if len(path) == 1 and not case and self.allows is not None:
            # The severities and reasons of the row are about what it allowed.
            kept = {
                kind: Citation(rule=each.rule).over(self.citations.get(kind, Citation()))
                for kind, each in row.citations.items()
                if each.rule
            }
            known = {**self.citations, **(_presence_of(row) if self.documented else kept)}
            presence = self.presence or (row.presence if self.documented else "may")
            return Field(self.allows, presence, row.name, citations=known, also=row.also), True
        (first, *others) = (self._alternative(each, path, case) for each in (row, *row.others))
        changed = dataclasses.replace(first[0], others=tuple(each for each, _ in others))
        return changed, first[1] or any(hit for _, hit in others)

    def _alternative(self, row: Field, path: list[str], case: str) -> tuple[Field, bool]:
        if len(path) > 1 or case or self.relation is not None:
            inner, hit = self._kept(row.node, path[1:], case)
            return (dataclasses.replace(row, node=inner), True) if hit else (row, False)
        if self.accepts is not None:
            return dataclasses.replace(row, node=row.node | self.accepts), True
        if self.presence is not None:
            missing = {"missing": self.citations[""]} if "" in self.citations else {}
            return dataclasses.replace(row, presence=self.presence, citations={**row.citations, **missing}), True
        return dataclasses.replace(row, citations={**row.citations, **self._eased(row.citations)}), True

    def _special(self, node: Node, path: list[str], case: str) -> tuple[Node, bool]:
        """As `_kept`, in a case that a condition chooses: what is needed elsewhere, it need not have."""
        return dataclasses.replace(self, presence=None)._kept(node, path, case)  # noqa: SLF001 - of its own class

    @staticmethod
    def _case(node: Switch, case: str, allowed: Node) -> Switch:
        cases = {**dict(node.cases), case: allowed}
        return dataclasses.replace(node, cases=tuple(cases.items()))

    def _tag(self, node: Switch) -> Switch:
        if self.absent is not None:
            return dataclasses.replace(node, absent=self.absent)
        return dataclasses.replace(node, citations={**node.citations, **self._eased(node.citations)})

    def _eased(self, citations: object) -> dict[str, Citation]:
        given = citations if isinstance(citations, dict) else {}
        eased = Citation(severity=self.severity, eased=not self.documented)
        return {kind: eased.over(given.get(kind, Citation())) for kind in self.kinds}


def _presence_of(row: Field) -> Citations:
    """How it is reported that a field is missing; the other facts of a row are about what it allowed."""
    found = row.citations.get("missing", Citation()).over(row.citations.get("", Citation()))
    return {"missing": found} if row.presence != "may" else {}


def accept(only: When, path: str, node: Node, evidence: str) -> Deviation:
    """A provider also accepts, or sends, something else there."""
    return Deviation(only, path, evidence, accepts=node)


def assume(only: When, path: str, word: str, evidence: str) -> Deviation:
    """A provider accepts, or sends, objects without the key that distinguishes them, and means this case."""
    return Deviation(only, path, evidence, absent=word)


def ease(only: When, path: str, kinds: str, severity: Severity | Silence, evidence: str) -> Deviation:
    """At a provider, some kinds of violations (names separated by spaces) are less severe there, or not reported."""
    return Deviation(only, path, evidence, kinds=tuple(kinds.split()), severity=severity)
