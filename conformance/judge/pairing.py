"""Pairs results with calls: by id if both have one, else by name, in order; and calls of two turns."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from conformance.model.frozen import dataclass
from conformance.model.transcript import ToolCall, ToolResult, Turn, readable

Pairs = list[tuple[ToolCall, ToolCall]]
"""Calls of two turns that belong together."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """`pairs` in the order of the results."""

    pairs: tuple[tuple[ToolCall, ToolResult], ...]
    unanswered: tuple[ToolCall, ...]
    orphans: tuple[ToolResult, ...]

    @property
    def repeated(self) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """The pairs whose call an earlier result had answered already."""
        answered: set[int] = set()
        again: list[tuple[ToolCall, ToolResult]] = []
        for call, result in self.pairs:
            if id(call) in answered:
                again.append((call, result))
            answered.add(id(call))
        return tuple(again)


def pair(calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> Pairing:
    """Pairs the calls of one turn with the results of the next.

    A second result for a call that is already answered is not an orphan: it pairs with that call again. If
    two calls share an id, their results are assigned in order, so that the shared id is the only fault.
    """
    ids = [call.id for call in calls]
    if all(ids) and ids == [result.call_id for result in results] and len({*ids}) == len(ids):  # the usual case
        return Pairing(tuple(zip(calls, results, strict=True)), (), ())
    waiting = _Waiting(calls)
    pairs: list[tuple[ToolCall, ToolResult]] = []
    orphans: list[ToolResult] = []
    for result in results:
        match = waiting.answered_by(result)
        if match is None:
            orphans.append(result)
        else:
            pairs.append((match, result))
    return Pairing(tuple(pairs), tuple(waiting.rest()), tuple(orphans))


class _Waiting:
    """The calls of a turn that have no result yet. A turn can have thousands: each look-up takes constant time."""

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        self._calls = calls
        self._answered = [False] * len(calls)
        self._all = deque(range(len(calls)))
        self._by_id: dict[str | None, deque[int]] = {}
        self._by_name: dict[str | None, deque[int]] = {}
        self._first: dict[str | None, int] = {}
        for number, call in enumerate(calls):
            self._by_id.setdefault(call.id, deque()).append(number)
            self._by_name.setdefault(call.name, deque()).append(number)
            self._first.setdefault(call.id, number)

    def answered_by(self, result: ToolResult) -> ToolCall | None:
        """The call that a result answers."""
        if result.call_id:
            number = self._next(self._by_id.get(result.call_id))
            if number is None:
                number = self._first.get(result.call_id)
            if number is None and result.name:  # as of a model that gives no ids, by a client that invents them
                named = self._next(self._by_name.get(result.name))
                number = named if named is not None and not self._calls[named].id else None
        else:
            number = self._next(self._all if result.name is None else self._by_name.get(result.name))
        if number is None:
            return None
        self._answered[number] = True
        return self._calls[number]

    def rest(self) -> Iterator[ToolCall]:
        """The calls without a result."""
        return (call for call, answered in zip(self._calls, self._answered, strict=True) if not answered)

    def _next(self, numbers: deque[int] | None) -> int | None:
        while numbers and self._answered[numbers[0]]:
            numbers.popleft()
        return numbers[0] if numbers else None


def exchanges_of(history: Sequence[Turn]) -> Iterator[tuple[Turn, Turn | None, Pairing]]:
    """Every turn with calls, the turn after it (None at the end), and how its results pair with the calls."""
    for number, turn in enumerate(history):
        if turn.calls:
            following = history[number + 1] if number + 1 < len(history) else None
            yield turn, following, pair(turn.calls, following.results if following else ())


def matched(old: Sequence[ToolCall], new: Sequence[ToolCall]) -> tuple[Pairs, list[ToolCall], list[ToolCall]]:
    """The pairs of calls, then the calls of the old and of the new turn without a partner.

    Equal calls first; then, in order, those of the same tool; then, in order, whatever is left.
    """
    left, found = list(old), list(new)
    pairs: Pairs = []
    ways: tuple[Callable[[ToolCall], Any], ...] = (_wording, lambda call: call.name, lambda _: None)
    for way in ways:
        for call in list(left):
            other = next((each for each in found if way(each) == way(call)), None)
            if other is not None:
                left.remove(call)
                found.remove(other)
                pairs.append((call, other))
    place = {id(call): number for number, call in enumerate(old)}
    return sorted(pairs, key=lambda pair: place[id(pair[0])]), left, found


def _wording(call: ToolCall) -> str:
    return f"{call.kind} {call.name} {json.dumps(readable(call.arguments), sort_keys=True, default=str)}"
