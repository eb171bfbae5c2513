"""The violations of a request that repeats an earlier one with more items at the end of an array.

Items are judged independently of each other: the violations of earlier items, and of all other fields, are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from conformance.contract.admission import Admission
from conformance.contract.checking import check_within
from conformance.contract.contract import Resolved
from conformance.contract.nodes import Array, Node, Object, flat
from conformance.contract.violation import Frame, Violation
from conformance.model.frozen import dataclass
from conformance.model.pointer import item_of, join, split


@dataclass(frozen=True, slots=True)
class _Items:
    """The node of the array's items; `first` are the fields of the body that are checked up to the array, included."""

    node: Node
    frame: Frame
    admission: Admission
    first: frozenset[str]


def grown(
    made: Resolved, before: Sequence[Violation], items: Sequence[Any], repeated: int, key: str
) -> list[Violation] | None:
    """The violations of a body that repeats an earlier one, but for the array under the key.

    `before` are the violations of the earlier body, and `repeated` is the number of items that both arrays begin with.
    None if the contract has requirements for the array as a whole, other than that it has items.
    """
    each = _items(made, key)
    if each is None:
        return None
    kept = [one for one in before if (number := item_of(one.pointer, key)) is None or number < repeated]
    new = list(items[repeated:])
    if each.admission.admits_all(new):
        return kept
    # The order of `check`: the fields, then missing fields, then relations between fields.
    at = next((number for number, one in enumerate(kept) if not each.first & {*split(one.pointer)[:1]}), len(kept))
    return [*kept[:at], *_violations(each, new, repeated, key), *kept[at:]]


def _violations(each: _Items, new: Sequence[Any], first: int, key: str) -> Iterator[Violation]:
    with suppress(RecursionError):  # as for a whole body
        for number, item in enumerate(new, first):
            yield from check_within(each.node, item, join("", key, number), each.frame)


def _items(made: Resolved, key: str) -> _Items | None:
    if key not in made.by_array:
        made.by_array[key] = _items_of(made, key)
    found: _Items | None = made.by_array[key]
    return found


def _items_of(made: Resolved, key: str) -> _Items | None:
    node = made.node
    if not isinstance(node, Object):
        return None
    conditions = (each for relation in node.relations for each in relation.conditions)
    if any(each.name == key and each.asks_for_items for each in conditions):
        return None
    names: set[str] = set()
    for row in node.fields:
        names |= {row.name, *row.also}
        if key in names:
            arrays = [each for each in flat(row.node) if isinstance(each, Array)]
            if len(arrays) != 1 or arrays[0].most is not None or arrays[0].unique or arrays[0].least > 1:
                return None
            frame = Frame(made.side, stated=made.stated).at_object(node.citations).at_row(row.citations)
            return _Items(arrays[0].items, frame, Admission(arrays[0].items), frozenset(names))
    return None
