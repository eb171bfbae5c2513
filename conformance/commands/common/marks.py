"""Tables of marks: a row for each scenario, a mark for each cell, and a legend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from conformance.model.finding import Finding, Severity
from conformance.model.printable import count

if TYPE_CHECKING:
    from rich.console import Console

Key = tuple[str, str, str, str]
"""The row, the column, and within it the group and the place of a mark."""
_GAP = 2
"""The spaces between two columns."""


@dataclass(frozen=True, slots=True)
class State:
    """The result of a cell. `plain` is its mark where the output takes no Unicode."""

    mark: str
    plain: str
    style: str
    meaning: str


OK = State("✓", "+", "green", "conforming")
RED = State("✗", "x", "bold red", "an error")
MISSING = State("?", "?", "bold red", "no cassette")
UNDONE = State("?", "?", "bold red", "not {done}")
UNTRIED = State("?", "?", "yellow", "not exercised")
NOT_OFFERED = State("○", "o", "dim", "not offered")
NOT_APPLICABLE = State("·", "-", "dim", "not applicable")
NOT_INSTALLED = State("⊘", "n", "yellow", "not installed")
FAULT = State("!", "!", "bold yellow", "our fault")
_STATES = (OK, RED, MISSING, UNDONE, UNTRIED, NOT_OFFERED, NOT_APPLICABLE, NOT_INSTALLED, FAULT)


def print_marks(
    states: Mapping[Key, State],
    places: Sequence[str],
    console: Console,
    out: IO[str],
    *,
    heading: Callable[[str], str] = str,
    done: str = "",
) -> str:
    """Prints the marks, in as many tables as they need to fit; each group has the same places.

    Returns the legend, in which `done` is the verb for what is done to the cells.
    """
    from rich.table import Table
    from rich.text import Text

    columns = list(dict.fromkeys(key[1] for key in states))
    groups = {name: sorted({key[2] for key in states if key[1] == name}) for name in columns}
    unicode = (getattr(out, "encoding", None) or "utf-8").lower().replace("-", "").startswith("utf")

    def mark(state: State) -> str:
        return state.mark if unicode else state.plain

    def marks(row: str, column: str) -> Text:
        text = Text()
        for number, group in enumerate(groups[column]):
            text.append(" " if number else "")
            for place in places:
                state = states.get((row, column, group, place))
                text.append(mark(state) if state else " ", state.style if state else "")
        return text

    rows = list(dict.fromkeys(key[0] for key in states))
    widths = {
        each: max(*map(len, heading(each).split("\n")), *(len(marks(row, each)) for row in rows)) for each in columns
    }
    for fitting in _fitting(widths, console.width - max(map(len, [*rows, "scenario"]))):
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
        for name in ("scenario", *map(heading, fitting)):
            table.add_column(name, no_wrap=True)
        for row in rows:
            table.add_row(row, *(marks(row, column) for column in fitting))
        console.print()
        console.print(table)
    seen = set(states.values())
    return ", ".join(f"{mark(state)} {state.meaning.format(done=done)}" for state in _STATES if state in seen)


def _fitting(widths: Mapping[str, int], room: int) -> Iterator[list[str]]:
    """The columns, in as many tables as they need to fit beside the names of the rows."""
    columns: list[str] = []
    used = 0
    for name, width in widths.items():
        if columns and used + _GAP + width > room:
            yield columns
            columns, used = [], 0
        columns.append(name)
        used += _GAP + width
    yield columns


def red_lines(cells: Iterable[tuple[str, Iterable[Finding]]], longest: int | None = None) -> Iterator[str]:
    """The names of failed cells with their numbers of errors; `longest` of them, None for all."""
    red = list(cells)
    if red:
        yield "\nred"
    for name, findings in red[:longest]:
        yield f"  {name}: {count(sum(each.severity is Severity.ERROR for each in findings), 'error')}"
    if longest is not None and len(red) > longest:
        yield f"  … and {count(len(red) - longest, 'more cell')}; use -v to name them"
