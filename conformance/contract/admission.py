"""The quick answer that a value has no violation: each node of a contract as one function, made when it is first used.

The functions describe no fault and know nothing of the rows around a node. So they are never less strict than `check`:
a value that is admitted has no violation. One that is not may still have none, where a row reports a fault as `SILENT`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from conformance.contract.citation import SILENT, resolved
from conformance.contract.nodes import (
    Anything,
    Array,
    Cases,
    Field,
    Flag,
    Foreign,
    Later,
    Map,
    Node,
    Null,
    Number,
    Object,
    Switch,
    Text,
    Union,
)
from conformance.contract.relations import Relation
from conformance.contract.scalars import is_quoted, unquoted
from conformance.model.jsontext import canonical

Test = Callable[[Any], bool]


class Admission:
    """Which values have no violation under a node that was resolved for a situation."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._tests: dict[int, Test] = {}

    def admits(self, value: Any) -> bool:
        """Whether the value has no violation; also False if that is not known."""
        return self.admits_all([value])

    def admits_all(self, values: Iterable[Any]) -> bool:
        """The same for many values, such as the events of a stream."""
        try:
            return all(map(self.of(self._node), values))
        except RecursionError:  # no parser accepts deeper nesting
            return False

    def passes(self, node: Node, value: Any) -> bool:
        """As `admits`, for a node in the tree."""
        return self.of(node)(value)

    def of(self, node: Node) -> Test:
        """The function of a node in the tree; one that occurs several times has one."""
        known = self._tests.get(id(node))
        if known is None:
            known = self._tests[id(node)] = self._made(node)
        return known

    def _made(self, node: Node) -> Test:
        if isinstance(node, Object):
            return self._object(node)
        if isinstance(node, Text):
            return _text(node)
        if isinstance(node, Number):
            return partial(_is_number, node)
        if isinstance(node, Flag):
            return (lambda value: isinstance(value, bool)) if node.only is None else (lambda value: value is node.only)
        if isinstance(node, Array):
            return self._array(node)
        if isinstance(node, Union):
            return self._union(node)
        if isinstance(node, Switch):
            return self._switch(node)
        if isinstance(node, Cases):
            return self._cases(node)
        if isinstance(node, Map):
            return self._map(node)
        if isinstance(node, Foreign):
            idle = set(map(canonical, node.idle))
            return lambda value: bool(idle) and canonical(value) in idle
        if isinstance(node, Later):
            return lambda value: self.of(node.node())(value)  # noqa: PLW0108 - when it is asked: it contains itself
        if isinstance(node, Null):
            return lambda value: value is None
        return lambda _: isinstance(node, Anything)

    def _object(self, node: Object) -> Test:
        rows = {name: row for row in reversed(node.fields) for name in (row.name, *row.also)}
        never_null = {name for name, row in rows.items() if not row.null}
        needed = [row for row in node.fields if _is_needed(row, node)]
        required = {row.name for row in needed if not row.also}
        spelled = [{row.name, *row.also} for row in needed if row.also]
        relations = [(_asked(each), each.keeper()) for each in node.relations]
        closed = bool(node.closed)
        tests: dict[str, Test] = {}

        def admits(value: Any) -> bool:
            if not isinstance(value, dict):
                return False
            for name, each in value.items():
                if each is None:
                    if name in never_null:
                        return False
                elif name in tests:
                    if not tests[name](each):
                        return False
                elif name in rows:
                    test = tests[name] = self._row(rows[name])
                    if not test(each):
                        return False
                elif closed:
                    return False
            if not required <= value.keys() or (spelled and any(map(value.keys().isdisjoint, spelled))):
                return False
            for asked, keeps in relations:
                if (asked is None or not asked.isdisjoint(value)) and not keeps(value):
                    return False
            return True

        return admits

    def _row(self, row: Field) -> Test:
        return (lambda _: False) if "deprecated" in row.citations else self.of(row.node)

    def _array(self, node: Array) -> Test:
        item, least, most = self.of(node.items), node.least, node.most

        def admits(value: Any) -> bool:
            if not isinstance(value, list):
                return node.single and item(value)
            if len(value) < least or (most is not None and len(value) > most):
                return False
            if node.unique and len(value) > 1 and len(set(map(canonical, value))) < len(value):
                return False
            return all(map(item, value))

        return admits

    def _union(self, node: Union) -> Test:
        choices = [self.of(each) for each in node.choices]

        def admits(value: Any) -> bool:
            for choice in choices:  # noqa: SIM110 - a generator costs more than most choices
                if choice(value):
                    return True
            return False

        return admits

    def _switch(self, node: Switch) -> Test:
        cases = dict(reversed(node.cases))
        rest: Node | None = node.otherwise if node.otherwise is not None else _SILENT.get(node.others)

        def admits(value: Any) -> bool:
            if not isinstance(value, dict):
                return False
            tag = value.get(node.key, node.absent)
            if tag is None and node.null:
                tag = node.absent
            if not isinstance(tag, str):
                return False
            case = cases.get(tag, rest if tag else None)
            return case is not None and self.of(case)(value)

        return admits

    def _cases(self, node: Cases) -> Test:
        cases = [(condition.quick(), each) for condition, each in node.cases]

        def admits(value: Any) -> bool:
            if not isinstance(value, dict):
                return False
            for holds, case in cases:
                if holds(value):
                    return self.of(case)(value)
            return self.of(node.otherwise)(value)

        return admits

    def _map(self, node: Map) -> Test:
        inner, most = self.of(node.values), node.most
        key = None if node.keys is None else self.of(node.keys)

        def admits(value: Any) -> bool:
            if not isinstance(value, dict) or (most is not None and len(value) > most):
                return False
            return (key is None or all(map(key, value))) and all(map(inner, value.values()))

        return admits


_SILENT = {"silent": Anything()}
"""What a switch has for a value outside its list where that is not reported."""


def _is_needed(row: Field, owner: Object) -> bool:
    return row.presence != "may" and resolved("missing", (row.citations, owner.citations)).severity is not SILENT


def _asked(relation: Relation) -> frozenset[str] | None:
    """The members without any of which an object keeps a relation; None if it can break it without any."""
    if relation.form in ("some", "one"):
        return None
    first = relation.conditions[:1] if relation.form in ("excludes", "needs", "below") else relation.conditions
    names: set[str] = set()
    for each in first:
        if each.bare is not None or (each.values is not None and None in each.values):
            return None
        names.update(each.spelled[0])
    return frozenset(names)


def _text(node: Text) -> Test:
    words = frozenset(node.words) if not node.folded else None
    free = node.others == "silent" or not node.words
    pattern = re.compile(node.pattern).fullmatch if node.pattern else None
    least, most = node.least, node.most
    if not node.words and not pattern and not least and most is None:
        return lambda value: isinstance(value, str)

    def admits(value: Any) -> bool:
        if not isinstance(value, str):
            return False
        if node.words and not (value in words if words is not None else node.lists(value)):
            return free and bool(value)
        size = len(value)
        return size >= least and (most is None or size <= most) and (pattern is None or pattern(value) is not None)

    return admits


def _is_number(node: Number, value: Any) -> bool:
    if isinstance(value, str):
        if not is_quoted(node, value):
            return False
        value = unquoted(value)
    elif isinstance(value, bool) or not isinstance(value, int if node.whole else (int, float)):
        return False
    if node.whole and isinstance(value, float):
        return False
    return not node.breaks(value)
