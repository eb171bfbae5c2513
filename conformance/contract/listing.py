"""Everything that a contract can report, as a list: for documentation, for the registry of rules, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from conformance.contract.citation import (
    UNDOCUMENTED,
    Citation,
    Citations,
    Kind,
    Side,
    Silence,
    Stated,
    error,
    resolved,
    severity_of,
)
from conformance.contract.nodes import (
    Array,
    Cases,
    Field,
    Flag,
    Foreign,
    Later,
    Map,
    Node,
    Number,
    Object,
    Switch,
    Text,
    Union,
    inside,
)
from conformance.contract.relations import Relation
from conformance.contract.resolving import takes_null
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass

Listed = Literal["place", "member", "body"]
"""Whether a node that stands at several places with the same citations is listed at each of them, or once for each
member of the body, or once.
"""
_TYPED = (Object, Map, Array, Text, Number, Flag, Switch, Cases)


@dataclass(frozen=True, slots=True)
class Entry:
    """One kind of violation at one place; `path` has `*` for every item. `rule` is None for the generic id.

    `node` describes the value there, or is the object that a `relation` applies to.
    """

    path: str
    kind: Kind
    severity: Severity
    rule: str | None
    number: str | None
    because: str
    refused: int | None
    node: Node | None = None
    relation: Relation | None = None


def entries(node: Node, side: Side, stated: Stated = error, at_each: Listed = "place") -> list[Entry]:
    """Everything that can be reported for any provider, in the order of the rows; not what applies to none."""
    lister = _Lister(side, stated, at_each)
    lister.within(node, "", {}, ())
    return lister.found


def field_names(node: Node) -> frozenset[str]:
    """The names of the fields that a value of this node may have, if it is an object."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Object):
            found |= {row.name for field in each.fields for row in (field, *field.others)}
        elif isinstance(each, Later):
            waiting += [] if each.name in seen else [each.node()]
            seen.add(each.name)
        elif isinstance(each, (Union, Switch, Cases)):
            waiting += inside(each)
            found |= {each.key} if isinstance(each, Switch) else set()
    return frozenset(found)


