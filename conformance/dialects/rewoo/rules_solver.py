"""The solver's text: the answer for the user."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.rewoo.references import references
from conformance.dialects.rewoo.replies import replies_of
from conformance.dialects.rewoo.request import asked
from conformance.dialects.text.reading import CUT
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.transcript import Text, Unknown

_ORIGINAL = "billxbf/ReWOO prompts/solver.py"


@rule(
    "rewoo-answer-missing",
    scope="reply",
    cites="RWO-R-012",
)
def rewoo_answer_missing(view: View) -> Iterator[Hit]:
    """The solver's reply must have an answer.

    The run ends with this reply, so the user gets no answer.
    """
    if asked(view.request) != "solver":
        return
    for turn in view.replies:
        other = any(isinstance(part, Unknown) and part.kind != "Evidence" for part in turn.parts)
        if (
            turn.stop in (*CUT, "error", None)
            or other
            or any(isinstance(part, Text) and part.text.strip() for part in turn.parts)
        ):
            continue
        place = turn.parts[0].pointer if turn.parts else turn.pointer
        yield Hit(place, "the solver wrote no answer", "an answer for the user", "a plan" if turn.calls else "nothing")


@rule(
    "rewoo-answer-step-unexpected",
    scope="reply",
    cites="RWO-R-012",
)
def rewoo_answer_step_unexpected(view: View) -> Iterator[Hit]:
    """The solver's reply must not have a step.

    The run ends with this reply: the tool does not run, and the user sees the markup.
    """
    for reply in replies_of("solver", view):
        if reply.steps:
            yield Hit(
                reply.part.pointer, "the solver wrote a step", "an answer for the user", brief(reply.steps[0].raw)
            )


@rule(
    "rewoo-answer-reference-leaked",
    scope="reply",
    cites="RWO-R-013",
)
def rewoo_answer_reference_leaked(view: View) -> Iterator[Hit]:
    """The answer should not name evidence by its id.

    The user does not know the ids, which planner, client and solver use.
    """
    for reply in replies_of("solver", view):
        words = "".join(piece.raw for piece in reply.pieces if piece.kind != "step")
        found = next(references(words), None)
        if found is not None:
            yield Hit(reply.part.pointer, "the answer names evidence by its id", "the content of the evidence", found)
