"""Reading a text piece by piece: what comes out is the same however the text was cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from conformance.model.transcript import Part, Reasoning, Text, Turn

CUT = ("length", "filter")
"""The stop reasons of a turn that may end anywhere."""


class Reader(Protocol):
    """Reads one text. Text and reasoning come out in pieces as soon as they are certain, calls as a whole."""

    def feed(self, chunk: str) -> Iterator[Part]:
        """The parts that are certain after this chunk."""

    def finish(self, *, cut: bool = False) -> Iterator[Part]:
        """What is left at the end; `cut` says that the text was cut off, so that half a call is a call."""


class Parse(Protocol):
    """Reads a text at once."""

    def __call__(self, text: str, *, cut: bool = False) -> tuple[Part, ...]:
        """All its parts."""


def read(reader: Reader, text: str, *, cut: bool = False) -> tuple[Part, ...]:
    """All parts of a text, pieces of the same kind put together."""
    return tuple(merged((*reader.feed(text), *reader.finish(cut=cut))))


def merged(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts with neighbouring pieces of text, and of reasoning, made one."""
    last: Part | None = None
    for part in parts:
        if isinstance(last, Text) and isinstance(part, Text):
            last = replace(last, text=last.text + part.text)
        elif isinstance(last, Reasoning) and isinstance(part, Reasoning):
            last = replace(last, text=(last.text or "") + (part.text or ""))
        else:
            if last is not None:
                yield last
            last = part
    if last is not None:
        yield last


def placed(parts: Iterable[Part], pointer: str) -> Iterator[Part]:
    """The parts, all standing at one place of the wire."""
    for part in parts:
        yield replace(part, pointer=pointer)


def reread(turn: Turn, parse: Parse) -> Turn:
    """A turn of the carrier with its text taken apart.

    The carrier has one word for every end of its own accord; a turn that holds calls ends for them.
    """
    parts: list[Part] = []
    for part in turn.parts:
        if isinstance(part, Text):
            parts.extend(placed(parse(part.text, cut=turn.stop in CUT), part.pointer))
        else:
            parts.append(part)
    read_turn = replace(turn, parts=tuple(parts))
    return replace(read_turn, stop="tool-calls") if read_turn.calls and turn.stop == "end" else read_turn
