"""The client's text: form, tools and task for the planner; plan, evidence and task for the solver."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.rewoo.claims import prompts
from conformance.dialects.rewoo.lines import scan
from conformance.dialects.rewoo.replies import replies_of
from conformance.dialects.rewoo.request import evidence_blocks, steps_of, task_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief

_ORIGINAL = "billxbf/ReWOO algos/PWS.py"
_PLANNER = "billxbf/ReWOO nodes/Planner.py"
_SOLVER = "billxbf/ReWOO nodes/Solver.py"
_STEP = re.compile(r"#E\d+\s*=\s*[^\s\[\]]+\s*\[")


@rule(
    "rewoo-form-incomplete",
    scope="request",
    cites="RWO-Q-001",
)
def rewoo_form_incomplete(view: View) -> Iterator[Hit]:
    """The planner's prompt must show a step: `#E1 = Tool[input]`.

    Otherwise the model invents a form, which no pattern matches.
    """
    for role, text, pointer in prompts(view.request):
        if role == "planner" and not _STEP.search(text):
            yield Hit(pointer, "the prompt does not show the form of a step", "#E1 = Tool[input]", "no step")


@rule(
    "rewoo-tool-names-missing",
    scope="request",
    needs_complete=True,
    cites="RWO-Q-002",
)
def rewoo_tool_names_missing(view: View) -> Iterator[Hit]:
    """The planner's prompt must name the tools, each as `Tool[input]: what it does`.

    The model knows the form but not the tools, and invents them.
    """
    for role, _, pointer in prompts(view.request):
        if role == "planner" and view.ask.tools is None:
            yield Hit(pointer, "the prompt shows the form of a plan but names no tool", "the tools by name", "none")


@rule(
    "rewoo-task-missing",
    scope="request",
    cites="RWO-Q-003",
)
def rewoo_task_missing(view: View) -> Iterator[Hit]:
    """The prompts of the planner and of the solver must end with the task.

    Without it, the model does not know what to plan or to answer.
    """
    alone = not any(turn.role == "user" and turn.text.strip() for turn in view.ask.history)
    for role, text, pointer in prompts(view.request):
        if alone and not task_of(text, role):
            yield Hit(pointer, f"the prompt of the {role} has no task at its end", "the task", "nothing")


@rule(
    "rewoo-evidence-missing",
    scope="request",
    cites="RWO-Q-004",
)
def rewoo_evidence_missing(view: View) -> Iterator[Hit]:
    """If the solver gets plans without their steps, each plan must have evidence below it.

    Otherwise the solver knows what was planned but not the result, and invents it.
    """
    for role, text, pointer in prompts(view.request):
        kinds = [piece.kind for piece, _ in evidence_blocks(steps_of(text)) if piece.raw.strip()]
        bare = any(
            kinds[number + 1 : number + 2] != ["evidence"] for number, kind in enumerate(kinds) if kind == "plan"
        )
        if role == "solver" and "step" not in kinds and bare:
            yield Hit(pointer, "a plan has no evidence below it", "Evidence:", "the next plan")


@rule(
    "rewoo-evidence-empty",
    scope="request",
    cites="RWO-Q-004",
)
def rewoo_evidence_empty(view: View) -> Iterator[Hit]:
    """Evidence must not be empty; the original writes "No evidence found" if a step has no result.

    The solver cannot tell a tool that returned nothing from a lost result.
    """
    for role, text, pointer in prompts(view.request):
        if role == "solver" and any(found == "" for _, found in evidence_blocks(steps_of(text))):
            yield Hit(pointer, "a piece of evidence is empty", "the tool's result", "nothing")


@rule(
    "rewoo-task-changed",
    scope="conversation",
    cites="RWO-C-004",
)
def rewoo_task_changed(view: View) -> Iterator[Hit]:
    """The solver must get the task of the plan.

    Otherwise it answers a different question, from evidence for the first one.
    """
    for role, text, pointer in prompts(view.request):
        if role != "solver":
            continue
        steps = [piece.raw for piece in scan(steps_of(text)) if piece.kind == "step"]
        for earlier in reversed(view.earlier):
            if not steps or not any(
                steps == [step.raw for step in reply.steps] for reply in replies_of("planner", earlier)
            ):
                continue
            planned = [task_of(each, "planner") for role, each, _ in prompts(earlier.request) if role == "planner"]
            task = task_of(text, "solver")
            if planned and task and planned[-1] and task != planned[-1]:
                yield Hit(pointer, "the solver's task differs from the planner's", brief(planned[-1]), brief(task))
            break
