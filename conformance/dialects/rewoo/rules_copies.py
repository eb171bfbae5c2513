"""The solver's prompt compared with the planner's: the same task, and the same plan."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.rewoo.claims import prompts
from conformance.dialects.rewoo.copies import copies, difference
from conformance.dialects.rewoo.lines import scan
from conformance.dialects.rewoo.replies import replies_of
from conformance.dialects.rewoo.request import steps_of, task_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief


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
