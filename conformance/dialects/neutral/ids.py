"""Ids of tool calls: an id identifies one call."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Turn


@rule(
    "tool-call-id-reused",
    scope="request",
    cites="ANY-146",
    about="earlier-calls",
)
def tool_call_id_reused(view: View) -> Iterator[Hit]:
    """The calls of a history must have different ids.

    A server that matches results by id finds the wrong call; some reject the whole request.
    """
    ids = [call.id for turn in view.history for call in turn.calls if call.id]
    if len({*ids}) == len(ids):
        return
    seen: dict[str, Turn] = {}
    for turn in view.history:
        for call in turn.calls:
            distinct = view.dialect.plans_ahead and seen.get(call.id or "") is not turn
            if call.id and call.id in seen and not distinct:
                yield Hit(
                    call.pointer,
                    f"id {call.id} belongs to an earlier call of the history",
                    "a unique id",
                    # Servers that look no further than the next turn for results accept it again later on.
                    severity=None if seen[call.id] is turn else Severity.WARNING,
                )
            seen[call.id or ""] = turn


@rule(
    "new-call-id-reused",
    scope="reply",
    cites="ANY-003",
    opt_in=True,
    about="calls",
)
def new_call_id_reused(view: View) -> Iterator[Hit]:
    """A new call in a reply must not have the id of a call in the history of its request.

    The next request has two calls with one id, and their results cannot be told apart. Servers that accept an id again
    in a later turn refuse it within one, as where the reply continues the last turn.
    """
    last = view.history[-1] if view.history else None
    new = {call.id for turn in view.replies for call in turn.calls if call.id}
    used = {call.id: turn for turn in view.history for call in turn.calls if call.id in new}
    for turn in view.replies:
        for call in turn.calls:
            if call.id in used:
                same_turn = used[call.id] is last and last.role == "assistant"
                yield Hit(
                    call.pointer,
                    f"id {call.id} belongs to a call of the history",
                    "a new id",
                    call.id,
                    severity=None if same_turn else Severity.WARNING,
                )
