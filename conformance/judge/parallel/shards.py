"""Divides keyed items among workers."""

from __future__ import annotations

from collections import OrderedDict


class Shards:
    """Divides keyed items among workers: a key stays with one worker, a new key goes to the one with the least weight.

    It depends only on the items, so that each worker can compute the same division on its own. Only the latest
    keys are remembered, so that memory stays constant.
    """

    def __init__(self, number: int, *, remembered: int = 8192) -> None:
        self._weights = [0] * number
        self._remembered = remembered
        self._shards: OrderedDict[str, int] = OrderedDict()

    def shard_of(self, key: str | None, weight: int) -> int:
        """The shard of an item; an item without a key may go to any shard."""
        shard = self._shards.pop(key, None) if key is not None else None
        if shard is None:
            shard = self._weights.index(min(self._weights))
        if key is not None:
            self._shards[key] = shard
            if len(self._shards) > self._remembered:
                self._shards.popitem(last=False)
        self._weights[shard] += weight
        return shard
