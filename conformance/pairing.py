"""Which result answers which call: by id where both carry one, else by name, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conformance.transcript import ToolCall, ToolResult


@dataclass(frozen=True, slots=True)
class Pairing:
    """`pairs` in the order of the results."""

    pairs: tuple[tuple[ToolCall, ToolResult], ...]
    unanswered: tuple[ToolCall, ...]
    orphans: tuple[ToolResult, ...]


def pair(calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> Pairing:
    """Pairs the calls of one turn with the results of the next.

    A second result for a call that is already answered is not an orphan: it pairs with that call again.
    """
    by_id: dict[str, ToolCall] = {}
    for call in calls:
        if call.id:
            by_id.setdefault(call.id, call)
    open_calls = list(calls)
    pairs: list[tuple[ToolCall, ToolResult]] = []
    orphans: list[ToolResult] = []
    for result in results:
        if result.call_id:
            match = by_id.get(result.call_id)
        else:
            match = next((call for call in open_calls if call.name == result.name or result.name is None), None)
        if match is None:
            orphans.append(result)
            continue
        pairs.append((match, result))
        if match in open_calls:
            open_calls.remove(match)
    return Pairing(tuple(pairs), tuple(open_calls), tuple(orphans))
