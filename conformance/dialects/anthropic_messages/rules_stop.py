"""Stop reasons of the dialect that a reply with calls must not have (ANT-R-003)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_REASON = "/0/response/body/stop_reason"


@rule(
    "messages-stop-reason-mismatch",
    scope="reply",
    basis="observed",
    cites=["ANT-R-003 recorded traffic 108/108"],
    conforming=[
        example("anthropic-messages/call"),
        example("anthropic-messages/stream-call"),
        example("anthropic-messages/cut-off"),
        example("anthropic-messages/pause-run"),
        example("anthropic-messages/answer", put(_REASON, "refusal")),
    ],
    violating=[
        example("anthropic-messages/call", put(_REASON, "pause_turn")),
        example("anthropic-messages/call", put(_REASON, "refusal")),
        example("anthropic-messages/stream-call", put("/0/response/events/16/data/delta/stop_reason", "pause_turn")),
    ],
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
                f"the reply has {len(turn.calls)} call(s) for the client, but a different stop reason",
                "tool_use",
                brief(turn.stop_wire),
                severity=Severity.WARNING if turn.stop == "filter" else None,
            )
