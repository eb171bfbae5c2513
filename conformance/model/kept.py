"""What a provider keeps for later requests: stored responses, by their ids. The oldest are dropped first."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from conformance.model.frozen import dataclass

_MOST = 2_000


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored response, the items of its request (with those before it), and the items of its reply."""

    value: dict[str, Any]
    given: tuple[Any, ...]
    made: tuple[Any, ...]


class Kept:
    """The stored responses of one session, and their items."""

    def __init__(self) -> None:
        self._responses: OrderedDict[str, Stored] = OrderedDict()
        self._items: OrderedDict[str, Any] = OrderedDict()

    def add(self, name: str, stored: Stored) -> None:
        """Keeps a response, and each item that has an id."""
        self._responses[name] = stored
        for item in (*stored.given, *stored.made):
            if isinstance(item, dict) and isinstance(item.get("id"), str):
                self._items[item["id"]] = item
        while len(self._responses) > _MOST:
            self._responses.popitem(last=False)
        while len(self._items) > 10 * _MOST:
            self._items.popitem(last=False)

    def response(self, name: Any) -> Stored | None:
        """The response of an id."""
        return self._responses.get(name) if isinstance(name, str) else None

    def item(self, name: Any) -> Any:
        """The item of an id, or None."""
        return self._items.get(name) if isinstance(name, str) else None

    def remove(self, name: str) -> bool:
        """Forgets a response; whether there was one."""
        return self._responses.pop(name, None) is not None
