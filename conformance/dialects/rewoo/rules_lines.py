"""The lines of a plan: one label each, no text between them, and unchanged in the solver's prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.rewoo.copies import copies, difference
from conformance.dialects.rewoo.examples import CHAIN, CHAIN_EVIDENCE, PLAN, SOLVE, TASK
from conformance.dialects.rewoo.lines import Piece
from conformance.dialects.rewoo.prompt import solver
from conformance.dialects.rewoo.replies import plan_of
from conformance.dialects.rewoo.request import evidence_blocks, prompts, steps_of
from conformance.judge.example import change, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_ORIGINAL = "billxbf/ReWOO algos/PWS.py"
_GRAPH = "langchain-ai/langgraph docs/docs/tutorials/rewoo/rewoo.ipynb"
_TEXT = "/0/response/body/choices/0/message/content"
_CONTENT = "/0/request/body/messages/0/content"
_SECOND = "/1/request/body/messages/0/content"
_AT_SECOND = "1 request /messages/0/content"
_PLAN, _STEP = PLAN.split("\n")
_CHAIN = CHAIN.split("\n")
_FOUND = 'Evidence:\n{"temperature": 14.2}\n'
_SECOND_PLAN, _FIRST_FOUND = f"{_CHAIN[2]}\n", f"Evidence:\n{CHAIN_EVIDENCE['#E1']}\n"
_PLAN_MARK = re.compile(r"[ \t]*Plan(?:[ \t]+\d+)?[ \t]*:")
_EVIDENCE_MARK = re.compile(r"Evidence(?:[ \t]*\(?#E\d+\)?)?[ \t]*:[ \t]*(?=Evidence(?:[ \t]*\(?#E\d+\)?)?[ \t]*:)")
_WORD = re.compile(r"\w")


@rule(
    "rewoo-plan-mark-repeated",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-014 {_ORIGINAL}"],
    conforming=[example("rewoo/call"), example("rewoo/chain"), example("rewoo/cut-off")],
    violating=[
        example("rewoo/call", put(_TEXT, f"Plan:{PLAN}")),
        example("rewoo/chain", put(_TEXT, CHAIN.replace("Plan: Then", "Plan: Plan: Then"))),
    ],
)
def rewoo_plan_mark_repeated(view: View) -> Iterator[Hit]:
    """A plan must begin with one `Plan:`.

    Clients read a second one as text of the plan, and the solver gets an empty plan before it.
    """
    for said in plan_of(view):
        found = next((piece for piece in said.pieces if piece.kind == "plan" and _PLAN_MARK.match(piece.text)), None)
        if found is not None:
            yield Hit(said.part.pointer, "a plan begins with two labels", "`Plan:` once", brief(found.raw.strip()))


@rule(
    "rewoo-plan-text-unexpected",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-015 {_ORIGINAL}", f"RWO-R-015 {_GRAPH}"],
    conforming=[
        example("rewoo/call"),
        example("rewoo/call", put(_TEXT, f"Here is the plan.\n\n```\n{PLAN}\n```")),
        example("rewoo/cut-off"),
    ],
    violating=[
        example("rewoo/call", put(_TEXT, f"{PLAN} and then Busan")),
        example("rewoo/call", put(_TEXT, f"{PLAN}\nI hope this helps.")),
        example("rewoo/call", put(_TEXT, f"{_PLAN}\nAnd then: {_STEP}")),
        example("rewoo/chain", put(_TEXT, CHAIN.replace("\nPlan: Then", "\nThat was the place.\nPlan: Then"))),
    ],
)
def rewoo_plan_text_unexpected(view: View) -> Iterator[Hit]:
    """From its first line on, a plan must have no other text than its plans and steps.

    The original drops other lines, and reads text after a bracket as part of the input; LangGraph does not run a step
    with such text between it and its plan.
    """
    for said in plan_of(view):
        found = _stray(said.pieces)
        if found is not None:
            yield Hit(said.part.pointer, "there is text outside of plans and steps", "plans and steps", brief(found))


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
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"RWO-Q-005 {_ORIGINAL}"],
    conforming=[example("rewoo/answer"), example("rewoo/chain-answer"), example("rewoo/without-steps")],
    violating=[
        example("rewoo/answer", put(_CONTENT, SOLVE.replace("Evidence:", "Evidence:Evidence:"))),
        example("rewoo/answer", put(_CONTENT, SOLVE.replace("Evidence:", "Evidence #E1: Evidence:"))),
    ],
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
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"RWO-Q-006 {_ORIGINAL}"],
    conforming=[
        example("rewoo/chain-answer"),
        example("rewoo/without-steps"),
        example("rewoo/answer", put(_CONTENT, SOLVE.replace(f"{_STEP}\n{_FOUND}", f"Evidence #E1: 14.2\n{_STEP}\n"))),
    ],
    violating=[
        example("rewoo/answer", put(_CONTENT, SOLVE.replace(f"{_STEP}\n{_FOUND}", f"{_FOUND}{_STEP}\n"))),
        example(
            "rewoo/chain-answer",
            change(_CONTENT, f"{_FIRST_FOUND}{_SECOND_PLAN}", f"{_SECOND_PLAN}{_FIRST_FOUND}"),
            at="0 request /messages/0/content",
        ),
    ],
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
    severity=Severity.WARNING,
    scope="conversation",
    basis="documented",
    cites=[f"RWO-C-005 {_ORIGINAL}"],
    conforming=[
        example("rewoo/run"),
        example("rewoo/stream-run"),
        example("rewoo/chain-run"),
        example("rewoo/run", put(_SECOND, SOLVE.replace(f"{_STEP}\n", ""))),
    ],
    violating=[
        example("rewoo/run", put(_SECOND, SOLVE.replace("look it up", "guess"))),
        example("rewoo/run", put(_SECOND, SOLVE.replace("Plan: I have", "I have"))),
        example("rewoo/run", put(_SECOND, SOLVE.replace(_STEP, f"And then: {_STEP}"))),
        example("rewoo/run", put(_SECOND, SOLVE.replace(_PLAN, f"{_PLAN}\n{_PLAN}"))),
        example("rewoo/run", put(_SECOND, SOLVE.replace(_PLAN, f"{_PLAN}\nPlan: I have to ask."))),
        example("rewoo/run", put(_SECOND, SOLVE.replace(f"{_PLAN}\n{_STEP}", f"{_STEP}\n{_PLAN}"))),
        example(
            "rewoo/chain-run",
            put(_SECOND, solver(TASK, "\n".join([_CHAIN[2], *_CHAIN[:2], _CHAIN[3]]), CHAIN_EVIDENCE)),
            at=_AT_SECOND,
        ),
    ],
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
