"""The fields of JSON values as observations: the types at each path, some values, and the numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from conformance.diff.row import How, Row, Where
from conformance.diff.rows import place_row
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join

ABSENT = "absent"
_LONGEST = 60
_VALUED = ("discriminator", "model", "field-value", "numbering", "error-kind")
"""The rows of the table about a value that is not the wording of a text, an id or a time."""


class Fields:
    """Collects the types at each path; `*` is any item of an array, and an object with a `type` is named by it.

    With `values`, every value is an outcome, too; otherwise those of texts and booleans that have a meaning.
    """

    def __init__(self, *, streamed: bool, ok: bool, values: bool = False) -> None:
        self.numbers: dict[str, float] = {}
        self._streamed, self._ok, self._values = streamed, ok, values
        self._kinds: dict[str, set[str]] = {}
        self._objects: dict[str, int] = {}
        self._having: dict[str, int] = {}

    def collect(self, value: Any, path: str) -> None:
        """Adds a JSON value at a path."""
        kinds = self._kinds.setdefault(path, set())
        name = kind(value)
        kinds.add(name)
        if isinstance(value, dict):
            if not self._values and path and _row(path, "new", streamed=self._streamed, ok=self._ok).is_covered:
                return
            self._objects[path] = self._objects.get(path, 0) + 1
            for key, each in value.items():
                inner = join(path, key)
                self._having[inner] = self._having.get(inner, 0) + 1
                self.collect(each, inner)
        elif isinstance(value, list):
            if not value:
                kinds.add("empty array")
            for each in value:
                typed = each.get("type") if isinstance(each, dict) else None
                self.collect(each, f"{path}/*({typed})" if isinstance(typed, str) else f"{path}/*")
        elif self._values:
            kinds.add(brief(value, _LONGEST))
        elif isinstance(value, (bool, str)):
            if value == "":
                kinds.add("empty text")
            elif self._value_row(path).id in _VALUED:
                kinds.add(brief(value, _LONGEST))
        elif isinstance(value, (int, float)):
            if isinstance(value, float) and value.is_integer():
                kinds.add("whole number with decimals")
            if self._value_row(path).id in ("counts", "field-value"):
                self.numbers[path] = max(float(value), self.numbers.get(path, float(value)))

    def _value_row(self, path: str) -> Row:
        return _row(path, "value", streamed=self._streamed, ok=self._ok)

    def outcomes(self) -> dict[str, set[str]]:
        """The outcomes of each path; `absent` where some object does not have it."""
        return {
            path: {*kinds, ABSENT} if self._having.get(path, 0) < self._objects.get(_above(path), 0) else kinds
            for path, kinds in self._kinds.items()
        }


def _above(path: str) -> str:
    return path.rpartition("/")[0] if not path.rpartition("/")[2].startswith("*") else "\0"


@lru_cache(maxsize=65_536)
def _row(path: str, how: How, *, streamed: bool, ok: bool) -> Row:
    return place_row(Where(bare(path), how, "response", "body", streamed, ok))


def bare(path: str) -> str:
    """The path as the table knows it: without the event's name and without types."""
    steps = path.split("/")[1:]
    return "".join(f"/{step.partition('(')[0]}" for step in steps)
