"""Places in the traffic, as patterns: `response /output/*[type=function_call]/call_id`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from conformance.model.jsontext import canonical
from conformance.model.pointer import join

Root = Literal["request", "response", "event", "events", "header"]
"""The body of the request, that of a successful reply that is not streamed, each event of a streamed one, or all.

`header`: those of the request by their names in lower case, each with its values, which commas separate.
"""
Found = tuple[Any, str]
"""A value and its place, as in findings."""
ROOTS: Final[tuple[Root, ...]] = ("request", "response", "events", "event", "header")
_STEP = re.compile(r"/([^/\[\]]+)|\[(!?)([^\]=]*)(?:=([^\]]*))?\]")


@dataclass(frozen=True, slots=True)
class Key:
    """The value of a member, or with `*` each item of an array and each value of an object.

    `others` are names that it may have instead.
    """

    name: str
    others: tuple[str, ...] = ()

    def follow(self, found: Found) -> Iterator[Found]:
        value, at = found
        if self.name == "*":
            if isinstance(value, list):
                yield from ((each, f"{at}/{number}") for number, each in enumerate(value))
            elif isinstance(value, dict):
                yield from ((each, join(at, name)) for name, each in value.items())
        elif isinstance(value, dict) and self.name in value:
            yield value[self.name], join(at, self.name)
        elif isinstance(value, list) and self.name in ("first", "last") and value:
            number = 0 if self.name == "first" else len(value) - 1
            yield value[number], f"{at}/{number}"
        elif isinstance(value, dict):
            yield from ((value[each], join(at, each)) for each in self.others if each in value)


@dataclass(frozen=True, slots=True)
class Test:
    """Whether an object has a member that is not null, with one of `values` if there are any; or has none."""

    path: tuple[str, ...]
    values: tuple[str, ...] = ()
    absent: bool = False

    def follow(self, found: Found) -> Iterator[Found]:
        if self.holds(found[0]):
            yield found

    def holds(self, value: Any) -> bool:
        """Whether it is true for the value."""
        for key in self.path:
            value = value.get(key) if isinstance(value, dict) else None
        there = value is not None and (not self.values or text_of(value) in self.values)
        return there is not self.absent


Step = Key | Test


@dataclass(frozen=True, slots=True)
class Place:
    """A root and the steps from it; `written` is the pattern."""

    root: Root
    steps: tuple[Step, ...]
    written: str


def text_of(value: Any) -> str:
    """A value as a test writes it: a string as it is, a number, true and false as in JSON; nothing for any other."""
    if isinstance(value, str):
        return value
    return "" if value is None or isinstance(value, (dict, list)) else canonical(value)


@cache
def places(written: str) -> tuple[Place, ...]:
    """The places of a pattern; those of alternatives, which ` | ` separates, in their order.

    Raises:
        ValueError: the text is no pattern.
    """
    return tuple(map(_place, written.split(" | ")))


def _place(written: str) -> Place:
    root = next((each for each in ROOTS if re.match(rf"{each}(?=$|[ \[])", written)), None)
    if root is None:
        raise ValueError(f"{written!r}: a place begins with {', '.join(ROOTS)}")
    return Place(root, path(written[len(root) :].replace(" ", "", 1)), written)


@cache
def path(written: str) -> tuple[Step, ...]:
    """The steps of a path within a value: `/usage/input_tokens`, `/content/*[type=text]`.

    Raises:
        ValueError: the text is no path.
    """
    steps: list[Step] = []
    end = 0
    for match in _STEP.finditer(written):
        if match.start() != end:
            break
        end = match.end()
        key, negated, tested, values = match.groups()
        if key is not None:
            name, *others = key.replace("~1", "/").replace("~0", "~").split("|")
            steps.append(Key(name, tuple(others)))
        else:
            within = tuple(tested.split(".")) if tested else ()
            steps.append(Test(within, tuple(values.split("|")) if values else (), bool(negated)))
    if end != len(written):
        raise ValueError(f"{written!r}: not a path at {written[end:]!r}")
    return tuple(steps)


def select(value: Any, steps: tuple[Step, ...], at: str = "") -> Iterable[Found]:
    """The values at a path within a value, each with its place."""
    found: Iterable[Found] = ((value, at),)
    for step in steps:
        found = [each for before in found for each in step.follow(before)]
    return found
