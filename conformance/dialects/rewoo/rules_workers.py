"""The evidence in a solver's prompt, compared with what the model answered when it worked on the steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from conformance.dialects.rewoo.claims import prompts
from conformance.dialects.rewoo.copies import copies
from conformance.dialects.rewoo.lines import Piece
from conformance.dialects.rewoo.references import references
from conformance.dialects.rewoo.request import asked, evidence_blocks, steps_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_REFERENCE = re.compile(r"(#E\d+)")
_FEWEST = 8
"""So many characters of an input, beside references, identify its step."""
_MOST, _END = 2_000, 8_000
"""The longest evidence in an input that is looked for, and how much of the end of a prompt."""
_Work = tuple[Piece, str, str]
"""A step, what the model was asked of it, and the answer."""
_Solved = tuple[str, str, Sequence[Piece], dict[str, list[_Work]]]
"""The text of a solver's prompt, its place, the steps of the plan, and what was worked on for each by its id."""


@rule(
    "rewoo-evidence-mismatch",
    scope="conversation",
    cites="RWO-C-006",
)
def rewoo_evidence_mismatch(view: View) -> Iterator[Hit]:
    """The evidence of a step that the model worked on must be the model's answer to the step's input.

    The solver takes what nobody found out for evidence. A client may shorten it.
    """
    for text, pointer, planned, worked in _solved(view):
        given = _evidence(text, planned)
        for name, work in worked.items():
            evidence = " ".join(given.get(name, "").split())
            answers = [" ".join(answer.split()) for _, _, answer in work]
            if evidence and not any(answer in evidence or evidence in answer for answer in answers):
                message = f"the evidence of {name} is not what the model answered to its input"
                yield Hit(pointer, message, brief(answers[-1]), brief(evidence))


@rule(
    "rewoo-worker-reference-leaked",
    scope="conversation",
    cites="RWO-C-006",
    severity=Severity.ERROR,
    because="a client may shorten evidence, but nothing else can stand for a reference",
)
def rewoo_worker_reference_leaked(view: View) -> Iterator[Hit]:
    """A step must run with the evidence of earlier steps in place of the references in its input.

    The worker gets the name of the evidence, and makes something up.
    """
    for _, pointer, _, worked in _solved(view):
        for name, work in worked.items():
            for step, prompt, _ in work:
                left = next((each for each in references(step.text) if each in prompt), None)
                if left is not None:
                    message = f"the model worked on {name} with {left} in its input"
                    yield Hit(pointer, message, f"the evidence of {left}", left)


def _solved(view: View) -> list[_Solved]:
    """The solver's prompts of which the run has the plan, found once for both rules."""
    if _solved not in view.found:
        view.found[_solved] = list(_found(view))
    found: list[_Solved] = view.found[_solved]
    return found


def _found(view: View) -> Iterator[_Solved]:
    for role, text, pointer in prompts(view.request):
        plan = next(copies(view, text), ()) if role == "solver" else ()
        if steps := [piece for piece in plan if piece.kind == "step"]:
            yield text, pointer, steps, _by_step(view, steps)


def _evidence(text: str, steps: Sequence[Piece]) -> dict[str, str]:
    """The evidence of each step by its id; in a prompt without the steps, it comes in their order."""
    found = [(piece.id, given) for piece, given in evidence_blocks(steps_of(text)) if given is not None]
    named = {name: given for name, given in found if name is not None}
    if named or len(found) != len(steps):
        return named
    return {step.id or "": given for step, (_, given) in zip(steps, found, strict=True)}


def _by_step(view: View, steps: Sequence[Piece]) -> dict[str, list[_Work]]:
    """What the model was asked and answered for a step, by its id, where it is clear for which."""
    found: dict[str, list[_Work]] = {}
    inputs = [(step, _input(step)) for step in steps if len(_REFERENCE.sub("", step.text).strip()) >= _FEWEST]
    for other in view.other_dialects:
        if not other.ok or len(other.replies) != 1 or other.replies[0].calls or asked(other.request) is not None:
            continue
        prompt, answer = "\n".join(turn.text for turn in other.history).rstrip()[-_END:], other.replies[0].text.strip()
        worked = [(step, match[0]) for step, pattern in inputs if (match := pattern.search(prompt)) is not None]
        if len(worked) == 1 and answer:
            [(step, asking)] = worked
            found.setdefault(step.id or "", []).append((step, asking, answer))
    return found


def _input(step: Piece) -> re.Pattern[str]:
    """The input of a step at the end of a prompt, with anything in place of its references."""
    anything = f"[\\s\\S]{{1,{_MOST}}}?"
    parts = (anything if _REFERENCE.fullmatch(each) else re.escape(each) for each in _REFERENCE.split(step.text))
    return re.compile("".join(parts) + r"\Z")
