"""Two versions of a message, line by line, with each line at the height of its partner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import takewhile
from typing import NamedTuple

from conformance.model.printable import count, visible
from conformance.report.wire_lines import WireLine, fit

_SHARED = 120
"""How much of what two versions of a line share is shown on each side of what differs, in characters."""
_AROUND = 3
_MOST = 1_500
"""How many lines of a message are compared."""
_ROWS = 120
"""How many rows are shown of a message."""


Piece = tuple[str, str, str]
"""A line in three: the begin that both versions share, what differs, and the end that they share."""


class Row(NamedTuple):
    """A line of each version; None where one of them has none. `grade` is empty where both are the same."""

    old: Piece | None
    new: Piece | None
    grade: str = ""
    gap: bool = False


def rows_of(
    old: Sequence[WireLine],
    new: Sequence[WireLine],
    old_grades: Mapping[str, str],
    new_grades: Mapping[str, str],
    around: int = _AROUND,
) -> list[Row]:
    """The lines that differ, with so many around them.

    The grades are those of the differences, by pointer; what differs at no such place is noise.
    """
    before, after = old[:_MOST], new[:_MOST]
    one, other = (
        [line.text.rstrip(",") for line in lines] for lines in (before, after)
    )  # a comma depends on what follows
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    made: list[Row] = []
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            pairs = list(zip(before[i:i_end], after[j:j_end], strict=True))
            made += _same(pairs, 0 if i == 0 else around, 0 if i > 0 and i_end == len(before) else around)
        else:
            made += _changed(before[i:i_end], after[j:j_end], old_grades, new_grades)
    left = max(len(old), len(new)) - _MOST
    if len(made) > _ROWS:
        left = max(0, left) + len(made) - _ROWS
        made = made[:_ROWS]
    return [*made, *_gap(left)]


def _same(lines: Sequence[tuple[WireLine, WireLine]], head: int, tail: int) -> Iterator[Row]:
    left = len(lines) - head - tail
    if left <= 1:
        yield from (_equal(*pair) for pair in lines)
        return
    yield from (_equal(*pair) for pair in lines[:head])
    yield from _gap(left, "the same")
    yield from (_equal(*pair) for pair in lines[len(lines) - tail :])


def _equal(old: WireLine, new: WireLine) -> Row:
    return Row((fit(old.text), "", ""), (fit(new.text), "", ""))


def _gap(number: int, why: str = "left out") -> Iterator[Row]:
    if number > 0:
        yield Row((f"⋯ {count(number, 'line')} {why}", "", ""), None, gap=True)


def _changed(
    old: Sequence[WireLine], new: Sequence[WireLine], old_grades: Mapping[str, str], new_grades: Mapping[str, str]
) -> Iterator[Row]:
    for number in range(max(len(old), len(new))):
        one = old[number] if number < len(old) else None
        other = new[number] if number < len(new) else None
        grades = [_grade(line, of) for line, of in ((one, old_grades), (other, new_grades)) if line is not None]
        yield Row(*_pieces(one and one.text, other and other.text), _worst(grades))


def _pieces(old: str | None, new: str | None) -> tuple[Piece | None, Piece | None]:
    """Both lines with what differs in them, which is shown even where a line is long."""
    if old is None or new is None:
        return (None if old is None else ("", fit(old), "")), (None if new is None else ("", fit(new), ""))
    begin = _common(old, new)
    end = _common(old[begin:][::-1], new[begin:][::-1])
    shared, rest = old[:begin], old[len(old) - end :]
    shared = shared if begin <= _SHARED else f"{shared[:20]} … {shared[-_SHARED:]}"
    rest = rest if end <= _SHARED else f"{rest[:_SHARED]} …"
    first, second = (fit(text[begin : len(text) - end]) for text in (old, new))
    return (visible(shared), first, visible(rest)), (visible(shared), second, visible(rest))


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _grade(line: WireLine, grades: Mapping[str, str]) -> str:
    if line.pointer is None:
        return "noise"
    at = f"{line.pointer}/"
    return _worst(grade for place, grade in grades.items() if place and at.startswith(f"{place}/"))


def _worst(grades: Iterable[str]) -> str:
    return max(grades, key=("noise", "review", "change").index, default="noise")
