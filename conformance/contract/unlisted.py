"""What a refusal names and a contract leaves free: members that it does not list, as clients add their own; nulls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.contract.contract import Resolved
from conformance.contract.nodes import Array, Map, Node, Object, Switch, flat
from conformance.contract.violation import Fault, Frame, Violation
from conformance.model.pointer import join, split


def unlisted(made: Resolved, body: Any, pointers: Sequence[str]) -> Iterator[Violation]:
    """A violation for each of the places whose object has no row for it, and is not closed: that has its own.

    So has a null that stands for nothing, as most servers take it.
    """
    for pointer in pointers:
        *steps, name = split(pointer)
        nodes: list[Node] = [made.node]
        value = body
        for step in steps:
            nodes = [inner for node in nodes for inner in _inner(node, value, step)]
            value = _item(value, step)
        there = [each for node in nodes for each in _choices(node, value)]
        objects = [each for each in there if isinstance(each, Object)]
        listed = any(name in (row.name, *row.also) for each in objects for row in each.fields)
        listed = listed or any(each.key == name for each in there if isinstance(each, Switch))
        if not objects or not isinstance(value, dict) or name not in value:
            continue
        frame = Frame(made.side, stated=made.stated).at_object(objects[0].citations)
        leave = f"leave `{name}` out"
        if not listed and not any(each.closed for each in objects):
            fault = Fault(f"`{name}` is not a documented field", "a documented field", f"`{name}`", leave)
            yield from frame.report("unknown", join("", *steps, name), fault)
        elif listed and value[name] is None:
            fault = Fault(f"`{name}` is null, which the provider refused", "a value, or no such field", "null", leave)
            yield from frame.report("type", join("", *steps, name), fault)


def _item(value: Any, step: str) -> Any:
    if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    return value.get(step) if isinstance(value, dict) else None


def _inner(node: Node, value: Any, step: str) -> Iterator[Node]:
    """What a node has for a member or an item of a value."""
    for each in _choices(node, value):
        if isinstance(each, Object):
            yield from (row.node for row in each.fields if step in (row.name, *row.also))
        elif isinstance(each, Array) and isinstance(value, list):
            yield each.items
        elif isinstance(each, Map):
            yield each.values


def _choices(node: Node, value: Any) -> Iterator[Node]:
    """The alternatives of a node; of a switch, also the case that the value's key chooses."""
    for each in flat(node):
        yield each
        if isinstance(each, Switch) and isinstance(value, dict):
            case = dict(each.cases).get(str(value.get(each.key, each.absent)), each.otherwise)
            yield from _choices(case, value) if case is not None else ()
