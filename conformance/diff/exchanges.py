"""One exchange in two recordings, in the order of docs/contract/diff.md: status, turns, events, fields; its request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from conformance.diff.difference import Grade
from conformance.diff.ids import Renaming
from conformance.diff.notes import Notes
from conformance.diff.places import Differing, how
from conformance.diff.streams import Stream, compare_streams
from conformance.diff.turns import compare_turns, kinds_of
from conformance.diff.unstreamed import compare_answers, compare_failures, compare_requests
from conformance.judge.view import View
from conformance.model.exchange import Headers, Request
from conformance.model.finding import Side
from conformance.model.jsontext import same
from conformance.model.pointer import MISSING, get, join, split
from conformance.model.transcript import Turn

_TYPED = ("content-type", "accept")
"""Headers whose parameters (a charset) do not matter."""


@dataclass(frozen=True, slots=True)
class Layers:
    """An exchange as its endpoint's dialect reads it, and as the one that is written in its text does, if any."""

    carried: View
    inner: View
    number: int


@dataclass(frozen=True, slots=True)
class Before:
    """The state of the run: the worst difference in an earlier answer (None if there is none), and its first pair."""

    worst: Grade | None = None
    first: tuple[Layers, Layers] | None = None


def compare_exchanges(old: Layers, new: Layers, ids: Renaming, before: Before, *, with_calls: bool = True) -> Notes:
    """The differences in one pair of exchanges. Without `with_calls`, the calls were reported for the whole run."""
    notes = Notes(ids, old.number, new.number)
    _request(notes, old, new, before)
    _response(notes, old, new, with_calls=with_calls)
    notes.join_renamed()
    return notes


def _request(notes: Notes, old: Layers, new: Layers, before: Before) -> None:
    one, other = old.carried, new.carried
    compare_addresses(notes, one.exchange.request, other.exchange.request, (one.model, other.model))
    compare_headers(
        notes,
        "request",
        one.exchange.request.headers,
        other.exchange.request.headers,
        complete=one.complete and other.complete,
    )
    bodies = one.exchange.request.body, other.exchange.request.body
    if bodies[0].text == bodies[1].text and bodies[0].text is not None:
        return
    fold = None if other.dialect is None else other.dialect.readers.normalise_key
    before_body = len(notes.differences)
    compare_requests(notes, one.request, other.request, _echoes(before, new), fold=fold)
    if len(notes.differences) == before_body and bodies[0].text != bodies[1].text and before.worst is None:
        notes.fact("bytes", "request")


def _echoes(before: Before, new: Layers) -> Callable[[Differing], bool]:
    """Whether a place of a request only repeats an earlier answer that differed: it lies in the turns since then.

    A turn with only another wording explains other values, not another form.
    """
    worst, first = before.worst, before.first
    history = [part.pointer for turn in new.carried.ask.history for part in turn.parts]
    holders = {split(pointer)[0] for pointer in history if split(pointer)}

    def echoes(found: Differing) -> bool:
        steps = split(found.new_pointer)
        if worst is None or first is None or first[1].number == new.number or not steps or steps[0] not in holders:
            return False
        if worst is Grade.NOISE and found.how != "value":
            return False
        opened = [get(layers.carried.request, pointer) for layers, pointer in zip(first, _pointers(found), strict=True)]
        if found.how == "value" and same(*opened):
            return True  # nothing stood there at first, or a text that has grown since by what differs
        opening = get(first[1].carried.request, join("", steps[0]))
        return isinstance(opening, list) and len(steps) > 1 and steps[1].isdecimal() and int(steps[1]) >= len(opening)

    return echoes


def _pointers(found: Differing) -> tuple[str, str]:
    return found.old_pointer, found.new_pointer


def _response(notes: Notes, old: Layers, new: Layers, *, with_calls: bool) -> None:
    one, other = old.carried, new.carried
    responses = one.exchange.response, other.exchange.response
    statuses: dict[str, Any] = {"old": responses[0].status, "new": responses[1].status}
    if one.ok != other.ok:
        notes.fact("error-appears" if one.ok else "error-disappears", "response", **statuses)
        return
    if responses[0].status != responses[1].status:
        notes.fact("status", "response", **statuses)
    complete = one.complete and other.complete
    compare_headers(notes, "response", responses[0].headers, responses[1].headers, complete=complete, ok=one.ok)
    if responses[0].body.text == responses[1].body.text and responses[0].body.text is not None:
        for call in (call for turn in new.inner.replies for call in turn.calls if call.id is not None):
            notes.identifier("response", call.id, call.id, "id of a call", at=(call.pointer, call.pointer))
        return
    if not one.ok:
        compare_failures(notes, responses[0].body, responses[1].body)
        return
    turns = old.inner.replies, new.inner.replies
    if len(turns[0]) != len(turns[1]):
        notes.fact("turn-count", "response", old=len(turns[0]), new=len(turns[1]))
    for before, after in zip(*turns, strict=False):
        compare_turns(notes, before, after, new.inner.ask, with_calls=with_calls)
    if one.streamed != other.streamed:
        ways = {True: "streamed", False: "one body"}
        notes.fact("streamed", "response", old=ways[one.streamed], new=ways[other.streamed])
    elif one.events is not None and other.events is not None:
        same_parts = _parts(one.replies) == _parts(other.replies)
        compare_streams(
            notes, Stream(one.events, one.dialect), Stream(other.events, other.dialect), same_parts=same_parts
        )
        if same(*([event.json for event in events] for events in (one.events, other.events))):
            notes.fact("bytes", "response")
    else:
        compare_answers(notes, responses[0].body, responses[1].body, one.replies, other.replies)


def _parts(turns: tuple[Turn, ...]) -> list[tuple[list[str], int]]:
    return [(sorted(kinds_of(turn)), len(turn.calls)) for turn in turns]


def compare_headers(notes: Notes, side: Side, old: Headers, new: Headers, *, complete: bool, ok: bool = True) -> None:
    """Notes the headers that are gone, new, or have another value.

    In what others recorded (not `complete`) a header that is not there is no evidence.
    """
    for name in sorted({key.lower() for key, _ in old} | {key.lower() for key, _ in new}):
        one, other = (_value(headers, name) for headers in (old, new))
        if one != other and (complete or not (one is None or other is None)):
            before, after = (MISSING if each is None else each for each in (one, other))
            pointer = join("", name)
            notes.place(side, Differing(how(before, after), pointer, pointer, before, after), part="header", ok=ok)


def _value(headers: Headers, name: str) -> str | None:
    value = headers.get(name)
    return value.partition(";")[0].strip().lower() if value is not None and name in _TYPED else value


def compare_addresses(notes: Notes, old: Request, new: Request, models: tuple[str | None, str | None]) -> None:
    """Notes another method, path or query. `models` are those of the requests: some dialects name them in the path."""
    asked = [f"{request.method} {_path(request, model)}" for request, model in zip((old, new), models, strict=True)]
    if asked[0] != asked[1]:
        notes.fact("path", "request", old=asked[0], new=asked[1])
    one, other = old.query, new.query
    for name in sorted(one.keys() | other.keys()):
        if one.get(name) != other.get(name):
            before, after = one.get(name, MISSING), other.get(name, MISSING)
            pointer = join("", name)
            found = Differing(how(before, after), pointer, pointer, before, after)
            notes.place("request", found, part="query")


def _path(request: Request, model: str | None) -> str:
    return request.path.replace(f"/{model}:", "/MODEL:") if model else request.path
