"""Gemini streams, event by event. A call is sent whole, as one chunk.

If Vertex streams the arguments by their JSON paths, their text is known only at the end: such a call starts at its
first piece, and its one chunk follows at the next other part, or at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from conformance.dialects.gemini.content import read_part
from conformance.dialects.gemini.partial import merge_pieces
from conformance.dialects.gemini.stream import index_of, read_stream
from conformance.dialects.gemini.wire import candidate_parts, candidates, get
from conformance.model.frozen import dataclass
from conformance.model.pointer import MISSING
from conformance.model.sse import Event
from conformance.model.stream_events import argument_text, chunk, closed, started, stopped, whole_parts
from conformance.model.transcript import StreamEvent, ToolCall


@dataclass
class _Candidate:
    """The state of one candidate. `call` is its open call, `at` the pointer of the call's last piece."""

    choice: int
    calls: int = 0
    call: ToolCall | None = None
    at: str = ""
    open_call: bool = False


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """The stream events of all candidates in the order of the chunks, and at the end each candidate's stop reason."""
    states: dict[int, _Candidate] = {}
    yield from closed(_unclosed(events, states))
    for index, turn in zip(states or [0], read_stream(events), strict=False):
        yield from stopped(turn, index)


def _unclosed(events: Sequence[Event], states: dict[int, _Candidate]) -> Iterator[StreamEvent]:
    for event in events:
        for entry, pointer in candidates(event.json, event.pointer):
            index = index_of(entry)
            candidate = states.setdefault(index, _Candidate(index))
            for part, where in candidate_parts(entry, pointer):
                yield from _part(candidate, part, where)
    for candidate in states.values():
        yield from _whole(candidate)


def _part(candidate: _Candidate, wire: dict[str, Any], pointer: str) -> Iterator[StreamEvent]:
    call = get(wire, "functionCall")
    piece = isinstance(call, dict) and (candidate.open_call or get(call, "partialArgs") is not MISSING)
    if not (piece and candidate.call is not None and get(call, "name") is MISSING):
        for part in read_part(wire, pointer):
            yield from _whole(candidate)
            if isinstance(part, ToolCall):
                candidate.call, candidate.at = part, part.pointer
                yield started(part, candidate.calls, candidate.choice)
                candidate.calls += 1
            else:
                yield from whole_parts([part], choice=candidate.choice)
    if piece and candidate.call is not None:
        candidate.call = replace(candidate.call, arguments=merge_pieces(candidate.call.arguments, call))
        candidate.at = pointer
    if isinstance(call, dict):
        candidate.open_call = get(call, "willContinue") is True


def _whole(candidate: _Candidate) -> Iterator[StreamEvent]:
    """The arguments of the finished call."""
    if candidate.call is not None:
        start = started(candidate.call, candidate.calls - 1, candidate.choice)
        yield chunk(start, argument_text(candidate.call), candidate.at)
        candidate.call = None
