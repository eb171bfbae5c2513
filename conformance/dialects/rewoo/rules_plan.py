"""The planner's text: plans, each with one step, whose input is closed and has the form that its tool accepts."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.rewoo.examples import CHAIN, PLAN
from conformance.dialects.rewoo.lines import Piece
from conformance.dialects.rewoo.references import only_text, references
from conformance.dialects.rewoo.replies import plan_of, replies_of
from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_ORIGINAL = "billxbf/ReWOO algos/PWS.py"
_LAZY = "LazyAGI/LazyLLM lazyllm/tools/agent/rewooAgent.py"
_GRAPH = "langchain-ai/langgraph docs/docs/tutorials/rewoo/rewoo.ipynb"
_TEXT = "/0/response/body/choices/0/message/content"
_DELTA = "/0/response/events/{}/data/choices/0/delta/content"
_AT_STREAM = "0 response event/1/choices/0/delta/content"
_MOST = 9
_FORM = "#E1 = Tool[input]"


@rule(
    "rewoo-plan-missing",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-001 {_ORIGINAL}"],
    conforming=[example("rewoo/call"), example("rewoo/stream-call"), example("rewoo/cut-off")],
    violating=[
        example("rewoo/call", put(_TEXT, "It is warm in Seoul.")),
        example("rewoo/call", put(_TEXT, "Plan: I have to look it up.")),
    ],
)
def rewoo_plan_missing(view: View) -> Iterator[Hit]:
    """The planner's reply must have at least one step.

    Otherwise no tool runs, and the solver answers from an empty plan, or the client fails on it.
    """
    for said in replies_of("planner", view):
        if not said.steps and not said.cut:
            yield Hit(said.part.pointer, "the planner wrote no step", _FORM, brief(said.part.text))


@rule(
    "rewoo-step-malformed",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-001 {_ORIGINAL}"],
    conforming=[
        example("rewoo/call"),
        example("rewoo/call", put(_TEXT, PLAN.replace("\n#E1", " #E1"))),
        example("rewoo/cut-off"),
    ],
    violating=[
        example("rewoo/call", put(_TEXT, PLAN.replace("#E1 =", "#E1:"))),
        example("rewoo/call", put(_TEXT, f"{PLAN}\nPlan: Once more.\n#E2 = get_weather(35.18, 129.08)")),
        example("rewoo/call", put(_TEXT, f"{PLAN}\nPlan: Once more.\n#Ex = get_weather[#E1]")),
    ],
)
def rewoo_step_malformed(view: View) -> Iterator[Hit]:
    """A line that begins with `#E` must be a step: id, equals sign, tool name, and input in brackets.

    Clients find steps with a pattern, and do not run a step that does not match it.
    """
    for said in replies_of("planner", view):
        found = next((piece for piece in said.pieces if piece.kind == "broken"), None)
        if found is not None:
            yield Hit(said.part.pointer, "a step is malformed", _FORM, brief(found.raw.strip()))


@rule(
    "rewoo-input-unclosed",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-005 {_ORIGINAL}"],
    conforming=[example("rewoo/call"), example("rewoo/cut-off")],
    violating=[
        example("rewoo/call", put(_TEXT, PLAN.removesuffix("]"))),
        example("rewoo/call", put(_TEXT, PLAN.replace("{", "{\n"))),
        example("rewoo/stream-call", put(_DELTA.format(4), ""), at=_AT_STREAM),
    ],
)
def rewoo_input_unclosed(view: View) -> Iterator[Hit]:
    """The bracket that closes an input must be on the line of its step.

    The original reads a plan line by line and drops the last character of each step: the input loses its end.
    """
    for said in plan_of(view):
        found = next((step for step in said.steps if not step.closed), None)
        if found is not None:
            yield Hit(said.part.pointer, f"the input of {found.id} is not closed on its line", "]", brief(found.raw))


@rule(
    "rewoo-input-ambiguous",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-005 {_ORIGINAL}", f"RWO-R-005 {_GRAPH}"],
    conforming=[example("rewoo/call"), example("rewoo/chain")],
    violating=[example("rewoo/chain", put(_TEXT, CHAIN.replace("[Seoul]", "[Seoul [city], Korea]")))],
)
def rewoo_input_ambiguous(view: View) -> Iterator[Hit]:
    """An input that is not a JSON object should not contain a closing bracket.

    The original reads the input up to the end of the line, LangGraph and LazyLLM up to the first bracket: the tool
    gets a different text.
    """
    for said in plan_of(view):
        found = next((step for step in said.steps if "]" in step.text and not step.text.startswith("{")), None)
        if found is not None:
            yield Hit(said.part.pointer, f"the input of {found.id} contains a bracket", "no ]", brief(found.text))


@rule(
    "rewoo-plan-incomplete",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-002 {_ORIGINAL}"],
    conforming=[example("rewoo/call"), example("rewoo/chain"), example("rewoo/cut-off")],
    violating=[
        example("rewoo/call", put(_TEXT, f"{PLAN}\nPlan: Then I compare.")),
        example("rewoo/chain", put(_TEXT, CHAIN.replace("Plan: Then its weather.\n", ""))),
    ],
)
def rewoo_plan_incomplete(view: View) -> Iterator[Hit]:
    """Each plan must be followed by one step, and each step must have a plan before it.

    The original counts the plans and looks evidence up by that number: it fails, or puts evidence under the wrong
    plan.
    """
    for said in plan_of(view):
        kinds = [piece.kind for piece in said.pieces if piece.kind in ("plan", "step")]
        if said.cut and kinds[-1:] == ["plan"]:
            kinds.pop()
        if kinds != ["plan", "step"] * (len(kinds) // 2):
            counted = f"{kinds.count('plan')} plans, {kinds.count('step')} steps"
            yield Hit(said.part.pointer, "plans and steps are not in pairs", "each plan with one step", counted)


@rule(
    "rewoo-step-id-out-of-order",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-003 {_ORIGINAL}"],
    conforming=[example("rewoo/call"), example("rewoo/chain")],
    violating=[
        example("rewoo/call", put(_TEXT, PLAN.replace("#E1", "#E0"))),
        example("rewoo/chain", put(_TEXT, CHAIN.replace("#E2", "#E3"))),
    ],
)
def rewoo_step_id_out_of_order(view: View) -> Iterator[Hit]:
    """The ids of the steps must be `#E1`, `#E2` and so on.

    The original gives the solver the evidence of `#E1` with the first plan, whatever the id of its step is.
    """
    for said in plan_of(view):
        ids = list(dict.fromkeys(step.id for step in said.steps))
        wanted = [f"#E{number}" for number in range(1, len(ids) + 1)]
        if ids != wanted:
            yield Hit(said.part.pointer, "the steps are not numbered in order", ", ".join(wanted), f"{ids}")


@rule(
    "rewoo-steps-too-many",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-004 {_ORIGINAL}"],
    conforming=[example("rewoo/call"), example("rewoo/chain")],
    violating=[
        example(
            "rewoo/call", put(_TEXT, "\n".join(PLAN.replace("#E1", f"#E{number}") for number in range(1, _MOST + 2)))
        )
    ],
)
def rewoo_steps_too_many(view: View) -> Iterator[Hit]:
    """A plan should have at most nine steps.

    The original reads ids of one digit: it does not run the step `#E10`, and its evidence is "No evidence found".
    """
    for said in plan_of(view):
        count = len(said.steps)
        if count > _MOST:
            yield Hit(said.part.pointer, f"the plan has {count} steps", f"at most {_MOST}", str(count))


@rule(
    "rewoo-evidence-unexpected",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-011 {_ORIGINAL}"],
    conforming=[example("rewoo/call"), example("rewoo/run")],
    violating=[
        example("rewoo/call", put(_TEXT, f'{PLAN}\nEvidence:\n{{"temperature": 20}}')),
        example("rewoo/call", put(_TEXT, f"{PLAN}\nEvidence: 20 °C")),
    ],
)
def rewoo_evidence_unexpected(view: View) -> Iterator[Hit]:
    """The planner must not write evidence; the client inserts it from the tools' results.

    No tool has run yet, so the evidence is invented; a client that keeps the planner's text sends it to the solver
    like a result.
    """
    for said in plan_of(view):
        found = next((piece for piece in said.pieces if piece.kind == "evidence"), None)
        if found is not None:
            yield Hit(said.part.pointer, "the planner wrote evidence", "plans and steps", brief(found.raw.strip()))


@rule(
    "rewoo-input-wrong-type",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"RWO-R-006 {_LAZY}"],
    conforming=[example("rewoo/call"), example("rewoo/chain")],
    violating=[
        example("rewoo/call", put(_TEXT, PLAN.replace('{"latitude": 37.57, "longitude": 126.98}', "Seoul"))),
        example("rewoo/call", put(_TEXT, PLAN.replace('{"latitude": 37.57, "longitude": 126.98}', "[37.57]"))),
    ],
)
def rewoo_input_wrong_type(view: View) -> Iterator[Hit]:
    """An input must be a JSON object, a reference, or the text of the tool's only string parameter.

    The tool has named arguments, and the text does not say which one it is.
    """
    for said in plan_of(view):
        found = next((step for step in said.steps if _bare(step, view)), None)
        if found is not None:
            message = f"the input of {found.id} is text, but {found.name} has named arguments"
            yield Hit(said.part.pointer, message, "a JSON object", brief(found.text))


def _bare(step: Piece, view: View) -> bool:
    tool = view.ask.tool(step.name)
    if tool is None or not isinstance(tool.parameters, dict) or not tool.parameters.get("properties"):
        return False
    return not step.text.startswith("{") and not any(references(step.text)) and only_text(tool) is None
