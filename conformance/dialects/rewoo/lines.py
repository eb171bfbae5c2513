"""The lines of a plan and of its evidence.

    Plan: why a step is taken
    #E1 = the name of a tool[its input]
    Evidence: what the tool returned (written by the client)

Lines are independent, as in the original's parser: an input ends on the line on which it begins. A step may
follow its plan on the same line, as in LangGraph's prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from conformance.dialects.text.scan import value_end
from conformance.model.frozen import dataclass

PLAN, EVIDENCE = "Plan:", "Evidence:"
_PLAN = re.compile(r"[ \t]*Plan(?:[ \t]+\d+)?[ \t]*:[ \t]*")
_EVIDENCE = re.compile(r"[ \t]*Evidence(?:[ \t]*\(?(#E\d+)\)?)?[ \t]*:[ \t]*")
_STEP = re.compile(r"(?<!\S)(#E\d+)[ \t]*=[ \t]*([^\s\[\]=#]+)[ \t]*\[")
_OBJECT = re.compile(r"[ \t]*\{")
_CLOSING = re.compile(r"[ \t]*\]")
_BROKEN = re.compile(r"[ \t]*#E\w*[ \t]*[=:]")

Kind = Literal["plan", "step", "broken", "evidence", "text"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a line: `text` is the text after the label, or the input of a step; `raw` is the whole piece.

    `broken` is a line that begins like a step but is not one. `id` is that of a step, or the step that evidence names.
    `closed` is whether a bracket ends the input.
    """

    kind: Kind
    text: str
    raw: str
    id: str | None = None
    name: str | None = None
    closed: bool = True


def pieces(line: str) -> Iterator[Piece]:
    """The pieces of one line, its line feed included."""
    if (evidence := _EVIDENCE.match(line)) is not None:
        yield Piece("evidence", line[evidence.end() :], line, evidence[1])
        return
    steps = list(_steps(line))
    begin = steps[0][0] if steps else len(line)
    plan = _PLAN.match(line, 0, begin)
    if plan is not None:
        yield Piece("plan", line[plan.end() : begin], line[:begin])
    elif line[:begin].strip() or not steps:
        yield Piece("broken" if _BROKEN.match(line) and not steps else "text", line[:begin], line[:begin])
    for number, (_, end, step) in enumerate(steps):
        yield step
        following = steps[number + 1][0] if number + 1 < len(steps) else len(line)
        if line[end:following].strip(" \t\r\n.;,"):
            yield Piece("text", line[end:following], line[end:following])


def _steps(line: str) -> Iterator[tuple[int, int, Piece]]:
    """The steps of a line, each with its beginning and its end.

    An input is a JSON object and a closing bracket, or ends at the last bracket before the next step.
    """
    opening = _STEP.search(line)
    json_tried = False
    while opening is not None:
        start = opening.end()
        end = None if json_tried else _json_end(line, start)
        if end is None:
            json_tried = True  # the rest of the line was searched once already; searching it for each step is quadratic
            following = _STEP.search(line, start)
            limit = following.start() if following is not None else len(line)
            bracket = line.rfind("]", start, limit)
            end = bracket if bracket >= 0 else limit
        else:
            following = _STEP.search(line, end + 1)
        closed = line[end : end + 1] == "]"
        stop = end + closed
        text = line[start:end].strip()
        yield opening.start(), stop, Piece("step", text, line[opening.start() : stop], opening[1], opening[2], closed)
        opening = following


def _json_end(line: str, start: int) -> int | None:
    """The position of the bracket after a JSON object; None if there is no object here, or no bracket."""
    opening = _OBJECT.match(line, start)
    end = value_end(line, opening.end() - 1) if opening is not None else None
    closing = _CLOSING.match(line, end) if end is not None else None
    return closing.end() - 1 if closing is not None else None


class Lines:
    """Whole lines from chunks."""

    def __init__(self) -> None:
        self._rest: list[str] = []

    def feed(self, chunk: str) -> Iterator[str]:
        """The lines that are complete after this chunk."""
        *complete, rest = chunk.split("\n")
        for line in complete:
            yield "".join((*self._rest, line, "\n"))
            self._rest = []
        if rest:
            self._rest.append(rest)

    def finish(self) -> str:
        """The last line, without a line feed; empty if there is none."""
        return "".join(self._rest)


def scan(text: str) -> tuple[Piece, ...]:
    """The pieces of a text."""
    lines = Lines()
    found = [piece for line in lines.feed(text) for piece in pieces(line)]
    last = lines.finish()
    return (*found, *pieces(last)) if last else tuple(found)
