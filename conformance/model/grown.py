"""A set that only grows, of which every earlier state stays readable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")


class Grown(Generic[T]):
    """An immutable set. The set that it grows into shares its items: growing costs what is new, not what is there."""

    __slots__ = ("_places", "_size")

    def __init__(self) -> None:
        self._places: dict[T, int] = {}
        self._size = 0

    def __contains__(self, item: T) -> bool:
        return self._places.get(item, self._size) < self._size

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[T]:
        return islice(self._places, self._size)

    def and_also(self, items: Iterable[T]) -> Grown[T]:
        """The set with these items, too."""
        grown: Grown[T] = Grown()
        latest = len(self._places) == self._size
        grown._places = self._places if latest else dict(islice(self._places.items(), self._size))
        for item in items:
            grown._places.setdefault(item, len(grown._places))
        grown._size = len(grown._places)
        return grown
