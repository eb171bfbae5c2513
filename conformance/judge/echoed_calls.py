"""Which call of a reply each call of a request repeats."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Sequence
from typing import Any

from conformance.model import jsontext
from conformance.model.transcript import Malformed, ToolCall

_FEW = 16
"""Up to this many calls, comparing each with each is fastest."""

Pairs = tuple[tuple[ToolCall, ToolCall], ...]


def pairs_of(calls: Sequence[ToolCall], echoed: Sequence[ToolCall]) -> Pairs:
    """Each echoed call with the call that it most probably repeats: at least two of id, name, arguments are equal."""
    if len(calls) > _FEW:
        return _indexed(calls, echoed)
    left = list(calls)
    pairs = []
    for echo in echoed:
        best = max(left, key=lambda call: shared(call, echo), default=None)
        if best is not None and shared(best, echo) >= 2:
            left.remove(best)
            pairs.append((best, echo))
    return tuple(pairs)


def shared(call: ToolCall, echo: ToolCall) -> int:
    """How many of id, name and arguments are equal."""
    return int(call.id == echo.id) + int(call.name == echo.name) + int(jsontext.same(call.arguments, echo.arguments))


def _indexed(calls: Sequence[ToolCall], echoed: Sequence[ToolCall]) -> Pairs:
    """The same pairs in linear time: the first call that is left and equal in all three, or else in two of them."""
    waiting: dict[Hashable, deque[int]] = defaultdict(deque)
    for number, call in enumerate(calls):
        for key in _keys(call):
            waiting[key].append(number)
    taken: set[int] = set()
    pairs = []
    for echo in echoed:
        whole, *partly = (_first(waiting.get(key), taken) for key in _keys(echo))
        best = whole if whole is not None else min((each for each in partly if each is not None), default=None)
        if best is not None:
            taken.add(best)
            pairs.append((calls[best], echo))
    return tuple(pairs)


def _keys(call: ToolCall) -> tuple[Hashable, ...]:
    """What calls have in common that are equal in all three, and what those that are equal in two of them."""
    one, other, third = ("id", call.id), ("name", call.name), ("arguments", _key(call.arguments))
    return (one, other, third), (one, other), (one, third), (other, third)


def _key(arguments: Any) -> Hashable:
    if isinstance(arguments, Malformed):
        return arguments
    try:
        return jsontext.canonical(arguments)
    except (TypeError, ValueError, RecursionError):  # not only JSON, or nested too deeply to be compared
        return id(arguments)


def _first(numbers: deque[int] | None, taken: set[int]) -> int | None:
    """The first call that is left."""
    while numbers and numbers[0] in taken:
        numbers.popleft()
    return numbers[0] if numbers else None
