"""The form of a value: the parts of it that a contract depends on.

Values of the same form have the same violations at the same places. So if many events of a stream repeat the same
fault, only one of each form has to be checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.contract.nodes import Cases, Flag, Later, Map, Node, Number, Object, Switch, Text, inside

Form = str | type[Any] | tuple[Any, ...]


class Forms:
    """The forms of the values of one resolved contract."""

    def __init__(self, node: Node, passes: Callable[[Node, Any], bool]) -> None:
        """`passes`: whether a value has no violation under a node (`Admission.passes`)."""
        self._passes = passes
        self._valued: set[str] = set()
        self._bounds: dict[str, dict[str, Node]] = {}
        self._opaque: set[str] = set()
        self._learn(node, "", set())

    def of(self, value: Any, name: str = "") -> Form:
        """The form of a field's value: its types, and the values on which others depend, or that break a bound."""
        if name in self._opaque:
            return repr(value)
        if isinstance(value, dict):
            return tuple([(key, self.of(each, key)) for key, each in value.items()])
        if isinstance(value, list):
            return (list, *[self.of(each, name) for each in value])
        kind: type[Any] = type(value)
        if name in self._valued:
            return kind, value
        fits = all(self._passes(bound, value) for bound in self._bounds.get(name, {}).values())
        return kind if fits else (kind, value)

    def _learn(self, node: Node, name: str, seen: set[str]) -> None:
        """Collects the names of the fields whose values matter, and of those that the form contains in full."""
        if isinstance(node, Later):
            if node.name not in seen:
                seen.add(node.name)
                self._learn(node.node(), name, seen)
            return
        if _is_bound(node):
            self._bounds.setdefault(name, {})[repr(node)] = node
        elif isinstance(node, Map):
            self._opaque.add(name)  # its keys are the client's, and have no rows
        elif isinstance(node, Object):
            self._valued |= {each.name.split(".")[-1] for relation in node.relations for each in relation.conditions}
            for row in node.fields:
                for spelling in (row.name, *row.also):
                    self._learn(row.node, spelling, seen)
        elif isinstance(node, Switch):
            self._valued.add(node.key)
        elif isinstance(node, Cases):
            self._valued |= {condition.name.split(".")[-1] for condition, _ in node.cases}
        for each in () if isinstance(node, (Object, Map)) else inside(node):
            self._learn(each, name, seen)


def _is_bound(node: Node) -> bool:
    """Whether a scalar has more requirements than its type."""
    if isinstance(node, Text):
        return bool(node.words or node.pattern or node.least or node.most is not None)
    if isinstance(node, Number):
        return node.low is not None or node.high is not None
    return isinstance(node, Flag) and node.only is not None
