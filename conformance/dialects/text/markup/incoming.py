"""Text that comes in pieces and is consumed from its front: each character is looked at a bounded number of times."""

from __future__ import annotations

import re
from bisect import bisect_right

from conformance.dialects.text.markup.grammar import Marks
from conformance.dialects.text.scan import partial_tag

_BLANK = re.compile(r"\s*")
_HALVES = re.compile("[\ud800-\udfff]")


class Incoming:
    """What has come and is not consumed yet, `text` from `at` on; `ended` is whether nothing more comes.

    `mark` keeps what is consumed from then on, so that `back` can return to it.
    """

    def __init__(self) -> None:
        self.text = ""
        self.at = 0
        self.ended = False
        self._start = 0
        self._lines = [0]
        self._half = ""
        self._marked: int | None = None
        self._kept: list[str] = []

    @property
    def place(self) -> int:
        """How many characters are consumed."""
        return self._start + self.at

    @property
    def exhausted(self) -> bool:
        """Whether everything is consumed, and nothing more comes."""
        return self.ended and self.at == len(self.text)

    def add(self, piece: str, *, last: bool = False) -> None:
        """Adds text at the end. Two halves of a surrogate pair become their character, also if a piece ends between."""
        piece, self._half = self._half + piece, ""
        if "\ud800" <= piece[-1:] <= "\udbff" and not last:
            piece, self._half = piece[:-1], piece[-1]
        if _HALVES.search(piece):
            piece = piece.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        begin = self._start + len(self.text)
        self._lines += [begin + found.end() for found in re.finditer("\n", piece)]
        if self._marked is not None:
            self._kept.append(self.text[self._marked : self.at])
            self._marked = 0
        self.text, self._start, self.at = self.text[self.at :] + piece, self.place, 0
        self.ended = last

    def mark(self) -> None:
        """Keeps what is consumed from here on."""
        self._marked, self._kept = self.at, []

    def unmark(self) -> None:
        """Keeps nothing any more."""
        self._marked, self._kept = None, []

    def back(self) -> None:
        """Returns to the mark, and removes it."""
        if self._kept:
            kept = "".join(self._kept)
            self.text, self._start = kept + self.text, self._start - len(kept)
        self.at = (self._marked or 0) if not self._kept else 0
        self.unmark()

    def take(self, end: int) -> str:
        """Consumes the text up to an index."""
        start, self.at = self.at, end
        return self.text[start:end]

    def skip(self, mark: str | None) -> None:
        """Consumes a mark that is next, if there is one."""
        self.at += len(mark or "")

    def find(self, marks: Marks) -> tuple[int, str | None]:
        """The index of the first of the marks, and which it is; without one, where one that is cut off may begin."""
        found = marks.pattern.search(self.text, self.at)
        if found is not None:
            return found.start(), found[0]
        size = len(self.text)
        tail = self.text[max(self.at, size - marks.longest) :]
        return size - (0 if self.ended else partial_tag(tail, marks)), None

    def blank(self) -> str:
        """Consumes white space."""
        found = _BLANK.match(self.text, self.at)
        return self.take(found.end() if found else self.at)

    def begins_with(self, marks: Marks) -> tuple[str | None, bool]:
        """Which of the marks is next, if one is; and whether more text could make it one."""
        rest = self.text[self.at : self.at + marks.longest]
        found = next((each for each in marks if rest.startswith(each)), None)
        return found, found is None and not self.ended and any(each.startswith(rest) for each in marks)

    def position(self, place: int) -> tuple[int, int]:
        """The line and the column, from 1, of a character."""
        line = bisect_right(self._lines, place)
        return line, place - self._lines[line - 1] + 1
