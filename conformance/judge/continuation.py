"""Finds the earlier reply that a request sends back.

A request continues an earlier exchange only if it repeats the turns of that one: same turns up to the reply, and
then a turn of the model. One run can hold retries, samples and separate conversations, so the order of the
exchanges is not enough. The repeated reply need not be equal (the rules look for clients that changed
it), but it must be recognisable: by its text, or by two of name, id and arguments of its calls. Agents change the
system's words from request to request, and shorten earlier results: neither begins another conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from conformance.judge.echoed_calls import pairs_of, shared
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult, Turn, Unknown, beginning

_FAR_ENOUGH = 64
"""How many exchanges back a reply is searched for: the time for a long run stays linear."""

_Earlier = tuple[Sequence[Turn], Sequence[Turn]]
"""The history of an exchange, and its replies."""
_Rank = tuple[int, bool, bool, bool, bool, bool, bool, int]


@dataclass(frozen=True, slots=True)
class Continuation:
    """`reply` is the turn as it was received, `echo` the same turn as the request sends it back.

    `earlier` is the index, among the earlier exchanges, of the one that received it, `at` that of the echo in the
    history. `pairs` are calls that belong together; a call of the reply that is missing in the echo is in none.
    `repeated` are the other turns that both requests have, as they are and as they were, from the first read anew.
    """

    earlier: int
    at: int
    reply: Turn
    echo: Turn
    pairs: tuple[tuple[ToolCall, ToolCall], ...]
    repeated: tuple[tuple[Turn, Turn], ...]


def continuation(
    history: Sequence[Turn], earlier: Sequence[_Earlier], is_alien: Callable[[int], bool] = lambda _: False
) -> Continuation | None:
    """The exchange whose turns and reply the history repeats.

    That is the one with the most turns. If several have as many, because runs with the same prompt were recorded side
    by side, it is the one with the same ids and signatures; of equally similar ones, the latest.
    `is_alien` is whether the exchange of a number has another model: its replies count only if they have the same ids.
    """
    last, begun = last_reply(history), instructed(history)
    spoken = history[begun:]
    best: Continuation | None = None
    highest: _Rank | None = None
    for index in range(len(earlier) - 1, max(-1, len(earlier) - 1 - _FAR_ENOUGH), -1):
        before, replies = earlier[index]
        led = instructed(before)
        at = begun + len(before) - led
        if at > last or history[at].role != "assistant" or (highest is not None and at < highest[0]):
            continue
        same_turns = beginning(spoken, before[led:])
        now, then = history[begun + same_turns : at], before[led + same_turns :]
        results = _results(now, then)
        if results is None:
            continue
        repeated = tuple(zip(now, then, strict=True))
        for reply in replies:
            found = Continuation(index, at, reply, history[at], pairs_of(reply.calls, history[at].calls), repeated)
            alike = _likeness(found)
            if not alike:
                continue
            same_ids = _same_ids([reply], [found.echo])
            if not same_ids and is_alien(index):
                continue
            same_seals = _seals(found.echo) <= _seals(reply)
            same_system = history[:begun] == before[:led]
            if not (same_system and results) and not (same_ids and same_seals):
                continue  # rather that of another run with the same prompt and calls
            rank = (
                at,
                same_system,
                _same_ids(then, now),
                same_ids,
                same_seals,
                results,
                not is_alien(index),
                alike,
            )
            if highest is None or rank > highest:
                best, highest = found, rank
        if highest is not None and highest[:7] == (last, *[True] * 6):
            break
    if best is not None and not _is_equal(best.reply, best.echo):
        later = (reply for _, replies in earlier[best.earlier + 1 :] for reply in replies)
        if any(_is_equal(reply, best.echo) for reply in later):
            return None  # the client has asked again, and keeps that reply in the place of this one
    return best


def _is_equal(reply: Turn, echo: Turn) -> bool:
    """Whether a turn is sent back as it was received; ids and signatures, which some dialects do not have, apart."""
    one, other = ([(call.name, call.arguments) for call in turn.calls] for turn in (reply, echo))
    return reply.text.strip() == echo.text.strip() and jsontext.same(one, other)


def instructed(history: Sequence[Turn]) -> int:
    """How many turns of the system the history begins with."""
    return next((number for number, turn in enumerate(history) if turn.role != "system"), len(history))


def last_reply(history: Sequence[Turn]) -> int:
    """The number of the model's last turn, -1 if there is none."""
    return next((number for number in range(len(history) - 1, -1, -1) if history[number].role == "assistant"), -1)


