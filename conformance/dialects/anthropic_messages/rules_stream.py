"""Messages streams: the order of their events, docs/contract/anthropic-messages.md, ANT-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.grammar import Fault, hits
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.example import drop, example, insert, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CALL, _SERVER = "anthropic-messages/stream-call", "anthropic-messages/stream-server-tool"
_ERROR, _THINKING = "anthropic-messages/stream-failure", "anthropic-messages/stream-thinking-run"
_EVENTS = "/0/response/events"
_PING = {"event": "ping", "data": {"type": "ping"}}
_DELTA = {
    "event": "message_delta",
    "data": {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": None},
        "usage": {"output_tokens": 96},
    },
}
_STOP = {"event": "message_stop", "data": {"type": "message_stop"}}


@rule(
    "messages-stream-start-misplaced",
    scope="stream",
    basis="sdk-type",
    cites=["ANT-S-002 anthropic 2.11 lib/streaming/_messages.py", "ANT-S-002 recorded traffic 117/117"],
    conforming=[example(_CALL), example(_CALL, insert(f"{_EVENTS}/1", _PING))],
    violating=[
        example(_CALL, drop(f"{_EVENTS}/0")),
        example(_CALL, swap(f"{_EVENTS}/0", f"{_EVENTS}/1")),
        example(_CALL, insert(f"{_EVENTS}/0", _PING)),
    ],
)
def stream_start_misplaced(view: View) -> Iterator[Hit]:
    """A stream must begin with one `message_start`.

    SDKs raise on any other event before it: there is no message yet to add to.
    """
    yield from hits(view, Fault.START)


@rule(
    "messages-stream-end-misplaced",
    scope="stream",
    basis="sdk-type",
    cites=["ANT-S-002 anthropic 2.11 lib/streaming/_messages.py", "ANT-S-002 recorded traffic 117/117"],
    bugs=["trpc-group/trpc-agent-go#2085"],
    conforming=[example(_CALL), example(_ERROR)],
    violating=[
        example(_CALL, drop(f"{_EVENTS}/17"), at="0 response"),
        example(_CALL, insert(f"{_EVENTS}/18", {"data": "[DONE]"})),
        example(_CALL, insert(f"{_EVENTS}/18", _STOP)),
        example(_CALL, swap(f"{_EVENTS}/16", f"{_EVENTS}/17"), at="0 response event/17"),
    ],
)
def stream_end_misplaced(view: View) -> Iterator[Hit]:
    """A stream must end with one `message_stop`, with nothing after it.

    Without it a client cannot tell a complete reply from a broken connection; `[DONE]` belongs to other dialects.
    """
    yield from hits(view, Fault.END)


@rule(
    "messages-block-out-of-order",
    scope="stream",
    basis="observed",
    cites=["ANT-S-004 recorded traffic 323/323", "ANT-S-009 recorded traffic 117/117"],
    bugs=["trpc-group/trpc-agent-go#2085", "new-api#7302"],
    conforming=[example(_CALL), example(_THINKING), example(_SERVER)],
    violating=[
        example(_CALL, drop(f"{_EVENTS}/5")),
        example(_CALL, drop(f"{_EVENTS}/15")),
        example(_CALL, swap(f"{_EVENTS}/9", f"{_EVENTS}/10"), at="0 response event/10"),
        example(_CALL, swap(f"{_EVENTS}/15", f"{_EVENTS}/17")),
    ],
)
def block_out_of_order(view: View) -> Iterator[Hit]:
    """Blocks must be sent one at a time: a start, its deltas, a stop; all must be closed before the message ends.

    A client runs a call at its stop event: later deltas are lost, and the arguments are truncated.
    """
    yield from hits(view, Fault.BLOCK_ORDER)


@rule(
    "messages-block-index-wrong",
    scope="stream",
    basis="observed",
    cites=["ANT-S-004 recorded traffic 3105/3105"],
    conforming=[example(_CALL), example(_SERVER)],
    violating=[
        example(_CALL, put(f"{_EVENTS}/1/data/index", 1)),
        example(_CALL, put(f"{_EVENTS}/11/data/index", 1)),
        example(_CALL, put(f"{_EVENTS}/8/data/index", 2)),
        example(_CALL, put(f"{_EVENTS}/10/data/index", 0)),
        example(_CALL, drop(f"{_EVENTS}/8/data/index")),
    ],
)
def block_index_wrong(view: View) -> Iterator[Hit]:
    """Block indices must count from 0 by 1, and every delta and stop must have the index of the open block.

    Clients store a block at its index: a gap raises, and a repeated index mixes two calls.
    """
    yield from hits(view, Fault.BLOCK_INDEX)


@rule(
    "messages-message-delta-misplaced",
    scope="stream",
    basis="observed",
    cites=["ANT-S-009 recorded traffic 117/117"],
    conforming=[example(_CALL), example(_ERROR), example(_CALL, insert(f"{_EVENTS}/17", _DELTA))],
    violating=[
        example(_CALL, drop(f"{_EVENTS}/16")),
        example(_CALL, put(f"{_EVENTS}/16/data/delta/stop_reason", None), at="0 response event/16/delta"),
        example(_CALL, drop(f"{_EVENTS}/16/data/usage")),
        example(_CALL, drop(f"{_EVENTS}/16/data/usage/output_tokens")),
        example(_CALL, drop(f"{_EVENTS}/16/data/delta"), at="0 response event/16/delta"),
        example(_CALL, drop(f"{_EVENTS}/16/data/delta/stop_sequence")),
    ],
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
    basis="sdk-type",
    cites=["ANT-S-011 anthropic 2.11 _streaming.py"],
    violating=[
        example(_ERROR, insert(f"{_EVENTS}/5", _STOP)),
    ],
)
def event_after_error_unexpected(view: View) -> Iterator[Hit]:
    """An `error` event must be the last one of its stream.

    SDKs raise at this event and do not read further.
    """
    yield from hits(view, Fault.AFTER_ERROR)
