"""The descriptions of `markups.yaml`, with what may follow each place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Self

from conformance.errors import ConformanceError
from conformance.model.data_files import read_data
from conformance.model.frozen import dataclass
from conformance.model.lazy import lazy

DATA = Path(__file__).with_name("markups.yaml")
_TAG = re.compile(r"[<\[].")
"""A mark that does not occur in other text."""
JSON = ("arguments", "object")
"""The slots that are JSON objects."""
FREE = ("value", "content")
"""The slots that are any text, white space included."""
_INNER = {"parameters": "parameter", "option": "option"}
"""The slots that are a pattern of their own."""


class Marks(tuple[str, ...]):  # noqa: SLOT001 - a tuple has no slots
    """Texts to look for, the longest first."""

    pattern: re.Pattern[str]
    longest: int

    def __new__(cls, texts: Iterable[str | None] = ()) -> Self:
        made = super().__new__(cls, sorted(dict.fromkeys(filter(None, texts)), key=len, reverse=True))
        made.pattern = re.compile("|".join(map(re.escape, made)) or r"(?!)")
        made.longest = max(map(len, made), default=0)
        return made

    def __str__(self) -> str:
        return " or ".join(f"`{each}`" for each in self)


NO_MARKS = Marks()


@dataclass(frozen=True)
class Step:
    """One thing that a pattern has next.

    `slot` is the name of a slot; without one, the step is one of `marks`. `inner` are the steps of a pattern in the
    slot. `then` are the texts that may follow. `at_end` is whether the end of the text may stand for a mark, and
    `trimmed` whether one line end at each side of the slot is layout.
    """

    slot: str | None = None
    marks: Marks = NO_MARKS
    inner: tuple[Step, ...] = ()
    then: Marks = NO_MARKS
    at_end: bool = False
    trimmed: bool = False

    @lazy
    def first(self) -> Marks:
        """The texts with which the step begins, if these are known."""
        if self.slot is None:
            return self.marks
        return self.inner[0].first if self.inner else Marks("{" if self.slot in JSON else ())

    @lazy
    def either(self) -> Marks:
        """How the step begins, or what follows it."""
        return Marks((*self.first, *self.then))


@dataclass(frozen=True)
class Grammar:
    """One markup."""

    name: str
    call: tuple[Step, ...]
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    separator: Marks
    other: tuple[Step, ...]
    messages: Mapping[str, Any] | None
    id: str | None
    thought: tuple[str, ...]
    ends: Marks
    words: Mapping[str, Any]

    @lazy
    def opening(self) -> Marks:
        """What begins the calls of a turn."""
        return (self.before or self.call)[0].first if self.messages is None else NO_MARKS

    @lazy
    def restarts(self) -> Marks:
        """What begins a call, whatever is around it, or ends the turn."""
        mine = (self.messages["begin"],) if self.messages else self.call[0].first
        return Marks((*self.opening, *(each for each in mine if each != "{"), *self.ends))

    @lazy
    def closing(self) -> Marks:
        """What ends a call."""
        return self.call[-1].marks

    @lazy
    def stray(self) -> Marks:
        """What belongs to calls, and means nothing outside of them."""
        marks = [mark for step in (*self.call, *self.after[-1:]) for mark in step.marks]
        return Marks(each for each in marks if _TAG.match(each) and each not in self.opening)

    @lazy
    def turn(self) -> Marks:
        """What means something outside of calls and thoughts."""
        return Marks((*self.opening, *self.stray, *self.thought, *self.ends))

    @lazy
    def onward(self) -> Marks:
        """Where a broken call is over."""
        after = self.after[-1].marks if self.after else ()
        return Marks((*(each for each in (*self.closing, *after) if len(each) > 1), *self.restarts))

    @lazy
    def within(self) -> Marks:
        """What may be next in a section after its beginning or a separator."""
        return Marks((*self.call[0].first, *self.after[0].marks))

    @lazy
    def behind(self) -> Marks:
        """What may be next in a section behind a call."""
        return Marks((*(self.separator or self.call[0].first), *self.after[0].marks))


def rows() -> Mapping[str, Any]:
    """The descriptions as they are written."""
    found: Mapping[str, Any] = read_data(DATA)
    return found


def names() -> tuple[str, ...]:
    """The names of all markups."""
    return tuple(rows())


@cache
def grammar(name: str) -> Grammar:
    """A markup by its name.

    Raises:
        ConformanceError: there is no such markup.
    """
    if name not in rows():
        raise ConformanceError(f"unknown markup {name!r}", f"choose one of {', '.join(names())}")
    row = rows()[name]
    section = row.get("section", [])
    middle = section.index("{calls}") if section else 0
    return Grammar(
        name=name,
        call=_steps(row, row["call"]),
        before=_steps(row, section[:middle]),
        after=_steps(row, section[middle + 1 :]),
        separator=Marks([row.get("separator")]),
        other=_steps(row, row.get("other", [])),
        messages=row.get("messages"),
        id=row.get("id"),
        thought=tuple(row.get("reasoning", ())),
        ends=Marks(row.get("ends", ())),
        words=row.get("words", {}),
    )


def _steps(row: Mapping[str, Any], pattern: Iterable[Any], after: Marks = NO_MARKS) -> tuple[Step, ...]:
    """The steps of a pattern, made from its end: each knows what may follow it."""
    made: list[Step] = []
    for text in reversed(list(_pieces(pattern))):
        then = Marks((*made[-1].first, *(made[-1].then if made[-1].inner else ()))) if made else after
        slot = text[1:-1] if isinstance(text, str) and text.startswith("{") else None
        if slot is None:
            marks = text if isinstance(text, list) else [text.strip("\n")]
            made.append(Step(marks=Marks(marks), then=then, at_end=None in marks))
            continue
        inner = _steps(row, row[_INNER[slot]], Marks((*_repeated(row, slot), *then))) if slot in _INNER else ()
        trimmed = any(f"\n{text}\n" in item for item in pattern if isinstance(item, str))
        made.append(Step(slot, inner=inner, then=then, trimmed=trimmed))
    return tuple(reversed(made))


def _repeated(row: Mapping[str, Any], slot: str) -> Iterator[str]:
    """The beginning of one more of what is in a slot, if there may be more."""
    if slot == "parameters":
        yield row["parameter"][0].split("{")[0]


def _pieces(pattern: Iterable[Any]) -> Iterator[Any]:
    """The literal texts and the slots of a pattern."""
    for item in pattern:
        if isinstance(item, list):
            yield item
        else:
            yield from (each for each in re.split(r"(\{\w+\})", item) if each.strip("\n"))
