"""The order of the steps: a thought, an action, its input, an observation, and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.dialects.react.claims import BEGIN
from conformance.dialects.react.parse import ACTION, FINAL, INPUT, OBSERVATION, THOUGHT, Segment, scan
from conformance.dialects.react.prompt import QUESTION
from conformance.dialects.text.host_texts import history_texts, reply_texts
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit

_AGENT = "QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py"
_FOLLOWERS: dict[str | None, tuple[str, ...]] = {
    None: (THOUGHT, ACTION, FINAL),
    THOUGHT: (ACTION, FINAL),
    ACTION: (INPUT,),
    INPUT: (OBSERVATION,),
    OBSERVATION: (THOUGHT, ACTION, FINAL),
    FINAL: (),
}
"""The labels that may follow each label; none may follow the final answer."""


def _misplaced(segments: Sequence[Segment]) -> tuple[str, str] | None:
    """The first label that may not follow the one before it, with that one."""
    before: str | None = None
    for number, segment in enumerate(segments):
        if number == 0 and segment.label is None:
            continue
        if segment.label not in _FOLLOWERS[before]:
            return segment.label or "", before or "the question"
        before = segment.label
    return None


@rule(
    "react-history-out-of-order",
    scope="request",
    cites="REA-C-002",
)
def react_history_out_of_order(view: View) -> Iterator[Hit]:
    """The steps in a prompt must be in the order of the form.

    The model imitates them: it leaves the input out, or writes two thoughts and no action.
    """
    for part in history_texts(view, "user"):
        _, begun, steps = part.text.partition(f"\n{BEGIN}")
        found = _misplaced(scan(steps)) if begun else None
        if found is not None:
            message = f"`{found[0]}:` comes after {found[1]}"
            yield Hit(part.pointer, message, "Thought, Action, Action Input, Observation", found[0])


@rule(
    "react-question-missing",
    scope="request",
    cites="REA-Q-001",
)
def react_question_missing(view: View) -> Iterator[Hit]:
    """The steps must begin with the question.

    The form announces it; without it, the model does not know its task.
    """
    for part in history_texts(view, "user"):
        _, begun, steps = part.text.partition(f"\n{BEGIN}")
        if begun and not steps.lstrip().startswith(QUESTION):
            yield Hit(part.pointer, "the steps do not begin with a question", QUESTION, steps.lstrip()[:40])


@rule(
    "react-reply-out-of-order",
    scope="reply",
    cites="REA-R-001",
)
def react_reply_out_of_order(view: View) -> Iterator[Hit]:
    """A turn of the model must have one thought, and then an action with its input or the final answer.

    Clients may read a second thought as the answer.
    """
    for _, part in reply_texts(view):
        found = _misplaced(scan(part.text))
        if found is not None and found[0] == THOUGHT:
            yield Hit(part.pointer, f"`{THOUGHT}:` comes after {found[1]}", "an action or an answer", THOUGHT)
