"""Which result answers which call: by id where both carry one, else by name, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conformance.model.transcript import ToolCall, ToolResult, Turn


@dataclass(frozen=True, slots=True)
class Pairing:
    """`pairs` in the order of the results."""

    pairs: tuple[tuple[ToolCall, ToolResult], ...]
    unanswered: tuple[ToolCall, ...]
    orphans: tuple[ToolResult, ...]

    @property
    def repeated(self) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """The pairs whose call an earlier result had answered already."""
        answered: list[ToolCall] = []
        again: list[tuple[ToolCall, ToolResult]] = []
        for call, result in self.pairs:
            if any(call is each for each in answered):
                again.append((call, result))
            answered.append(call)
        return tuple(again)


def pair(calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> Pairing:
    """Pairs the calls of one turn with the results of the next.

    A second result for a call that is already answered is not an orphan: it pairs with that call again. Where
    two calls share an id, their results are taken in order, so that the shared id is the only fault.
    """
    open_calls = list(calls)
    pairs: list[tuple[ToolCall, ToolResult]] = []
    orphans: list[ToolResult] = []
    for result in results:
        if result.call_id:
            match = _with_id(open_calls, result.call_id) or _with_id(calls, result.call_id)
        else:
            match = next((call for call in open_calls if call.name == result.name or result.name is None), None)
        if match is None:
            orphans.append(result)
            continue
        pairs.append((match, result))
        open_calls = [call for call in open_calls if call is not match]
    return Pairing(tuple(pairs), tuple(open_calls), tuple(orphans))


def exchanges_of(history: Sequence[Turn]) -> Iterator[tuple[Turn, Turn | None, Pairing]]:
    """Every turn with calls, the turn after it (None at the end), and how that one answers it."""
    for number, turn in enumerate(history):
        if turn.calls:
            following = history[number + 1] if number + 1 < len(history) else None
            yield turn, following, pair(turn.calls, following.results if following else ())


def _with_id(calls: Sequence[ToolCall], wanted: str) -> ToolCall | None:
    return next((call for call in calls if call.id == wanted), None)
