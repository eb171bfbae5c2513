"""Reading a text piece by piece, with the same result however the text was cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from conformance.model.transcript import Part, Reasoning, Text, Turn

CUT = ("length", "filter")
"""The stop reasons of a turn that may be truncated anywhere."""


class Reader(Protocol):
    """Reads one text. It returns pieces of text and reasoning as soon as they are certain, and calls as a whole."""

    def feed(self, chunk: str) -> Iterator[Part]:
        """The parts that are certain after this chunk."""

    def finish(self, *, cut: bool = False) -> Iterator[Part]:
        """The rest at the end; with `cut` (the text was truncated) an incomplete call is a call."""


class Parse(Protocol):
    """Reads a whole text."""

    def __call__(self, text: str, *, cut: bool = False) -> tuple[Part, ...]:
        """All its parts."""


def read(reader: Reader, text: str, *, cut: bool = False) -> tuple[Part, ...]:
    """All parts of a text, with pieces of the same kind joined."""
    return tuple(merged((*reader.feed(text), *reader.finish(cut=cut))))


def merged(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with adjacent pieces of text, and of reasoning, joined."""
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
    """The parts, all with the same pointer."""
    for part in parts:
        yield replace(part, pointer=pointer)


def reread(turn: Turn, parse: Parse) -> Turn:
    """A turn of the host with its text split into parts.

    The host has one stop reason for every normal end; a turn with calls ends for the calls.
    """
    parts: list[Part] = []
    for part in turn.parts:
        if isinstance(part, Text):
            parts.extend(placed(parse(part.text, cut=turn.stop in CUT), part.pointer))
        else:
            parts.append(part)
    read_turn = replace(turn, parts=tuple(parts))
    return replace(read_turn, stop="tool-calls") if read_turn.calls and turn.stop == "end" else read_turn
