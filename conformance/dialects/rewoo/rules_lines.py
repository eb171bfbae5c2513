"""The lines of a plan: one label each, no text between them, and unchanged in the solver's prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.rewoo.claims import prompts
from conformance.dialects.rewoo.copies import copies, difference
from conformance.dialects.rewoo.lines import Piece
from conformance.dialects.rewoo.replies import plan_of
from conformance.dialects.rewoo.request import evidence_blocks, steps_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief

_ORIGINAL = "billxbf/ReWOO algos/PWS.py"
_GRAPH = "langchain-ai/langgraph docs/docs/tutorials/rewoo/rewoo.ipynb"
_PLAN_MARK = re.compile(r"[ \t]*Plan(?:[ \t]+\d+)?[ \t]*:")
_EVIDENCE_MARK = re.compile(r"Evidence(?:[ \t]*\(?#E\d+\)?)?[ \t]*:[ \t]*(?=Evidence(?:[ \t]*\(?#E\d+\)?)?[ \t]*:)")
_WORD = re.compile(r"\w")


@rule(
    "rewoo-plan-mark-repeated",
    scope="reply",
    cites="RWO-R-014",
)
def rewoo_plan_mark_repeated(view: View) -> Iterator[Hit]:
    """A plan must begin with one `Plan:`.

    Clients read a second one as text of the plan, and the solver gets an empty plan before it.
    """
    for reply in plan_of(view):
        found = next((piece for piece in reply.pieces if piece.kind == "plan" and _PLAN_MARK.match(piece.text)), None)
        if found is not None:
            yield Hit(reply.part.pointer, "a plan begins with two labels", "`Plan:` once", brief(found.raw.strip()))


@rule(
    "rewoo-plan-text-unexpected",
    scope="reply",
    cites="RWO-R-015",
)
def rewoo_plan_text_unexpected(view: View) -> Iterator[Hit]:
    """From its first line on, a plan must have no other text than its plans and steps.

    The original drops other lines, and reads text after a bracket as part of the input; LangGraph does not run a step
    with such text between it and its plan.
    """
    for reply in plan_of(view):
        found = _stray(reply.pieces)
        if found is not None:
            yield Hit(reply.part.pointer, "there is text outside of plans and steps", "plans and steps", brief(found))


def _stray(pieces: tuple[Piece, ...]) -> str | None:
    """The first text after the start of the plan that is no plan, step, invented evidence or rest of an input."""
    begun = inside = False
    for piece in pieces:
        if piece.kind == "text":
            if begun and not inside and _WORD.search(piece.raw):
                return piece.raw.strip()
            continue
        inside = piece.kind == "evidence" or not piece.closed
        begun = True
    return None


@rule(
    "rewoo-evidence-mark-repeated",
    scope="request",
    cites="RWO-Q-005",
)
def rewoo_evidence_mark_repeated(view: View) -> Iterator[Hit]:
    """Evidence must begin with one `Evidence:`.

    If client and tool both write it, the solver reads empty evidence, or the label as part of the result.
    """
    for role, text, pointer in prompts(view.request):
        if role != "solver":
            continue
        lines = (piece.raw for piece, found in evidence_blocks(steps_of(text)) if found is not None)
        raw = next((line for line in lines if _EVIDENCE_MARK.match(line.lstrip())), None)
        if raw is not None:
            yield Hit(pointer, "evidence begins with two labels", "`Evidence:` once", brief(raw.strip()))


@rule(
    "rewoo-evidence-out-of-order",
    scope="request",
    cites="RWO-Q-006",
)
def rewoo_evidence_out_of_order(view: View) -> Iterator[Hit]:
    """Evidence that names no step must be below its step, not between a plan and its step.

    The solver reads it as the result of another step, or of no step.
    """
    for role, text, pointer in prompts(view.request):
        blocks = list(evidence_blocks(steps_of(text))) if role == "solver" else []
        blocks = [(piece, found) for piece, found in blocks if piece.raw.strip()]
        for (before, _), (piece, found), (behind, _) in zip(blocks, blocks[1:], blocks[2:], strict=False):
            if found is not None and piece.id is None and before.kind == "plan" and behind.kind == "step":
                yield Hit(pointer, f"evidence is above {behind.id}", f"below {behind.id}", brief(found))
                break


@rule(
    "rewoo-plan-changed",
    scope="conversation",
    cites="RWO-C-005",
)
def rewoo_plan_changed(view: View) -> Iterator[Hit]:
    """The solver must get the planner's plans: each once, unchanged, in order, and with no other text between them.

    Otherwise the evidence is below a plan that it does not belong to. The steps may be left out, as in the original;
    `echoed-call-changed` reports a changed one.
    """
    for role, text, pointer in prompts(view.request):
        written = list(copies(view, text)) if role == "solver" else []
        found = [difference(each, steps_of(text)) for each in written]
        if found and all(found) and found[0] is not None:
            message, expected, got = found[0]
            yield Hit(pointer, message, expected, got)
