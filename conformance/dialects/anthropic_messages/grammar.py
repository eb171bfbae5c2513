"""The grammar of a Messages stream, as a state machine over its events.

    message_start  ( content_block_start content_block_delta* content_block_stop )*  message_delta+  message_stop

Pings may be anywhere after the start. An `error` may come at any point and ends the stream. Unknown events are
skipped. After a fault, the machine continues as if the event had been the right one, so that one fault is reported
once; each fault is a `Fault`, and one rule reports it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from enum import Enum, auto
from typing import Any
from weakref import WeakKeyDictionary

from conformance.dialects.anthropic_messages.block import kind_of
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.sse import Event


class Fault(Enum):
    """The faults that the walk looks for; each belongs to one rule, which reports it."""

    START = auto()
    END = auto()
    AFTER_ERROR = auto()
    BLOCK_ORDER = auto()
    BLOCK_INDEX = auto()
    MESSAGE_DELTA = auto()


Found = tuple[Fault, Hit]


@dataclass
class _State:
    """`open` has the indices of the open block: its own, and the one that it should have."""

    started: bool = False
    assumed: bool = False
    """Whether an event needed the missing start; a late start is not a second one."""
    starts: int = 0
    last_index: int = -1
    open: tuple[Any, ...] | None = None
    complained: bool = False
    """Whether the deltas after the last stop have been reported."""
    finished: bool = False
    reason: Any = None
    delta_at: str = ""
    stopped: bool = False
    failed: bool = False
    faults: list[Found] = field(default_factory=list)

    def fault(self, fault: Fault, pointer: str | None, message: str, expected: str, actual: str) -> None:
        self.faults.append((fault, Hit(pointer, message, expected, actual)))


_WALKED: WeakKeyDictionary[View, tuple[Found, ...]] = WeakKeyDictionary()


def hits(view: View, fault: Fault) -> Iterator[Hit]:
    """The hits of one fault; the stream is walked once for all rules."""
    if view not in _WALKED:
        _WALKED[view] = tuple(walk(view.events or ()))
    return (hit for found, hit in _WALKED[view] if found is fault)


def walk(events: Sequence[Event]) -> list[Found]:
    """All faults of a stream."""
    state = _State()
    for event in events:
        _step(state, event)
    if events:
        _finish(state)
    return state.faults


def _step(state: _State, event: Event) -> None:
    at = event.pointer
    kind = kind_of(event.json)
    if state.failed:
        state.fault(
            Fault.AFTER_ERROR, at, "an event after the error", "the end of the stream", kind or brief(event.data)
        )
        return
    if event.data.strip() == "[DONE]":
        state.fault(Fault.END, at, "the stream has another dialect's end mark", "message_stop only", "[DONE]")
        return
    if kind == "error":
        state.failed = True
        return
    if state.stopped:
        state.fault(Fault.END, at, "an event after message_stop", "the end of the stream", kind or "an event")
    if kind == "message_start":
        if state.started and not state.assumed:
            state.fault(Fault.START, at, "a second message_start", "one message_start", "another one")
        state.started, state.assumed = True, False
        return
    if not state.started and (kind in _STEPS or kind == "ping"):
        state.fault(Fault.START, at, f"{kind} before message_start", "message_start", str(kind))
        state.started = state.assumed = True
    if kind in _STEPS and isinstance(event.json, dict):
        _STEPS[kind](state, event.json, at)


def _block_start(state: _State, data: dict[str, Any], at: str) -> None:
    if state.open is not None:
        expected = f"content_block_stop of block {brief(state.open[0])}"
        state.fault(Fault.BLOCK_ORDER, at, "a block starts while another is open", expected, "content_block_start")
    if state.finished and not state.stopped:
        state.fault(
            Fault.MESSAGE_DELTA, state.delta_at, "message_delta before the last block", "all blocks before it", at
        )
        state.finished = False
    index = data.get("index")
    whole = isinstance(index, int) and not isinstance(index, bool)
    if not whole or index not in (state.starts, state.last_index + 1):
        where = join(at, "index") if "index" in data else at
        state.fault(Fault.BLOCK_INDEX, where, "the block's index does not follow", str(state.starts), brief(index))
    state.open = (index, state.starts)
    state.last_index = index if isinstance(index, int) and whole else state.starts
    state.starts += 1
    state.complained = False


def _block_delta(state: _State, data: dict[str, Any], at: str) -> None:
    if state.open is None:
        if not state.complained:
            state.fault(Fault.BLOCK_ORDER, at, "a delta while no block is open", "content_block_start", "a delta")
        state.complained = True
    else:
        _same_index(state, data, at)


def _block_stop(state: _State, data: dict[str, Any], at: str) -> None:
    if state.open is None and not state.stopped:
        state.fault(Fault.BLOCK_ORDER, at, "a block stops that is not open", "an open block", "content_block_stop")
    else:
        _same_index(state, data, at)
    state.open = None


def _same_index(state: _State, data: dict[str, Any], at: str) -> None:
    index = data.get("index")
    if state.open is not None and (isinstance(index, bool) or index not in state.open):
        where = join(at, "index") if "index" in data else at
        state.fault(
            Fault.BLOCK_INDEX, where, "the index is not that of the open block", brief(state.open[0]), brief(index)
        )


def _message_delta(state: _State, data: dict[str, Any], at: str) -> None:
    if state.open is not None and not state.stopped:
        expected = f"content_block_stop of block {brief(state.open[0])}"
        state.fault(Fault.BLOCK_ORDER, at, "message_delta while a block is open", expected, "message_delta")
        state.open = None
    delta = data.get("delta")
    state.finished = True
    state.reason = delta.get("stop_reason") if isinstance(delta, dict) else None
    state.delta_at = at


def _message_stop(state: _State, _: dict[str, Any], at: str) -> None:
    if state.open is not None and not state.stopped:
        expected = f"content_block_stop of block {brief(state.open[0])}"
        state.fault(Fault.BLOCK_ORDER, at, "message_stop while a block is open", expected, "message_stop")
        state.open = None
    if not state.finished and not state.stopped:
        state.fault(
            Fault.MESSAGE_DELTA, at, "the message ends without a message_delta", "message_delta", "message_stop"
        )
        state.finished, state.reason = True, "unsaid"
    state.stopped = True


_STEPS = {
    "content_block_start": _block_start,
    "content_block_delta": _block_delta,
    "content_block_stop": _block_stop,
    "message_delta": _message_delta,
    "message_stop": _message_stop,
}


def _finish(state: _State) -> None:
    if state.failed:
        return
    if state.finished and state.reason is None:
        where = join(state.delta_at, "delta")
        state.fault(Fault.MESSAGE_DELTA, where, "the last message_delta has no stop reason", "a stop reason", "null")
    if not state.stopped:
        state.fault(Fault.END, None, "the stream ends without message_stop", "message_stop", "the end of the stream")
