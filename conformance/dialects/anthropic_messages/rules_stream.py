"""Messages streams: the order of their events, docs/contract/anthropic-messages.md, ANT-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.grammar import Fault, hits
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join


@rule(
    "messages-stream-start-misplaced",
    scope="stream",
    cites="ANT-S-002",
)
def stream_start_misplaced(view: View) -> Iterator[Hit]:
    """A stream must begin with one `message_start`.

    SDKs raise on any other event before it: there is no message yet to add to.
    """
    yield from hits(view, Fault.START)


@rule(
    "messages-stream-end-misplaced",
    scope="stream",
    cites="ANT-S-002",
)
def stream_end_misplaced(view: View) -> Iterator[Hit]:
    """A stream must end with one `message_stop`, with nothing after it.

    Without it a client cannot tell a complete reply from a broken connection; `[DONE]` belongs to other dialects.
    """
    yield from hits(view, Fault.END)


@rule(
    "messages-block-out-of-order",
    scope="stream",
    cites=["ANT-S-004", "ANT-S-009"],
)
def block_out_of_order(view: View) -> Iterator[Hit]:
    """Blocks must be sent one at a time: a start, its deltas, a stop; all must be closed before the message ends.

    A client runs a call at its stop event: later deltas are lost, and the arguments are truncated.
    """
    yield from hits(view, Fault.BLOCK_ORDER)


@rule(
    "messages-block-index-wrong",
    scope="stream",
    cites="ANT-S-004",
)
def block_index_wrong(view: View) -> Iterator[Hit]:
    """Block indices must count from 0 by 1, and every delta and stop must have the index of the open block.

    Clients store a block at its index: a gap raises, and a repeated index mixes two calls.
    """
    yield from hits(view, Fault.BLOCK_INDEX)


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


@rule(
    "messages-event-after-error-unexpected",
    scope="stream",
    cites="ANT-S-011",
)
def event_after_error_unexpected(view: View) -> Iterator[Hit]:
    """An `error` event must be the last one of its stream.

    SDKs raise at this event and do not read further.
    """
    yield from hits(view, Fault.AFTER_ERROR)
