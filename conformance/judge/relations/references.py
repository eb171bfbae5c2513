"""References by their text: in one value, as `"$ref": "#/$defs/Pet"`; into the request, as `messages.0.content`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.judge.relations.forms import Form
from conformance.judge.relations.places import path, select
from conformance.judge.relations.rows import OfPlaces, Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from conformance.model import pointer
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief

_DEEPEST = 30
_DATA = ("default", "enum", "const", "example", "examples")
"""Members of a schema that hold values, not schemas."""


@dataclass(frozen=True, slots=True)
class Resolves:
    what: str
    names: tuple[str, ...]

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        for whole, place in select(value, path(self.what), at):
            for reference, where in references(whole, place, self.names):
                if pointer.get(whole, reference[1:]) is pointer.MISSING:
                    yield Hit(where, f"nothing is at {reference}", "a place in the same value", reference)


def resolves(what: str, *names: str) -> Form:
    """Every member with one of the names, at any depth, that begins with `#` leads to something in the value."""
    return Resolves(what, names)


def references(value: Any, at: str, names: tuple[str, ...], depth: int = 0) -> Iterator[tuple[str, str]]:
    """The references in a value, each with its place."""
    if depth > _DEEPEST:
        return
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        if key in names and isinstance(each, str) and each.startswith("#"):
            yield each, pointer.join(at, key)
        elif key not in _DATA:
            yield from references(each, pointer.join(at, key), names, depth + 1)


@dataclass(frozen=True, slots=True)
class PointsInto(OfPlaces):
    """A text at the places is a path of names and numbers, with points between, that leads to something in the request.

    `ordered`: the paths come in the order of what they lead to; `types`: that has one of these types.
    """

    what: str
    ordered: bool = False
    types: Sequence[str] = ()

    def hits(self, view: View) -> Iterator[Sided]:
        before: list[int] = []
        for root, value, at in scan_of(view).at(self.what):
            if not isinstance(value, str):
                continue
            numbers = [int(each) for each in re.findall(r"\d+", value)]
            there = pointer.get(view.request, pointer.join("", *value.split(".")))
            if there is pointer.MISSING:
                yield root, Hit(at, "nothing in the request is there", "a place in the request", value)
            elif self.types and isinstance(there, dict) and there.get("type") not in self.types:
                wanted = f"a place of `{'` or `'.join(self.types)}`"
                yield root, Hit(at, "something else in the request is there", wanted, brief(there.get("type")))
            elif self.ordered and numbers <= before:
                yield root, Hit(at, "this place is not after the one before", "the order of the request", value)
            before = numbers


def points_into(what: str, *, ordered: bool = False, types: Sequence[str] = ()) -> PointsInto:
    """Paths such as `messages.0.content.1` lead to something in the request, or to an object of one of some types."""
    return PointsInto(what, ordered, tuple(types))