def _same_ids(one: Sequence[Turn], other: Sequence[Turn]) -> bool:
    """Whether the calls have the same ids, as far as both have one: some dialects have none."""
    ids, others = ([call.id for turn in turns for call in turn.calls] for turns in (one, other))
    return len(ids) == len(others) and all(
        mine == theirs or not (mine and theirs) for mine, theirs in zip(ids, others, strict=True)
    )


def _seals(turn: Turn) -> set[str]:
    """The signatures of reasoning and calls, which differ between any two runs."""
    signed = (part.signature for part in turn.parts if isinstance(part, (ToolCall, Reasoning)))
    return {spelled(seal) for seal in signed if seal}


def spelled(seal: str) -> str:
    """One spelling of a signature, whether it is in base64 or base64url, with padding or without."""
    return seal.replace("-", "+").replace("_", "/").rstrip("=")


def _likeness(found: Continuation) -> int:
    """0 if it is not this reply, else a number that is higher the more similar the turns are."""
    same_text = bool(found.reply.text.strip()) and found.reply.text.strip() == found.echo.text.strip()
    if found.reply.calls or found.echo.calls:
        return sum(shared(one, other) for one, other in found.pairs)
    return int(same_text)


def _results(turns: Sequence[Turn], before: Sequence[Turn]) -> bool | None:
    """Whether all results are as before; None if something else is not."""
    equal = True
    for one, other in zip(turns, before, strict=True):
        if one.role != other.role:
            return None
        if _content(one) != _content(other):
            if not _of_same_calls(one, other):
                return None
            equal = False
    return equal


def _of_same_calls(one: Turn, other: Turn) -> bool:
    """Whether the turns have results of the same calls, by their ids or their order, and are otherwise alike."""
    ids = [result.call_id for result in one.results]
    return ids == [result.call_id for result in other.results] != [] and _content(one, results=False) == _content(
        other, results=False
    )


def _content(turn: Turn, *, results: bool = True) -> list[object]:
    """The content of a turn without ids and signatures, which a faulty client may change."""
    content: list[object] = []
    for part in turn.parts:
        if isinstance(part, Text):
            if part.text.strip():
                content.append(part.text.strip())
        elif isinstance(part, ToolCall):
            content.append(("call", part.name))
        elif isinstance(part, ToolResult):
            content.append(("result", jsontext.brief(part.content, 2000) if results else None))
        elif isinstance(part, Unknown):
            content.append(("unknown", part.kind))
        elif isinstance(part, Reasoning):
            continue
    return content


def displaced_reasoning(reply: Turn, echo: Turn) -> Iterator[Hit]:
    """Reasoning at another position among the parts of a reply that is sent back; empty texts do not count."""
    received, sent = ([part for part in turn.parts if not _is_blank(part)] for turn in (reply, echo))
    places = [number for number, part in enumerate(received) if isinstance(part, Reasoning)]
    for number, part in enumerate(sent):
        if isinstance(part, Reasoning) and (not places or number != places.pop(0)):
            yield Hit(
                part.pointer, "the reasoning is at a different position than in the reply", "the order of the reply"
            )
            return


def _is_blank(part: Part) -> bool:
    return isinstance(part, Text) and not part.text.strip()
