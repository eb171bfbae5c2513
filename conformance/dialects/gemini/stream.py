"""Gemini streams: the chunks of each candidate, assembled into the turn of the same reply without streaming."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from conformance.dialects.gemini.content import read_part, served
from conformance.dialects.gemini.partial import merge_pieces
from conformance.dialects.gemini.reply import read_block, read_stop
from conformance.dialects.gemini.wire import at, candidate_parts, candidates, get, whole
from conformance.model.frozen import dataclass
from conformance.model.pointer import MISSING
from conformance.model.sse import Event
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, Turn


@dataclass
class _Candidate:
    """The parts of one candidate so far. `open_call` is whether its last call is still being streamed."""

    pointer: str
    parts: list[Part] = field(default_factory=list)
    open_call: bool = False
    finish: Any = None
    finish_at: str = ""


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """One turn for each candidate index, in the order of their first chunk; a filtered one for a blocked prompt."""
    found: dict[int, _Candidate] = {}
    for event in events:
        for entry, pointer in candidates(event.json, event.pointer):
            candidate = found.setdefault(index_of(entry), _Candidate(pointer))
            for part, where in candidate_parts(entry, pointer):
                _add(candidate, part, where)
            reason = get(entry, "finishReason")
            if reason is not MISSING and reason is not None:
                candidate.finish, candidate.finish_at = reason, at(entry, "finishReason", pointer)
    if not found:
        return tuple(turn for event in events for turn in read_block(event.json, event.pointer))[:1]
    return tuple(_turn(candidate) for candidate in found.values())


def index_of(candidate: dict[str, Any]) -> int:
    """The candidate of a chunk; protobuf JSON omits a zero."""
    return whole(get(candidate, "index")) or 0


def _add(candidate: _Candidate, wire: dict[str, Any], pointer: str) -> None:
    call = get(wire, "functionCall")
    if isinstance(call, dict) and (candidate.open_call or get(call, "partialArgs") is not MISSING):
        _add_piece(candidate, call, wire, pointer)
        return
    if isinstance(call, dict) and get(call, "willContinue") is True:
        candidate.open_call = True
    for part in read_part(wire, pointer):
        last = candidate.parts[-1] if candidate.parts else None
        joined = _joined(last, part)
        if joined is None:
            candidate.parts.append(part)
        else:
            candidate.parts[-1] = joined


def _joined(last: Part | None, part: Part) -> Part | None:
    """Text is appended to text, thinking to thinking; everything else is a separate part."""
    if isinstance(last, Text) and isinstance(part, Text):
        return replace(last, text=last.text + part.text)
    if isinstance(last, Reasoning) and isinstance(part, Reasoning) and last.signature is None:
        if last.text is None and part.text is None:
            return part
        return replace(last, text=f"{last.text or ''}{part.text or ''}", signature=part.signature)
    return None


def _add_piece(candidate: _Candidate, call: dict[str, Any], wire: dict[str, Any], pointer: str) -> None:
    """One more piece of a call whose arguments are streamed; a name begins the next call."""
    last = candidate.parts[-1] if candidate.parts else None
    if get(call, "name") is not MISSING or not isinstance(last, ToolCall):
        candidate.parts.extend(read_part(wire, pointer))
    else:
        candidate.parts[-1] = replace(last, arguments=merge_pieces(last.arguments, call))
    candidate.open_call = get(call, "willContinue") is True


def _turn(candidate: _Candidate) -> Turn:
    parts = served(candidate.parts)
    return Turn(
        role="assistant",
        parts=parts,
        pointer=candidate.pointer,
        stop=read_stop(MISSING if candidate.finish is None else candidate.finish, parts),
        stop_wire=candidate.finish,
        stop_pointer=candidate.finish_at or candidate.pointer,
    )
