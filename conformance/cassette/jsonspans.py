"""The positions of the strings in a JSON text, so that one can be changed without changing another byte."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from conformance.model.frozen import dataclass

Path = tuple[str | int, ...]
_DEEPEST = 128
"""A path has this many steps at most, the last ones: the time for nested brackets stays linear."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A string, a key or a bare word (a number, `true`). `start` and `end` are those of its text, without quotes."""

    path: Path
    start: int
    end: int
    raw: str
    kind: str

    @property
    def value(self) -> str:
        """The text that a string stands for."""
        if self.kind == "word" or "\\" not in self.raw:
            return self.raw
        try:
            text: str = json.loads(f'"{self.raw}"', strict=False)
        except ValueError:
            return self.raw
        return text

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The position of a span of `value` in the whole text."""
        if "\\" not in self.raw or self.kind == "word":
            return self.start + start, self.start + end
        ends = [0, *(found.end() for found in _CHARACTER.finditer(self.raw))]
        last = len(ends) - 1
        return self.start + ends[min(start, last)], self.start + ends[min(end, last)]


def leaves(text: str) -> Iterator[Leaf]:
    """The leaves of a JSON text, in order. Of text that is not JSON, those that can be found."""
    above: list[Path] = []  # the path of each open object or array
    steps: list[str | int] = []  # the key or index at which each of them is; a number in an array, a text in an object
    awaiting = False  # a key comes next
    for found in _TOKEN.finditer(text):
        piece = found[0]
        if piece[0] == '"':
            if awaiting:
                leaf = Leaf(above[-1], found.start() + 1, found.end() - 1, piece[1:-1], "key")
                steps[-1] = leaf.value
                yield leaf
            else:
                path = (*above[-1], steps[-1]) if above else ()
                yield Leaf(path, found.start() + 1, found.end() - 1, piece[1:-1], "string")
        elif piece == ":":
            awaiting = False
        elif piece == ",":
            step = steps[-1] if steps else None
            awaiting = isinstance(step, str)
            if isinstance(step, int):
                steps[-1] = step + 1
        elif piece in "{[":
            above.append((*above[-1], steps[-1])[1 - _DEEPEST :] if above else ())
            awaiting = piece == "{"
            steps.append("" if awaiting else 0)
        elif piece in "}]":
            if above:
                above.pop()
                steps.pop()
            awaiting = False
        else:
            yield Leaf((*above[-1], steps[-1]) if above else (), found.start(), found.end(), piece, "word")


@dataclass(frozen=True, slots=True)
class Edit:
    """A span of a text, and its replacement."""

    start: int
    end: int
    new: str


def merged(edits: Iterable[Edit]) -> list[Edit]:
    """The edits in order. If two overlap, the one that begins first, or is longer, covers both."""
    done: list[Edit] = []
    for edit in sorted(edits, key=lambda each: (each.start, -each.end)):
        if done and edit.start < done[-1].end:
            done[-1] = Edit(done[-1].start, max(done[-1].end, edit.end), done[-1].new)
        else:
            done.append(edit)
    return done


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with the edits made; every other character as it was."""
    pieces: list[str] = []
    position = 0
    for edit in merged(edits):
        pieces += (text[position : edit.start], edit.new)
        position = edit.end
    return "".join([*pieces, text[position:]]) if pieces else text
