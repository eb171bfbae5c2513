"""Faults in arrays: an item missing, doubled, or in another order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from devtools.mutants.operator import Fault, operator
from devtools.mutants.operators.members import fault
from devtools.mutants.subject import Subject
from devtools.mutants.tree import Node


def items(subject: Subject) -> Iterator[Node]:
    """The places of a contract that are items of an array."""
    return (node for node in subject.contract if isinstance(node.key, int))


@operator("drop-item")
def drop_item(subject: Subject) -> Iterator[Fault]:
    """An item of an array is missing."""
    for node in items(subject):
        yield fault(node, node.drop)


@operator("duplicate-item")
def duplicate_item(subject: Subject) -> Iterator[Fault]:
    """An item of an array occurs twice."""
    for node in items(subject):
        holder = [*node.holder[: int(node.key)], node.value, *node.holder[int(node.key) :]]
        yield fault(node, partial(node.holder_as, holder))


@operator("swap-items")
def swap_items(subject: Subject) -> Iterator[Fault]:
    """Two neighbouring items of an array are swapped."""
    for node in items(subject):
        after = int(node.key) + 1
        if after < len(node.holder) and node.holder[after] != node.value:
            holder = [*node.holder[: after - 1], node.holder[after], node.value, *node.holder[after + 1 :]]
            yield fault(node, partial(node.holder_as, holder))
