"""Finding which earlier reply a request carries back.

A request continues an earlier exchange only where it repeats that one's turns: same turns up to the reply, and
then a turn of the model. One run can hold retries, samples and separate conversations, so the order of the
exchanges alone says nothing. The repeated reply need not be equal (a client that changed it is what the rules
look for), but it has to be recognisable: by its text, or by two of name, id and arguments of its calls.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from conformance.model import jsontext
from conformance.model.transcript import Reasoning, Text, ToolCall, ToolResult, Turn, Unknown, beginning

_FAR_ENOUGH = 64
"""How many exchanges back a reply is looked for: keeps a long run linear."""

_Earlier = tuple[Sequence[Turn], Sequence[Turn]]
"""The history of an exchange, and its replies."""
_Rank = tuple[int, bool, bool, bool, bool, int]


@dataclass(frozen=True, slots=True)
class Continuation:
    """`reply` is the turn as it was received, `echo` the same turn as the request carries it back.

    `earlier` is the index, among the earlier exchanges, of the one that received it.
    `pairs` are calls that belong together; a call of the reply that the echo left out is in none.
    """

    earlier: int
    reply: Turn
    echo: Turn
    pairs: tuple[tuple[ToolCall, ToolCall], ...]


def continuation(
    history: Sequence[Turn], earlier: Sequence[_Earlier], alien: Collection[int] = ()
) -> Continuation | None:
    """The exchange whose turns and reply the history repeats.

    That is the one with the most turns. Of several with as many, because runs with the same prompt were recorded side
    by side, it is the one with the same ids and seals; of those that are equally alike, the latest.
    `alien` are the numbers of exchanges with another model: of theirs, a reply without the same ids is another run's.
    """
    last = last_reply(history)
    best: Continuation | None = None
    highest: _Rank | None = None
    for index in range(len(earlier) - 1, max(-1, len(earlier) - 1 - _FAR_ENOUGH), -1):
        before, replies = earlier[index]
        at = len(before)
        if at > last or history[at].role != "assistant" or (highest is not None and at < highest[0]):
            continue
        same_turns = beginning(history, before)
        if not _repeats(history[same_turns:at], before[same_turns:]):
            continue
        for reply in replies:
            found = Continuation(index, reply, history[at], pairs_of(reply.calls, history[at].calls))
            alike = _likeness(found)
            if not alike:
                continue
            same_ids = _same_ids([reply], [found.echo])
            if not same_ids and index in alien:
                continue
            same_seals = _seals(found.echo) <= _seals(reply)
            rank = (
                at,
                _same_ids(before[same_turns:], history[same_turns:at]),
                same_ids,
                same_seals,
                index not in alien,
                alike,
            )
            if highest is None or rank > highest:
                best, highest = found, rank
        if highest is not None and highest[:5] == (last, True, True, True, True):
            break
    return best


def last_reply(history: Sequence[Turn]) -> int:
    """The number of the model's last turn, -1 where there is none."""
    return next((number for number in range(len(history) - 1, -1, -1) if history[number].role == "assistant"), -1)


def _same_ids(one: Sequence[Turn], other: Sequence[Turn]) -> bool:
    """Whether the calls have the same ids, where both have one: some dialects do without."""
    ids, others = ([call.id for turn in turns for call in turn.calls] for turns in (one, other))
    return len(ids) == len(others) and all(
        mine == theirs or not (mine and theirs) for mine, theirs in zip(ids, others, strict=True)
    )


def _seals(turn: Turn) -> set[str]:
    """The seals of reasoning and calls, which no two runs have in common."""
    signed = (part.signature for part in turn.parts if isinstance(part, (ToolCall, Reasoning)))
    return {spelled(seal) for seal in signed if seal}


def spelled(seal: str) -> str:
    """One spelling of a seal: base64 and base64url spell the same bytes differently, and padding says nothing."""
    return seal.replace("-", "+").replace("_", "/").rstrip("=")


def _likeness(found: Continuation) -> int:
    """0: not this reply. Otherwise the more alike, the higher."""
    same_text = bool(found.reply.text.strip()) and found.reply.text.strip() == found.echo.text.strip()
    if found.reply.calls or found.echo.calls:
        return sum(_shared(one, other) for one, other in found.pairs)
    return int(same_text)


def pairs_of(calls: Sequence[ToolCall], echoed: Sequence[ToolCall]) -> tuple[tuple[ToolCall, ToolCall], ...]:
    """Each echoed call with the call that it repeats most plausibly: at least two of id, name, arguments equal."""
    left = list(calls)
    pairs = []
    for echo in echoed:
        best = max(left, key=lambda call: _shared(call, echo), default=None)
        if best is not None and _shared(best, echo) >= 2:
            left.remove(best)
            pairs.append((best, echo))
    return tuple(pairs)


def _shared(call: ToolCall, echo: ToolCall) -> int:
    return int(call.id == echo.id) + int(call.name == echo.name) + int(jsontext.same(call.arguments, echo.arguments))


def _repeats(turns: Sequence[Turn], before: Sequence[Turn]) -> bool:
    return all(one.role == other.role and _say(one) == _say(other) for one, other in zip(turns, before, strict=True))


def _say(turn: Turn) -> list[object]:
    """What a turn says, without ids and seals: those are what a faulty client changes."""
    said: list[object] = []
    for part in turn.parts:
        if isinstance(part, Text):
            if part.text.strip():
                said.append(part.text.strip())
        elif isinstance(part, ToolCall):
            said.append(("call", part.name))
        elif isinstance(part, ToolResult):
            said.append(("result", jsontext.brief(part.content, 2000)))
        elif isinstance(part, Unknown):
            said.append(("unknown", part.kind))
        elif isinstance(part, Reasoning):
            continue
    return said
