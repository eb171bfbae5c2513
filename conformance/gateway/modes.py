"""Compares a run that streams with the same one that does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from conformance.campaign.task import Key
from conformance.gateway.calls import arguments_of, shown
from conformance.gateway.flow import GatewayRun
from conformance.gateway.legs import Legs
from conformance.gateway.loss import Difference, Differences, Found, collect, place
from conformance.model.jsontext import canonical
from conformance.model.transcript import Malformed, Reasoning, Turn

_BOTH_MODES = 4
"""The turns of one step: of the upstream and of the client, in both modes."""


def with_stream_losses(runs: Mapping[Key, GatewayRun]) -> dict[Key, GatewayRun]:
    """The runs; those that stream with what the client gets otherwise than without streaming."""
    found = dict(runs)
    for (target, _, sample), run in runs.items():
        twin = runs.get((target, replace(run.cell, stream=False).id, sample))
        if run.cell.stream and twin is not None:
            known = {loss.name for loss in (*twin.losses, *run.losses) if loss.direction == "down"}
            more = collect(_mismatches(twin.legs, run.legs, known)).losses
            found[target, run.cell.id, sample] = replace(run, losses=(*run.losses, *more))
    return found


def _mismatches(sync: Legs, stream: Legs, known: set[str]) -> Iterator[Found]:
    """What the client gets in a stream but not otherwise, if the upstream answered the same in both modes."""
    for number, (one, other) in enumerate(zip(sync.steps, stream.steps, strict=False)):
        if one.client and other.client and one.upstream and other.upstream:
            sent = one.upstream[-1].answer, other.upstream[-1].answer
            turns = [each.turn for each in (*sent, one.client.answer, other.client.answer) if each.turn is not None]
            if len(turns) == _BOTH_MODES and not any(each.broken for each in sent):
                found = _differences(turns, f"answer {number + 1}", known)
                yield from place(found, "down", other.client.number, other.upstream[-1].number)


def _differences(turns: Sequence[Turn], whose: str, known: set[str]) -> Differences:
    """What differs in the last two turns, those of the client, but not in the first two, those of the upstream."""
    for aspect, explained_by in _EXPLAINED_BY.items():
        sent_sync, sent_stream, sync, stream = turns
        explained = any(name.startswith(explained_by) for name in known)
        if not explained and _same(sent_sync, sent_stream, aspect) and not _same(sync, stream, aspect):
            what = f"{whose} has another {aspect} in a stream"
            yield Difference("stream-mismatch", what, before=_shown(sync, aspect), after=_shown(stream, aspect))


_EXPLAINED_BY = {
    "text": ("text-", "error-"),
    "reasoning": ("reasoning-", "error-"),
    "set of calls": ("call-", "arguments-", "tool-name-", "error-"),
    "stop reason": ("stop-", "error-"),
}
"""The aspects of a turn, each with the beginnings of the losses that explain why it differs."""


def _same(one: Turn, other: Turn, aspect: str) -> bool:
    """Whether two turns are the same in an aspect. What is left of a call that is cut off depends on the mode."""
    if aspect == "set of calls" and "length" in (one.stop, other.stop):
        return [call.name for call in one.calls] == [call.name for call in other.calls]
    return bool(_aspect(one, aspect) == _aspect(other, aspect))


def _aspect(turn: Turn, aspect: str) -> Any:
    if aspect == "text":
        return turn.text
    if aspect == "reasoning":
        return "".join(part.text or "" for part in turn.parts if isinstance(part, Reasoning))
    if aspect == "set of calls":
        return [(call.name, _comparable(arguments_of(call))) for call in turn.calls]
    return turn.stop


def _comparable(arguments: Any) -> str:
    """Arguments as a text that is the same for the same values."""
    return arguments.text if isinstance(arguments, Malformed) else canonical(arguments)


def _shown(turn: Turn, aspect: str) -> str | None:
    """The aspect as a report shows it."""
    if aspect == "set of calls":
        return ", ".join(map(shown, turn.calls))
    value = _aspect(turn, aspect)
    return None if value is None else str(value)
