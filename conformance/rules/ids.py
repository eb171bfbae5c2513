"""Ids of tool calls: what a result refers to has to mean one call."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Turn


@rule("tool-call-id-duplicate", severity=Severity.ERROR, scope="reply", cites=["ANY-128 property of this suite"])
def tool_call_id_duplicate(view: View) -> Iterator[Hit]:
    """The calls of one reply have different ids.

    Two calls with one id can not be answered apart: one result is lost, or the next request is refused.
    """
    for turn in view.replies:
        seen: set[str] = set()
        for call in turn.calls:
            if call.id and call.id in seen:
                yield Hit(
                    call.pointer, f"id {call.id} belongs to an earlier call of the same reply", "an id of its own"
                )
            seen.add(call.id or "")


@rule("tool-call-id-reused", severity=Severity.WARNING, scope="request", cites=["ANY-146 property of this suite"])
def tool_call_id_reused(view: View) -> Iterator[Hit]:
    """The calls of a history have different ids.

    A server that looks a result up by its id finds the wrong call; some refuse the whole request.
    """
    seen: dict[str, Turn] = {}
    for turn in view.history:
        for call in turn.calls:
            told_apart = view.dialect.plans_ahead and seen.get(call.id or "") is not turn
            if call.id and call.id in seen and not told_apart:
                yield Hit(
                    call.pointer,
                    f"id {call.id} belongs to an earlier call of the history",
                    "an id of its own",
                    # Servers that look no further than the next turn for results accept it again later on.
                    severity=None if seen[call.id] is turn else Severity.WARNING,
                )
            seen[call.id or ""] = turn
