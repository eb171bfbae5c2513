"""The turns before the last reply: the client sends them again unchanged."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief, same
from conformance.model.transcript import beginning, calls_of


@rule(
    "earlier-call-changed",
    scope="conversation",
    cites="ANY-151",
    about="continuation",
)
def earlier_call_changed(view: View) -> Iterator[Hit]:
    """A call of an earlier turn must be sent as in the request before: same id, name and arguments.

    The provider's prompt cache is lost from there on, and the model sees a different call than it made.
    """
    found = view.continues
    if found is None:
        return
    before = view.earlier[found.earlier].history
    same_turns = beginning(view.history, before)
    for now, then in zip(calls_of(view.history[same_turns : len(before)]), calls_of(before[same_turns:]), strict=False):
        if not same(now.arguments, then.arguments):
            message = f"the earlier call of {then.name} is sent with different arguments than before"
            yield Hit(now.pointer, message, brief(then.arguments), brief(now.arguments))
        elif now.id != then.id and now.id and then.id:
            yield Hit(
                now.pointer, f"the earlier call of {then.name} is sent with a different id than before", then.id, now.id
            )
