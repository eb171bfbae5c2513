"""What all ways to break a relation use: the edits of places in an exchange."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import singledispatch
from typing import Any, NamedTuple

from conformance.judge.proofs.edit import Edit
from conformance.judge.relations.places import Place, Root, Test, places, select
from conformance.judge.relations.scan import Sided, scan_of
from conformance.judge.view import View
from devtools.relation_faults.growth import (
    UNKNOWN,
    again,
    dropped,
    grown,
    put,
    renamed,
)

Edits = tuple[tuple[Root, Edit], ...]
"""Edits, each with the root that its pointer leads from."""


class Planted(NamedTuple):
    """A fault: what was done, the edits, and patterns that lead somewhere after them; otherwise it is none."""

    label: str
    edits: Edits
    makes: tuple[str, ...] = ()


_FAR = 10**9
"""A number that no sender who counts has come to."""


@singledispatch
def planted(relation: Any, view: View) -> Iterator[Planted]:
    """The ways to break a relation in an exchange, each with its edits."""
    raise NotImplementedError(f"no fault is known for {type(relation).__name__}: write one here")


def rooted(root: Root, edits: Iterable[Edit]) -> Edits:
    return tuple((root, each) for each in edits)


def put_at(found: Sided, value: Any, written: str = "") -> Edits:
    """Another value at a place, which a pattern found."""
    root, _, pointer = found
    place = next((each for each in places(written) if each.root == root), None) if written else None
    return ((root, renamed(place.steps if place is not None else (), pointer, value)),)


def taken_at(view: View, written: str) -> Edits:
    """All that is at a pattern, taken away: the last member that it tests, or else the value."""
    edits: list[tuple[Root, Edit]] = []
    for place in places(written):
        last = place.steps[-1] if place.steps else None
        found = scan_of(view).of(place)
        if isinstance(last, Test) and not last.absent and last.path:
            # null and absent are the same to a test; what needs it may be the very field
            edits += [(place.root, put("/".join((pointer, *last.path)), None)) for _, pointer in found]
        else:
            edits += rooted(place.root, dropped(found, place.steps))
    return tuple(edits)


def grown_at(
    label: str, view: View, written: str, leaf: Any = UNKNOWN, *, keeps: tuple[str, ...] = ()
) -> Iterator[Planted]:
    """What a pattern describes, added at each of its places."""
    for place in places(written):
        for value, pointer in reversed(roots_of(view, place)):
            edits = grown(value, place.steps, pointer, leaf)
            if edits:
                yield Planted(label, rooted(place.root, edits), (place.written, *keeps))
                break


def roots_of(view: View, place: Place) -> list[tuple[Any, str]]:
    """The values at the root of a place, those last that most of its steps are true of."""
    found = [(value, pointer) for _, value, pointer in scan_of(view).at(place.root)]
    lengths = range(len(place.steps) + 1)
    return sorted(found, key=lambda each: sum(any(select(each[0], place.steps[:size])) for size in lengths))


def there(view: View, written: str) -> Sided | None:
    return scan_of(view).first(written) if written else None


def again_at(view: View, found: Sided) -> Edits:
    """The item of an array that holds a value, once more."""
    root, _, pointer = found
    for value, begun in ((value, at) for _, value, at in scan_of(view).at(root)):
        if root != "event" and pointer.startswith(begun) and (edit := again(value, pointer.removeprefix(begun))):
            return ((root, replace(edit, pointer=f"{begun}{edit.pointer}")),)
    number = event_of(pointer)
    if number is not None and view.events is not None:
        return ((root, Edit("insert", f"event/{number}", view.events[number].json)),)
    return ()


def item_of(pointer: str) -> tuple[str, int]:
    """The array and the number of the step that a place lies in."""
    tokens = pointer.split("/")
    number = next((number for number, each in enumerate(tokens) if each.isdecimal()), None)
    return (pointer, 0) if number is None else ("/".join(tokens[:number]), int(tokens[number]))


def event_of(pointer: str) -> int | None:
    return int(pointer.split("/")[1]) if pointer.startswith("event/") else None
