"""The text of a turn besides its calls, and its stop reason."""

from __future__ import annotations

from dataclasses import replace

from conformance.model.behaviour import behaviour
from conformance.model.transcript import Reasoning, Text, Turn


@behaviour(
    "stop-reason-of-an-end", "turn", "change", "stop reason changed from (tool_calls|tool_use) to (stop|end_turn)"
)
def stop_reason_of_an_end(turn: Turn) -> Turn:
    """A turn with calls has the stop reason of a turn without calls."""
    return replace(turn, stop="end") if turn.stop == "tool-calls" else turn


@behaviour(
    "answer-cut-off",
    "turn",
    "change",
    r"stop reason changed from \w+ to (length|max_tokens|MAX_TOKENS|incomplete)",
    scenario="small-talk",
    everywhere=True,
)
def answer_cut_off(turn: Turn) -> Turn:
    """The final answer has the stop reason of the token limit."""
    return replace(turn, stop="length") if turn.stop == "end" else turn


@behaviour("text-reworded", "turn", "noise", "the wording of the text changed")
def text_reworded(turn: Turn) -> Turn:
    """All texts have different wording."""
    return replace(
        turn,
        parts=tuple(
            replace(part, text=f"글쎄요. {part.text}") if isinstance(part, Text) else part for part in turn.parts
        ),
    )


@behaviour("text-before-calls", "turn", "review", "the turn with calls now has text", scenario="geocode-then-weather")
def text_before_calls(turn: Turn) -> Turn:
    """The model sends text before its calls."""
    return replace(turn, parts=(Text("Let me look that up."), *turn.parts)) if turn.calls and not turn.text else turn


@behaviour("text-before-calls-gone", "turn", "review", "the turn with calls no longer has text")
def text_before_calls_gone(turn: Turn) -> Turn:
    """The model sends no text before its calls."""
    if not turn.calls:
        return turn
    return replace(turn, parts=tuple(part for part in turn.parts if not isinstance(part, Text)))


@behaviour("reasoning-before-the-answer", "turn", "review", "the turn now has reasoning", scenario="reasoning")
def reasoning_before_the_answer(turn: Turn) -> Turn:
    """The final answer has reasoning, too."""
    if turn.calls:
        return turn
    return replace(turn, parts=(Reasoning("The tool has answered, so I can say it."), *turn.parts))


@behaviour(
    "reasoning-before-calls-gone",
    "turn",
    "change",
    "the turn with calls no longer has encrypted reasoning",
    scenario="thinking",
)
def reasoning_before_calls_gone(turn: Turn) -> Turn:
    """Turns with calls have no reasoning."""
    return replace(turn, parts=tuple(part for part in turn.parts if not isinstance(part, Reasoning)))
