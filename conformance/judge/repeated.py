"""What a request repeats of an earlier one, so that only what is new has to be read and judged.

Every request of a conversation holds all turns before it: of n turns, the last request has n, and all requests
together have half of n². Most requests differ from the one before in the last items of their history alone. All else
is read and judged once: the turns that were read stay the same objects, and what was found in them stays true.

Requests are compared as bytes that are kept: a program may have changed the values of an earlier request since.
"""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.model.pointer import item_of
from conformance.model.transcript import Turn

if TYPE_CHECKING:
    from conformance.judge.view import View

_LOOKED_AT = 4
"""How many of the latest requests are compared: a run can hold several conversations, one beside the other."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The values of a request at the time when it was read: the items of its history, and all else (`settings`)."""

    settings: bytes
    items: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Repeated:
    """A request with the same settings at the same address, and how many items both histories begin with."""

    earlier: View
    items: int


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a history, which is to be judged; the hits on what comes before are those of the `earlier` request.

    `view` shows the last turns alone, one of them only because the next one is judged with it. `first` is the number
    of the first item whose hits count.
    """

    view: View
    earlier: View
    first: int


def snapshot(body: Any, key: str | None) -> Snapshot | None:
    """The values of a request body; None where its history is no array under the key."""
    items = body.get(key) if key is not None and isinstance(body, dict) else None
    if not items or not isinstance(items, list):
        return None
    settings = {name: value for name, value in body.items() if name != key}
    try:  # version 2 has no references: equal values, equal bytes; and 1, 1.0 and true differ
        return Snapshot(marshal.dumps(settings, 2), [marshal.dumps(item, 2) for item in items])
    except ValueError:  # nested too deeply, or a value that is not JSON
        return None


def repeated(view: View) -> Repeated | None:
    """The earlier request of the run of which this one repeats the most items, the latest of several."""
    now, best = view.snapshot, None
    if now is None:
        return None
    for earlier in reversed(view.earlier[-_LOOKED_AT:]):
        before = earlier.snapshot
        if before is None or before.settings != now.settings or not _same_address(view, earlier):
            continue
        items = _common(before.items, now.items)
        if items > (best.items if best else 0):
            best = Repeated(earlier, items)
            if items == len(before.items):
                break
    return best


def merged(found: Repeated, body: dict[str, Any], key: str) -> dict[str, Any]:
    """The body with the earlier request's own values wherever it repeats them, so that each is kept once."""
    earlier = found.earlier.request
    return {**earlier, key: [*earlier[key][: found.items], *body[key][found.items :]]}


def shared(found: Repeated, now: Snapshot | None) -> Snapshot | None:
    """The same of the snapshot."""
    before = found.earlier.snapshot
    if before is None or now is None:
        return now
    return Snapshot(before.settings, [*before.items[: found.items], *now.items[found.items :]])


def _same_address(view: View, earlier: View) -> bool:
    one, other = view.exchange, earlier.exchange
    same_url = one.request.url == other.request.url and one.request.method == other.request.method
    return same_url and one.complete == other.complete


def _common(before: Sequence[bytes], now: Sequence[bytes]) -> int:
    """How many items both begin with."""
    if before == now[: len(before)]:
        return len(before)
    return next(
        (number for number, (one, other) in enumerate(zip(before, now, strict=False)) if one != other), len(now)
    )


def begun(turns: Sequence[Turn], items: int, key: str) -> tuple[int, int] | None:
    """How many of the turns can be kept where the first items stay, and the item from which on to read anew.

    The last turn that begins in those items can have grown. Results are read again with their calls.
    """
    for number in range(len(turns) - 1, 0, -1):
        turn = turns[number]
        start = item_of(turn.pointer, key)
        if start is not None and start < items and turn.role != "tool":
            return number, start
    return None