class _Lister:
    def __init__(self, side: Side, stated: Stated, at_each: Listed) -> None:
        self._side = side
        self._stated = stated
        self._at_each = at_each
        self.found: list[Entry] = []
        self._seen: set[str] = set()
        self._listed: dict[tuple[object, ...], object] = {}
        """By the member, the identity of a node and of what is cited around it: these, which keeps their identity."""

    def _entry(
        self, node: Node, path: str, kind: Kind, citations: tuple[Citations, ...], most: Severity = Severity.ERROR
    ) -> None:
        self._cited(node, path, kind, resolved(kind, citations), most)

    def _cited(
        self, node: Node, path: str, kind: Kind, citation: Citation, most: Severity, *, relation: Relation | None = None
    ) -> None:
        severity = severity_of(citation, kind, self._side, self._stated)
        if not isinstance(severity, Silence):
            each = Entry(
                path,
                kind,
                min(severity, most),
                citation.rule,
                citation.number,
                citation.because,
                citation.refused,
                node,
                relation,
            )
            self.found.append(each)

    def within(self, node: Node, path: str, row: Citations, objects: tuple[Citations, ...]) -> None:
        if self._at_each != "place":
            member = path.split("/", 2)[1] if path and self._at_each == "member" else ""
            key = (member, id(node), id(row), *map(id, objects))
            if key in self._listed:
                return
            self._listed[key] = node, row, objects
        inner = (node.citations, *objects) if isinstance(node, Object) and node.citations else objects
        if isinstance(node, _TYPED):
            of_type = row
            if isinstance(node, (Switch, Cases)) and "itself" in node.citations:
                of_type = {**row, "type": node.citations["itself"]}
            self._entry(node, path, "type", (of_type, *inner))
        if isinstance(node, Foreign):
            row = {**row, "unknown": node.citation.over(resolved("unknown", (row, *objects)))}
        for kind, most in _kinds(node, self._side):
            self._entry(node, path, kind, (row, *objects), most)
        self._inside(node, path, row, objects, inner)

    def _inside(
        self, node: Node, path: str, row: Citations, objects: tuple[Citations, ...], inner: tuple[Citations, ...]
    ) -> None:
        if isinstance(node, Later):
            if node.name not in self._seen:
                self._seen.add(node.name)
                self.within(node.node(), path, row, objects)
        elif isinstance(node, Object):
            self._object(node, path, inner)
        elif isinstance(node, Switch):
            self._switch(node, path, row, objects)
        else:
            place = f"{path}/*" if isinstance(node, (Array, Map)) else path
            for each in inside(node):
                self.within(each, place, row, objects)

    def _object(self, node: Object, path: str, objects: tuple[Citations, ...]) -> None:
        for field in node.fields:
            for row in (field, *field.others):
                self._row(row, f"{path}/{row.name}", objects)
        for relation in node.relations:
            for kind in relation.kinds():
                citation = relation.citation.over(resolved(kind, objects))
                self._cited(node, path, kind, citation, Severity.ERROR, relation=relation)
        if node.closed:
            self._entry(node, path, "unknown", ({}, *objects))

    def _row(self, row: Field, path: str, objects: tuple[Citations, ...]) -> None:
        if row.presence != "may":
            most = Severity.WARNING if row.presence == "should" else Severity.ERROR
            self._entry(row.node, path, "missing", (row.citations, *objects), most)
        elif row.null is False or (self._side == "reply" and not takes_null(row.node)):
            self._entry(row.node, path, "null", (row.citations, *objects))
        if "deprecated" in row.citations:
            self._entry(row.node, path, "deprecated", (row.citations, *objects))
        self.within(row.node, path, row.citations, objects)

    def _switch(self, node: Switch, path: str, row: Citations, objects: tuple[Citations, ...]) -> None:
        own = {**row, **node.citations}
        at = f"{path}/{node.key}"
        if node.absent is None:
            self._entry(node, at, "missing", (own, *objects))
        self._entry(node, at, "type", (own, *objects))
        if node.others != "refused":
            self._entry(node, at, "empty", (own, *objects))
        if node.others != "silent":
            most = Severity.ERROR if node.others == "refused" else UNDOCUMENTED[self._side]
            self._entry(node, at, "value", (own, *objects), most)
        inner = ({"": node.citations[""]}, *objects) if "" in node.citations else objects
        for case in inside(node):
            self.within(case, path, {}, inner)


def _kinds(node: Node, side: Side) -> Iterator[tuple[Kind, Severity]]:
    """What can be reported for a node itself, apart from its JSON type."""
    if isinstance(node, Text):
        found: dict[Kind, object] = {
            "empty": node.least or (node.words and node.others != "refused"),
            "length": node.most is not None or node.least > 1,
            "pattern": node.pattern,
        }
        yield from ((kind, Severity.ERROR) for kind, there in found.items() if there)
        if node.words and node.others != "silent":
            yield "value", Severity.ERROR if node.others == "refused" else UNDOCUMENTED[side]
    elif isinstance(node, Number) and (node.low is not None or node.high is not None):
        yield "range", Severity.ERROR
    elif isinstance(node, Array):
        bounds: dict[Kind, object] = {
            "empty": node.least,
            "count": node.most is not None or node.least > 1,
            "duplicate": node.unique,
        }
        yield from ((kind, Severity.ERROR) for kind, there in bounds.items() if there)
    elif isinstance(node, Map) and node.most is not None:
        yield "count", Severity.ERROR
    elif isinstance(node, Flag) and node.only is not None:
        yield "value", Severity.ERROR
    elif isinstance(node, Foreign):
        yield "unknown", Severity.ERROR
