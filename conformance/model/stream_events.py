"""Neutral stream events: what the dialects' readers share.

A reader yields what each server-sent event adds, with the pieces of calls as they arrive. `closed` completes them:
it adds the one end of each call after its last piece, because fragments of parallel calls may interleave, and some
wires never mark the end of a call.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from conformance.model import jsontext
from conformance.model.frozen import dataclass
from conformance.model.transcript import Happening, Malformed, Part, Reasoning, StreamEvent, Text, ToolCall, Turn


def argument_text(call: ToolCall) -> str:
    """The call's arguments as text: the wire's own text if it is JSON or broken, else the value as JSON."""
    value, wire = call.arguments, call.wire or ""
    if call.kind == "custom":
        return wire or (value if isinstance(value, str) else "")
    if isinstance(value, Malformed):
        return wire or value.text
    if wire and not isinstance(jsontext.parse(wire), Malformed):
        return wire
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return str(value)


def started(call: ToolCall, number: int, choice: int = 0) -> StreamEvent:
    """The start of a call, with what is known then."""
    return StreamEvent(
        "tool_call_start",
        call.pointer,
        choice,
        call=number,
        tool_call_id=call.id,
        tool_call_name=call.name,
        tool_call_kind=call.kind,
    )


def chunk(start: StreamEvent, text: str, pointer: str) -> StreamEvent:
    """A piece of the arguments of the call with this start."""
    return replace(start, kind="tool_call_chunk", pointer=pointer, arguments_chunk=text)


def ended(start: StreamEvent, pointer: str) -> StreamEvent:
    """The end of the call on the wire; `closed` moves it after the last piece."""
    return replace(start, kind="tool_call_end", pointer=pointer)


def whole_call(call: ToolCall, number: int, choice: int = 0) -> Iterator[StreamEvent]:
    """A call in one piece, which `closed` ends."""
    start = started(call, number, choice)
    yield start
    yield chunk(start, argument_text(call), call.pointer)


def whole_parts(parts: Iterable[Part], first_call: int = 0, choice: int = 0) -> Iterator[StreamEvent]:
    """Parts in one piece each; their calls are numbered from `first_call` on."""
    number = first_call
    for part in parts:
        if isinstance(part, Text) and part.text:
            yield StreamEvent("text", part.pointer, choice, part.text)
        elif isinstance(part, Reasoning) and part.text:
            yield StreamEvent("reasoning", part.pointer, choice, part.text)
        elif isinstance(part, ToolCall):
            yield from whole_call(part, number, choice)
            number += 1


@dataclass(frozen=True, slots=True)
class Grown:
    """A part of a turn, whole, and the pieces that it came in: kind, text and pointer of each.

    `end` is the pointer of the event that ends the part, if there is one.
    """

    part: Part
    pieces: Sequence[tuple[Happening, str, str]] = ()
    end: str | None = None


def grown(parts: Iterable[Grown]) -> Iterator[StreamEvent]:
    """What each event adds to the parts of a turn, in the order of the events.

    Texts come in pieces only; a call without pieces has its arguments in one.
    """
    found: list[StreamEvent] = []
    calls = 0
    for each in parts:
        pieces = [piece for piece in each.pieces if piece[1]]
        if not isinstance(each.part, ToolCall):
            # A piece of arguments in a block that is no call is nothing that a client shows.
            found += (StreamEvent(kind, at, text=text) for kind, text, at in pieces if kind in ("text", "reasoning"))
            continue
        start = started(each.part, calls)
        if pieces and _event(pieces[0][2]) < _event(start.pointer):  # a server that sends a piece before the start
            start = replace(start, pointer=pieces[0][2])
        calls += 1
        whole = [chunk(start, argument_text(each.part), each.part.pointer)]
        found += [start, *([chunk(start, text, at) for _, text, at in pieces] or whole)]
        if each.end is not None:
            found.append(ended(start, each.end))
    return closed(sorted(found, key=lambda moment: _event(moment.pointer)))


def _event(pointer: str) -> int:
    """The number of the event that a place lies in."""
    return int(pointer.split("/")[1])


def stopped(turn: Turn, choice: int = 0) -> Iterator[StreamEvent]:
    """The stop reason of a turn, if known."""
    if turn.stop is not None:
        yield StreamEvent("stop", turn.stop_pointer or turn.pointer, choice, stop=turn.stop, stop_wire=turn.stop_wire)


def of_turns(turns: Iterable[Turn]) -> Iterator[StreamEvent]:
    """The stream events of turns without streaming: every part in one piece."""
    for choice, turn in enumerate(turns):
        yield from closed(whole_parts(turn.parts, choice=choice))
        yield from stopped(turn, choice)


def closed(moments: Iterable[StreamEvent]) -> Iterator[StreamEvent]:
    """The events with one end for each call, directly after its last event; empty pieces are left out.

    An id or a name that only a later piece has is in every event from then on.
    """
    events = list(moments)
    last = {(moment.choice, moment.call): place for place, moment in enumerate(events) if moment.call is not None}
    pieces: dict[tuple[int, int | None], list[str]] = {}
    known: dict[tuple[int, int | None], StreamEvent] = {}
    for place, moment in enumerate(events):
        if moment.call is None:
            yield moment
            continue
        key = (moment.choice, moment.call)
        event = known[key] = _with(moment, known.get(key))
        if event.kind == "tool_call_start" or event.arguments_chunk:
            pieces.setdefault(key, []).append(event.arguments_chunk or "")
            yield event
        if last[key] == place:
            complete = "".join(pieces.get(key, ()))
            yield replace(event, kind="tool_call_end", arguments_chunk=None, arguments_complete=complete)


def _with(moment: StreamEvent, before: StreamEvent | None) -> StreamEvent:
    """The event with what was known of its call before."""
    if before is None:
        return moment
    return replace(
        moment,
        tool_call_id=before.tool_call_id or moment.tool_call_id,
        tool_call_name=before.tool_call_name or moment.tool_call_name,
    )
