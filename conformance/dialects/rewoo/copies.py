"""The plan in a solver's prompt compared with the planner's: lines lost, added or moved."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from conformance.dialects.rewoo.claims import prompts
from conformance.dialects.rewoo.lines import Piece, scan
from conformance.dialects.rewoo.replies import replies_of
from conformance.dialects.rewoo.request import evidence_blocks, steps_of, task_of
from conformance.judge.view import View
from conformance.model.jsontext import brief

_WORD = re.compile(r"\w")
Line = tuple[str, str]


def copies(view: View, text: str) -> Iterator[tuple[Piece, ...]]:
    """The plans that a solver's prompt may be about, the latest first: those for its task, and those with its steps."""
    task = task_of(text, "solver")
    steps = [piece.raw for piece in scan(steps_of(text)) if piece.kind == "step"]
    for earlier in reversed(view.earlier):
        tasks = [task_of(each, "planner") for role, each, _ in prompts(earlier.request) if role == "planner"]
        for reply in replies_of("planner", earlier):
            same = steps and steps == [step.raw for step in reply.steps]
            if reply.steps and not reply.cut and (same or (task and task in tasks[-1:])):
                yield reply.pieces


def difference(planned: Sequence[Piece], text: str) -> tuple[str, str, str] | None:
    """The difference of a solver's prompt from the plan: message, expected, actual; None if they are equal.

    Steps are compared by id, if all of them are there: another rule reports a missing or repeated step, and the
    original leaves all of them out. A plan that the planner did not write may be a line of the evidence above it.
    """
    blocks = [(piece, found) for piece, found in evidence_blocks(text) if found is not None or piece.raw.strip()]
    shown = [piece for piece, found in blocks if found is None]
    steps = [piece.id for piece in shown if piece.kind == "step"]
    stepped = {piece.id for piece in planned if piece.kind == "step"} == set(steps)
    wanted, got = list(_lines(planned, stepped=stepped)), list(_lines(shown, stepped=stepped))
    lost = next((line for line in wanted if line not in got), None)
    if lost is not None:
        return "the solver's prompt lacks a plan that the planner wrote", brief(lost[1]), "no such plan"
    counts = Counter(wanted)
    twice = next((line for line, count in Counter(got).items() if 0 < counts[line] < count), None)
    if twice is not None and twice[0] == "plan" and len(steps) == len(set(steps)):
        return "the solver's prompt has a plan twice", "each plan once", brief(twice[1])
    known = list(dict.fromkeys(line for line in got if line in counts))
    if known != list(dict.fromkeys(wanted)):
        moved = next(line for line, other in zip(known, dict.fromkeys(wanted), strict=False) if line != other)
        return "the solver's prompt has the lines of the plan in another order", "the planner's order", brief(moved[1])
    words = {_spaced(piece.raw) for piece in planned}
    for number, (piece, found) in enumerate(blocks):
        beneath = number > 0 and blocks[number - 1][1] is not None
        own = piece.kind in ("text", "broken") or (piece.kind == "plan" and not beneath)
        if found is None and own and _WORD.search(piece.raw) and not _planned(piece, words, counts):
            return "the solver's prompt has text that the planner did not write", "the unchanged plan", brief(piece.raw)
    return None


def _lines(pieces: Sequence[Piece], *, stepped: bool) -> Iterator[Line]:
    for piece in pieces:
        if piece.kind == "plan":
            yield "plan", _spaced(piece.text)
        elif piece.kind == "step" and stepped:
            yield "step", piece.id or ""


def _planned(piece: Piece, words: set[str], counts: Counter[Line]) -> bool:
    return ("plan", _spaced(piece.text)) in counts if piece.kind == "plan" else _spaced(piece.raw) in words


def _spaced(text: str) -> str:
    return " ".join(text.split())
