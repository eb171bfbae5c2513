"""The texts of ReWOO that rows read: the two prompts, and the two replies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from conformance.dialects.rewoo.claims import ORDER, Role, prompts
from conformance.dialects.rewoo.lines import EVIDENCE, Piece
from conformance.dialects.rewoo.replies import Reply, plan_of, replies_of
from conformance.dialects.rewoo.request import asked, evidence_blocks, steps_of, task_of
from conformance.dialects.text.reading import CUT
from conformance.dialects.text.rows import Passage, Span, source
from conformance.judge.view import View
from conformance.model.transcript import Text, Unknown

_FORM = re.compile(rf"#E\d+\s*=\s*[^\s\[\]]+\s*\[|{re.escape(ORDER)}")


@source("reply")
def planned(view: View) -> Iterator[Passage]:
    """The planner's replies."""
    return map(_reply, replies_of("planner", view))


@source("reply")
def plan(view: View) -> Iterator[Passage]:
    """Those with a step, or truncated after a plan."""
    return map(_reply, plan_of(view))


def _reply(reply: Reply) -> Passage:
    return Passage(reply.part.pointer, tuple(_spans(reply.pieces)), reply.cut, reply.part.text)


def _spans(pieces: Iterable[Piece]) -> Iterator[Span]:
    """The pieces as spans; text after evidence, or after an input without its end, is the `rest` of it."""
    inside = False
    for piece in pieces:
        if piece.kind != "text":
            inside = piece.kind == "evidence" or not piece.closed
        kind = "rest" if piece.kind == "text" and inside else piece.kind
        yield Span((kind,), piece.text, piece.raw, piece.id or "", closed=piece.closed)


@source("reply")
def solved(view: View) -> Iterator[Passage]:
    """The solver's replies."""
    for reply in replies_of("solver", view):
        yield Passage(reply.part.pointer, tuple(Span((piece.kind,), piece.raw) for piece in reply.pieces))


@source("reply")
def answer(view: View) -> Iterator[Passage]:
    """The solver's turns: what in them is for the user, or of a kind that nothing is known of."""
    for turn in view.replies if asked(view.request) == "solver" else ():
        spans = tuple(
            Span(("answer",))
            for part in turn.parts
            if (part.text.strip() if isinstance(part, Text) else isinstance(part, Unknown) and part.kind != "Evidence")
        )
        place = turn.parts[0].pointer if turn.parts else turn.pointer
        yield Passage(place, spans, turn.stop in (*CUT, "error", None), "a plan" if turn.calls else "")


@source("request")
def tasks(view: View) -> Iterator[Passage]:
    """Both prompts: the task at the end. A message of the user's own may have it instead."""
    apart = any(turn.role == "user" and turn.text.strip() for turn in view.ask.history)
    for role, text, pointer in prompts(view.request):
        yield Passage(pointer, (Span(("task",)),) if apart or task_of(text, role) else ())


@source("request")
def planner(view: View) -> Iterator[Passage]:
    """The planner's prompt: the form of a step, and the tools."""
    tools = tuple(Span(("tool",)) for _ in view.ask.tools or ())
    for text, pointer in _prompts(view, "planner"):
        yield Passage(pointer, (*tools, *(Span(("form",), found) for found in _FORM.findall(text))))


@source("request")
def solver(view: View) -> Iterator[Passage]:
    """The solver's prompt: plans, steps, and evidence, which is `unnamed` if it belongs to no step."""
    for text, pointer in _prompts(view, "solver"):
        spans = (
            Span((piece.kind,), piece.text, piece.raw, piece.id or "")
            if found is None
            else Span(("evidence",) if piece.id else ("evidence", "unnamed"), found, f"{EVIDENCE} {found}")
            for piece, found in evidence_blocks(steps_of(text))
            if piece.raw.strip()
        )
        yield Passage(pointer, tuple(spans))


def _prompts(view: View, wanted: Role) -> Iterator[tuple[str, str]]:
    return ((text, pointer) for role, text, pointer in prompts(view.request) if role == wanted)
