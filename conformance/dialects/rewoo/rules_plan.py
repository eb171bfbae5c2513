"""The planner's text: plans, each with one step, whose input is closed and has the form that its tool accepts."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.rewoo.lines import Piece
from conformance.dialects.rewoo.references import only_text, references
from conformance.dialects.rewoo.replies import plan_of, replies_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief

_ORIGINAL = "billxbf/ReWOO algos/PWS.py"
_LAZY = "LazyAGI/LazyLLM lazyllm/tools/agent/rewooAgent.py"
_GRAPH = "langchain-ai/langgraph docs/docs/tutorials/rewoo/rewoo.ipynb"
_MOST = 9
_FORM = "#E1 = Tool[input]"


@rule(
    "rewoo-plan-missing",
    scope="reply",
    cites="RWO-R-001",
)
def rewoo_plan_missing(view: View) -> Iterator[Hit]:
    """The planner's reply must have at least one step.

    Otherwise no tool runs, and the solver answers from an empty plan, or the client fails on it.
    """
    for reply in replies_of("planner", view):
        if not reply.steps and not reply.cut:
            yield Hit(reply.part.pointer, "the planner wrote no step", _FORM, brief(reply.part.text))


@rule(
    "rewoo-step-malformed",
    scope="reply",
    cites="RWO-R-001",
)
def rewoo_step_malformed(view: View) -> Iterator[Hit]:
    """A line that begins with `#E` must be a step: id, equals sign, tool name, and input in brackets.

    Clients find steps with a pattern, and do not run a step that does not match it.
    """
    for reply in replies_of("planner", view):
        found = next((piece for piece in reply.pieces if piece.kind == "broken"), None)
        if found is not None:
            yield Hit(reply.part.pointer, "a step is malformed", _FORM, brief(found.raw.strip()))


@rule(
    "rewoo-input-unclosed",
    scope="reply",
    cites="RWO-R-005",
)
def rewoo_input_unclosed(view: View) -> Iterator[Hit]:
    """The bracket that closes an input must be on the line of its step.

    The original reads a plan line by line and drops the last character of each step: the input loses its end.
    """
    for reply in plan_of(view):
        found = next((step for step in reply.steps if not step.closed), None)
        if found is not None:
            yield Hit(reply.part.pointer, f"the input of {found.id} is not closed on its line", "]", brief(found.raw))


@rule(
    "rewoo-input-ambiguous",
    scope="reply",
    cites="RWO-R-005",
)
def rewoo_input_ambiguous(view: View) -> Iterator[Hit]:
    """An input that is not a JSON object should not contain a closing bracket.

    The original reads the input up to the end of the line, LangGraph and LazyLLM up to the first bracket: the tool
    gets a different text.
    """
    for reply in plan_of(view):
        found = next((step for step in reply.steps if "]" in step.text and not step.text.startswith("{")), None)
        if found is not None:
            yield Hit(reply.part.pointer, f"the input of {found.id} contains a bracket", "no ]", brief(found.text))


@rule(
    "rewoo-plan-incomplete",
    scope="reply",
    cites="RWO-R-002",
)
def rewoo_plan_incomplete(view: View) -> Iterator[Hit]:
    """Each plan must be followed by one step, and each step must have a plan before it.

    The original counts the plans and looks evidence up by that number: it fails, or puts evidence under the wrong
    plan.
    """
    for reply in plan_of(view):
        kinds = [piece.kind for piece in reply.pieces if piece.kind in ("plan", "step")]
        if reply.cut and kinds[-1:] == ["plan"]:
            kinds.pop()
        if kinds != ["plan", "step"] * (len(kinds) // 2):
            counted = f"{kinds.count('plan')} plans, {kinds.count('step')} steps"
            yield Hit(reply.part.pointer, "plans and steps are not in pairs", "each plan with one step", counted)


@rule(
    "rewoo-step-id-out-of-order",
    scope="reply",
    cites="RWO-R-003",
)
def rewoo_step_id_out_of_order(view: View) -> Iterator[Hit]:
    """The ids of the steps must be `#E1`, `#E2` and so on.

    The original gives the solver the evidence of `#E1` with the first plan, whatever the id of its step is.
    """
    for reply in plan_of(view):
        ids = list(dict.fromkeys(step.id for step in reply.steps))
        wanted = [f"#E{number}" for number in range(1, len(ids) + 1)]
        if ids != wanted:
            yield Hit(reply.part.pointer, "the steps are not numbered in order", ", ".join(wanted), f"{ids}")


@rule(
    "rewoo-steps-too-many",
    scope="reply",
    cites="RWO-R-004",
)
def rewoo_steps_too_many(view: View) -> Iterator[Hit]:
    """A plan should have at most nine steps.

    The original reads ids of one digit: it does not run the step `#E10`, and its evidence is "No evidence found".
    """
    for reply in plan_of(view):
        count = len(reply.steps)
        if count > _MOST:
            yield Hit(reply.part.pointer, f"the plan has {count} steps", f"at most {_MOST}", str(count))


@rule(
    "rewoo-evidence-unexpected",
    scope="reply",
    cites="RWO-R-011",
)
def rewoo_evidence_unexpected(view: View) -> Iterator[Hit]:
    """The planner must not write evidence; the client inserts it from the tools' results.

    No tool has run yet, so the evidence is invented; a client that keeps the planner's text sends it to the solver
    like a result.
    """
    for reply in plan_of(view):
        found = next((piece for piece in reply.pieces if piece.kind == "evidence"), None)
        if found is not None:
            yield Hit(reply.part.pointer, "the planner wrote evidence", "plans and steps", brief(found.raw.strip()))


@rule(
    "rewoo-input-wrong-type",
    scope="reply",
    cites="RWO-R-006",
)
def rewoo_input_wrong_type(view: View) -> Iterator[Hit]:
    """An input must be a JSON object, a reference, or the text of the tool's only string parameter.

    The tool has named arguments, and the text does not state which one it is.
    """
    for reply in plan_of(view):
        found = next((step for step in reply.steps if _bare(step, view)), None)
        if found is not None:
            message = f"the input of {found.id} is text, but {found.name} has named arguments"
            yield Hit(reply.part.pointer, message, "a JSON object", brief(found.text))


def _bare(step: Piece, view: View) -> bool:
    tool = view.ask.tool(step.name)
    if tool is None or not isinstance(tool.parameters, dict) or not tool.parameters.get("properties"):
        return False
    return not step.text.startswith("{") and not any(references(step.text)) and only_text(tool) is None
