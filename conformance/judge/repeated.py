"""Finds what a request repeats of an earlier one, so that only the new part has to be read and judged.

Every request of a conversation contains all turns before it: of n turns, the last request has n, and all requests
together have half of n². Most requests differ from the one before only in the last items of their history. The rest
is read and judged once: its turns stay the same objects, and its findings stay valid.

Requests are compared as stored bytes: a program may have changed the values of an earlier request since.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from typing import Any

from conformance.model.exchange import Body, Exchange
from conformance.model.frozen import dataclass
from conformance.model.pointer import item_of
from conformance.model.transcript import Turn

LOOKED_AT = 4
"""How many of the latest requests are compared: a run can contain several interleaved conversations."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A request at the time when it was read: its address, the items of its history, and the rest (`settings`)."""

    address: tuple[str, str, bool]
    settings: bytes
    items: Sequence[bytes]

    def size(self, first: int) -> int:
        """How many bytes it has that a request does not repeat which has the first items; with none, all of it."""
        return sum(map(len, self.items[first:])) + (0 if first else len(self.settings))

    def kept_once(self, before: Snapshot, items: int) -> Snapshot:
        """The same, with the byte objects of an earlier one where it repeats them."""
        return Snapshot(before.address, before.settings, [*before.items[:items], *self.items[items:]])


def size_of(body: Body) -> int:
    """About how many bytes a body has."""
    content = body.content
    if isinstance(content, (str, bytes)):
        return len(content)
    try:
        return len(marshal.dumps(content, 2))
    except ValueError:
        return 0


def snapshot(exchange: Exchange, body: Any, key: str) -> Snapshot | None:
    """The snapshot of a request body; None if its history is not an array under the key."""
    items = body.get(key) if isinstance(body, dict) else None
    if not items or not isinstance(items, list):
        return None
    settings = {name: value for name, value in body.items() if name != key}
    address = exchange.request.method, exchange.request.url, exchange.complete
    try:  # version 2 has no references: equal values, equal bytes; and 1, 1.0 and true differ
        return Snapshot(address, marshal.dumps(settings, 2), [marshal.dumps(item, 2) for item in items])
    except ValueError:  # nested too deeply, or a value that is not JSON
        return None


def most_repeated(now: Snapshot | None, earlier: Sequence[Snapshot | None]) -> tuple[int, int] | None:
    """The earlier request with the same settings and address whose history begins most like this one.

    Returns:
        Its number, and how many items both histories begin with; of several with as many, the latest.
    """
    best: tuple[int, int] | None = None
    if now is None:
        return best
    for number in range(len(earlier) - 1, -1, -1):
        before = earlier[number]
        if before is None or before.address != now.address or before.settings != now.settings:
            continue
        items = _common(before.items, now.items)
        if items > (best[1] if best else 0):
            best = number, items
            if items == len(before.items):
                break
    return best


def _common(before: Sequence[bytes], now: Sequence[bytes]) -> int:
    """The number of items that both begin with."""
    if before == now[: len(before)]:
        return len(before)
    return next(
        (number for number, (one, other) in enumerate(zip(before, now, strict=False)) if one != other), len(now)
    )


def kept_once(before: dict[str, Any], body: dict[str, Any], items: int, key: str) -> dict[str, Any]:
    """The body with the values of an earlier one wherever it repeats them."""
    return {**before, key: [*before[key][:items], *body[key][items:]]}


def begun(turns: Sequence[Turn], items: int, key: str) -> tuple[int, int] | None:
    """How many of the turns can be kept if the first items are the same, and the first item to read again.

    The last turn that begins in those items can have grown. Results are read again with their calls.
    """
    for number in range(len(turns) - 1, 0, -1):
        turn = turns[number]
        start = item_of(turn.pointer, key)
        if start is not None and start < items and turn.role != "tool":
            return number, start
    return None
