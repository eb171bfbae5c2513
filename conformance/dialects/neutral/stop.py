"""The stop reason matches the content of the reply: calls, or a normal end.

A dialect whose wire has one word for both reads that word as `tool-calls` if the turn has calls; these
rules then find nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.printable import count


@rule(
    "stop-reason-mismatch",
    scope="reply",
    cites="ANY-135",
    about="calls",
)
def stop_reason_mismatch(view: View) -> Iterator[Hit]:
    """A reply with tool calls must have the stop reason of tool calls, or of truncation.

    Clients that rely on the stop reason end the run here, and never run the calls.
    """
    choice = view.ask.choice
    if choice is not None and choice.mode == "named" and view.dialect.named_choice_stops_normally:
        return
    for turn in view.replies:
        if turn.calls and turn.stop == "end":
            yield Hit(
                turn.stop_pointer or turn.pointer,
                f"the reply has {count(len(turn.calls), 'tool call')}, but the stop reason of a normal end",
                "the stop reason of tool calls",
                brief(turn.stop_wire),
            )
