"""Stop reasons of the dialect that a reply with calls must not have (ANT-R-003)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.printable import count


@rule(
    "messages-stop-reason-mismatch",
    scope="reply",
    cites="ANT-R-003",
)
def stop_reason_mismatch(view: View) -> Iterator[Hit]:
    """A reply with calls for the client must have stop reason `tool_use`, or that of a limit; not pause or refusal.

    A client that continues a paused turn sends it back without results, and the server refuses the unanswered calls.
    """
    for turn in view.replies:
        if turn.calls and turn.stop in ("pause", "filter"):
            # A refusal can interrupt a turn, as the token limit can; a pause is for server tools.
            yield Hit(
                turn.stop_pointer,
                f"the reply has {count(len(turn.calls), 'call')} for the client, but a different stop reason",
                "tool_use",
                brief(turn.stop_wire),
                severity=Severity.WARNING if turn.stop == "filter" else None,
            )
