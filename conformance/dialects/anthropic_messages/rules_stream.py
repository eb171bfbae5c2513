"""Messages streams: the order of their events, docs/contract/anthropic-messages.md, ANT-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.grammar import Fault, hits
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.rows import add_faults
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

add_faults(__file__, __name__, Fault, hits)


@rule(
    "messages-message-delta-misplaced",
    scope="stream",
    cites="ANT-S-009",
)
def message_delta_misplaced(view: View) -> Iterator[Hit]:
    """After the last block, a `message_delta` must have the stop reason and the output tokens.

    It is the only place of the stop reason in a stream; without it no client runs the calls.
    """
    yield from hits(view, Fault.MESSAGE_DELTA)
    deltas = [(data, event) for wire, data, event in typed(view.events or ()) if wire == "message_delta"]
    if deltas:
        data, event = deltas[-1]
        usage = data.get("usage")
        if not isinstance(usage, dict):
            where = join(event.pointer, "usage") if "usage" in data else event.pointer
            yield Hit(where, "the last message_delta has no usage", "usage with output_tokens", brief(usage))
        elif "output_tokens" not in usage:
            yield Hit(join(event.pointer, "usage"), "usage has no output_tokens", "output_tokens", "no such member")
        if isinstance(data.get("delta"), dict) and "stop_sequence" not in data["delta"]:
            where = join(event.pointer, "delta")
            yield Hit(where, "stop_sequence is missing", "a string or null", "nothing", severity=Severity.WARNING)
