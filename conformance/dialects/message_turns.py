"""Messages as turns, where each message is one and each result of a tool is a message of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from conformance.model.transcript import Part, Role, ToolResult, Turn

Message = dict[str, Any]


def turns_of(
    messages: list[Any],
    start: int,
    role: Callable[[Message], Role],
    parts: Callable[[Message, str], Iterable[Part]],
    result: Callable[[Message, str], ToolResult],
) -> Iterator[Turn]:
    """The messages as turns; the results that answer one turn are one turn. `start` is the number of the first."""
    numbered = [(f"/messages/{number}", each) for number, each in enumerate(messages, start) if isinstance(each, dict)]
    for is_result, group in groupby(numbered, key=lambda each: role(each[1]) == "tool"):
        members = list(group)
        if is_result:
            yield Turn("tool", tuple(result(message, at) for at, message in members), members[0][0])
        else:
            yield from (Turn(role(message), tuple(parts(message, at)), at) for at, message in members)
