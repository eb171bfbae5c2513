"""The reply obeys the request's tool choice and its setting for parallel calls."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.transcript import Choice, ToolCall, Turn

_CUT = (None, "length", "filter", "pause", "error")
"""Stop reasons of turns that ended before the model could make a call."""


@rule(
    "tool-choice-ignored",
    scope="reply",
    cites="ANY-133",
)
def tool_choice_ignored(view: View) -> Iterator[Hit]:
    """A reply must obey the tool choice: `none` no call, `required` at least one, a named tool only that tool.

    Callers force a call to get structured output, or forbid calls to end a run; both fail if the choice is ignored.
    """
    choice = view.ask.choice
    if choice is None:
        return
    for turn in view.replies:
        calls = [part for part in turn.parts if isinstance(part, ToolCall)]
        if choice.mode == "none":
            for call in turn.calls:
                yield Hit(call.pointer, f"{call.name} is called although the tool choice is none", "no call", call.name)
            continue
        yield from _forced(choice, turn, calls)


def _forced(choice: Choice, turn: Turn, calls: list[ToolCall]) -> Iterator[Hit]:
    if choice.mode in ("required", "named") and not calls and turn.stop not in _CUT:
        wanted = f"a call of {' or '.join(choice.names)}" if choice.names else "a tool call"
        yield Hit(turn.pointer, f"no call although the tool choice is {choice.mode}", wanted, "no call")
    for call in turn.calls:
        if choice.names and call.name and call.name not in choice.names:
            yield Hit(
                call.pointer,
                f"{call.name} is called, which the tool choice does not allow",
                " or ".join(choice.names),
                call.name,
            )


@rule(
    "parallel-calls-unexpected",
    scope="reply",
    cites="ANY-134",
    about="calls",
)
def parallel_calls_unexpected(view: View) -> Iterator[Hit]:
    """A reply must have at most one call if the request disables parallel calls.

    Callers disable them because their tools must run one at a time.
    """
    if view.ask.parallel is not False:
        return
    for turn in view.replies:
        if len(turn.calls) > 1:
            yield Hit(
                turn.calls[1].pointer,
                f"{len(turn.calls)} calls although parallel calls are disabled",
                "at most one call",
                f"{len(turn.calls)} calls",
            )
