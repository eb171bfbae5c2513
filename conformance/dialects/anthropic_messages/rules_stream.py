"""Messages streams: the order of their events, docs/contract/anthropic-messages.md, ANT-S."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from conformance.dialects.anthropic_messages.grammar import Fault, hits
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.judge.walked import walked
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

fault = partial(walked, __name__, hits)

fault(
    "messages-stream-start-misplaced",
    "ANT-S-002",
    Fault.START,
    "A stream must begin with one `message_start`.",
    "SDKs raise on any other event before it: there is no message yet to add to.",
)

fault(
    "messages-stream-end-misplaced",
    "ANT-S-002",
    Fault.END,
    "A stream must end with one `message_stop`, with nothing after it.",
    "Without it a client cannot tell a complete reply from a broken connection; `[DONE]` belongs to other dialects.",
)

fault(
    "messages-block-out-of-order",
    ["ANT-S-004", "ANT-S-009"],
    Fault.BLOCK_ORDER,
    "Blocks must be sent one at a time: a start, its deltas, a stop; all must be closed before the message ends.",
    "A client runs a call at its stop event: later deltas are lost, and the arguments are truncated.",
)

fault(
    "messages-block-index-wrong",
    "ANT-S-004",
    Fault.BLOCK_INDEX,
    "Block indices must count from 0 by 1, and every delta and stop must have the index of the open block.",
    "Clients store a block at its index: a gap raises, and a repeated index mixes two calls.",
)


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


fault(
    "messages-event-after-error-unexpected",
    "ANT-S-011",
    Fault.AFTER_ERROR,
    "An `error` event must be the last one of its stream.",
    "SDKs raise at this event and do not read further.",
)
