"""What the solver writes: the answer, in words for the user."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.rewoo.examples import FINAL, PLAN
from conformance.dialects.rewoo.references import references
from conformance.dialects.rewoo.replies import replies_of
from conformance.dialects.rewoo.request import asked
from conformance.dialects.text.reading import CUT
from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Text, Unknown

_ORIGINAL = "billxbf/ReWOO prompts/solver.py"
_TEXT = "/0/response/body/choices/0/message/content"


@rule(
    "rewoo-answer-missing",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-012 {_ORIGINAL}"],
    conforming=[example("rewoo/answer"), example("rewoo/stream-answer"), example("rewoo/call")],
    violating=[
        example("rewoo/answer", put(_TEXT, " "), at="0 response /choices/0/message/content"),
        example("rewoo/answer", put(_TEXT, PLAN), at="0 response /choices/0/message/content"),
    ],
)
def rewoo_answer_missing(view: View) -> Iterator[Hit]:
    """The solver's reply has an answer.

    The run ends with it: the user gets nothing.
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
        yield Hit(place, "the solver wrote no answer", "words for the user", "a plan" if turn.calls else "nothing")


@rule(
    "rewoo-answer-step-unexpected",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-012 {_ORIGINAL}"],
    conforming=[example("rewoo/answer"), example("rewoo/call")],
    violating=[
        example("rewoo/answer", put(_TEXT, f"{FINAL}\n{PLAN}")),
        example("rewoo/answer", put(_TEXT, "#E2 = get_weather[Busan]")),
    ],
)
def rewoo_answer_step_unexpected(view: View) -> Iterator[Hit]:
    """The solver's reply has no step.

    The run is over after it: the call is not made, and its markup is shown to the user.
    """
    for said in replies_of("solver", view):
        if said.steps:
            yield Hit(said.part.pointer, "the solver writes a step", "words for the user", brief(said.steps[0].raw))


@rule(
    "rewoo-answer-reference-leaked",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-013 {_ORIGINAL}"],
    conforming=[example("rewoo/answer"), example("rewoo/call")],
    violating=[example("rewoo/answer", put(_TEXT, "According to #E1 it is 14.2 °C in Seoul."))],
)
def rewoo_answer_reference_leaked(view: View) -> Iterator[Hit]:
    """The answer does not speak of evidence by its id.

    The ids are between planner, client and solver: the user has never seen them.
    """
    for said in replies_of("solver", view):
        words = "".join(piece.raw for piece in said.pieces if piece.kind != "step")
        found = next(references(words), None)
        if found is not None:
            yield Hit(said.part.pointer, "the answer refers to evidence by its id", "what the evidence says", found)
