"""The inputs of a plan: references to the evidence of earlier steps, and the form that the tool accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from conformance.dialects.rewoo.lines import Piece
from conformance.dialects.rewoo.references import only_text, references
from conformance.dialects.rewoo.replies import links, plan_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief


@rule(
    "rewoo-reference-orphaned",
    scope="reply",
    cites="RWO-R-008",
)
def rewoo_reference_orphaned(view: View) -> Iterator[Hit]:
    """A reference must name a step of the plan.

    Otherwise no evidence replaces it: the tool runs with the reference itself.
    """
    for reply in plan_of(view):
        ids = {step.id for step in reply.steps}
        for step, targets in links(reply.steps):
            missing = next((target for target in targets if target not in ids), None)
            if missing is not None and not reply.cut:
                known = ", ".join(sorted(name for name in ids if name))
                yield Hit(reply.part.pointer, f"{step.id} refers to {missing}, which is not a step", known, missing)
                break


@rule(
    "rewoo-reference-out-of-order",
    scope="reply",
    cites="RWO-R-008",
)
def rewoo_reference_out_of_order(view: View) -> Iterator[Hit]:
    """A reference must name an earlier step.

    The steps run in the order of the plan: the evidence is not there yet, and the tool runs with the reference
    itself.
    """
    for reply in plan_of(view):
        seen: set[str | None] = set()
        steps = links(reply.steps)
        circle = _circle({step.id or "": targets for step, targets in steps})
        ids = {step.id for step, _ in steps}
        for step, targets in steps:
            later = next((each for each in targets if each in ids and each not in seen and each not in circle), None)
            if later is not None:
                yield Hit(reply.part.pointer, f"{step.id} refers to {later}, a later step", "an earlier step", later)
                break
            seen.add(step.id)


@rule(
    "rewoo-reference-cycle-unexpected",
    scope="reply",
    cites="RWO-R-009",
)
def rewoo_reference_cycle_unexpected(view: View) -> Iterator[Hit]:
    """A step must not depend on its own evidence, directly or through other steps.

    In any order, one of the steps runs with a reference in its input; a client that sorts the steps never ends.
    """
    for reply in plan_of(view):
        circle = _circle({step.id or "": targets for step, targets in links(reply.steps)})
        if circle:
            named = ", ".join(circle)
            yield Hit(reply.part.pointer, f"{named} depend on their own evidence", "no circle", named)


def _circle(targets: Mapping[str, Sequence[str]]) -> list[str]:
    """The steps of a circle, each once; empty if there is no circle."""
    try:
        TopologicalSorter(targets).prepare()
    except CycleError as error:
        return sorted(set(error.args[1]))
    return []


@rule(
    "rewoo-step-unused",
    scope="reply",
    cites="RWO-R-010",
)
def rewoo_step_unused(view: View) -> Iterator[Hit]:
    """In a plan with references, a later step should refer to every step but the last.

    The solver gets all evidence, so this may be intended: the step can be a forgotten one that costs a call, or
    half of the answer.
    """
    for reply in plan_of(view):
        steps = links(reply.steps)
        used = {target for _, targets in steps for target in targets}
        unused = next((step for step, _ in steps[:-1] if step.id not in used), None)
        if used and unused is not None and not reply.cut:
            yield Hit(reply.part.pointer, f"no step refers to {unused.id}", "a reference to it", unused.id)


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
