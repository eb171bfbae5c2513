"""The stop reason says what the reply holds: calls, or an end.

A dialect whose wire has one word for both ends reads that word as `tool-calls` where the turn holds calls; these
rules then have nothing to say about it.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief


@rule("stop-reason-mismatch", severity=Severity.ERROR, scope="reply", cites=["ANY-135 property of this suite"])
def stop_reason_mismatch(view: View) -> Iterator[Hit]:
    """A reply with tool calls stops for tool calls, or because it was cut off.

    Clients that decide by the stop reason end the run here, and the calls are never run.
    """
    choice = view.ask.choice
    if choice is not None and choice.mode == "named" and view.dialect.named_choice_stops_normally:
        return
    for turn in view.replies:
        if turn.calls and turn.stop == "end":
            yield Hit(
                turn.stop_pointer or turn.pointer,
                f"the reply holds {len(turn.calls)} tool call(s), the stop reason says that it ended",
                "the stop reason of tool calls",
                brief(turn.stop_wire),
            )


@rule("announced-call-missing", severity=Severity.ERROR, scope="reply", cites=["ANY-136 property of this suite"])
def announced_call_missing(view: View) -> Iterator[Hit]:
    """A reply that stops for tool calls holds at least one.

    The client waits for a call that never came, or runs an empty round.
    """
    for turn in view.replies:
        if turn.stop == "tool-calls" and not turn.calls:
            yield Hit(
                turn.stop_pointer or turn.pointer,
                "the stop reason announces tool calls, the reply holds none",
                "at least one tool call",
                brief(turn.stop_wire),
            )
